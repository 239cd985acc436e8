//! The cores that can be simulated, and the presets a caller chooses from.

use crate::timing::Pipeline;

/// Parts of the instruction set a core may have or lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The DSP extension of Armv7E-M: saturating and parallel arithmetic, 16-bit multiplies.
    pub dsp: bool,
    /// FPv4-SP: single precision, 32 registers.
    pub float: bool,
}

/// A processor core, as a profile chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core {
    /// As Arm writes it.
    pub name: &'static str,
    /// What the firmware reads from CPUID.
    pub cpuid: u32,
    /// What its decoder knows beyond Armv7-M.
    pub features: Features,
}

impl Core {
    /// Cortex-M4 with the floating-point unit. CPUID: r0p1, Arm DDI 0439 table 4-1.
    pub const CORTEX_M4F: Self =
        Self { name: "Cortex-M4F", cpuid: 0x410f_c241, features: Features { dsp: true, float: true } };

    /// Cortex-M4 without floating-point unit.
    pub const CORTEX_M4: Self =
        Self { name: "Cortex-M4", cpuid: 0x410f_c241, features: Features { dsp: true, float: false } };
}

/// A core with its memory timing: everything a cycle count depends on besides the firmware.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// As shown beside every number.
    pub name: &'static str,
    /// Changes whenever the same firmware may give another cycle count.
    pub model: &'static str,
    /// The core.
    pub core: Core,
    /// Its pipeline's constants.
    pub pipeline: Pipeline,
}

impl Preset {
    /// The validated setting. On silicon: 0.5 % mean error on the 23 published STM32G474 kernels of
    /// `tests/timing.rs`, and 1.4 % on 17 published pqm4 figures of an STM32L4R5, after two rules were
    /// refined on the latter (3.3 % before). Neither set tests the rule for unaligned data.
    pub fn cortex_m4f() -> Self {
        Self {
            name: "Cortex-M4F, 0 wait states",
            model: "cortex-m4 1",
            core: Core::CORTEX_M4F,
            pipeline: Pipeline::CORTEX_M4,
        }
    }

    /// The same pipeline without floating-point unit.
    pub fn cortex_m4() -> Self {
        Self {
            name: "Cortex-M4, 0 wait states",
            model: "cortex-m4 1",
            core: Core::CORTEX_M4,
            pipeline: Pipeline::CORTEX_M4,
        }
    }

    /// Every preset, the default first.
    pub fn all() -> Vec<Self> {
        vec![Self::cortex_m4f(), Self::cortex_m4()]
    }
}

impl Default for Preset {
    fn default() -> Self {
        Self::cortex_m4f()
    }
}
