//! Numbers with a unit, and where each number came from.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};

/// A count of bytes in flash, RAM or on the wire. Never bits, never KiB. Sums and products saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A count of processor cycles. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycles(pub u64);

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}

impl Mul<u64> for Bytes {
    type Output = Bytes;
    fn mul(self, factor: u64) -> Bytes {
        Bytes(self.0.saturating_mul(factor))
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(items: I) -> Bytes {
        items.fold(Bytes(0), |a, b| a + b)
    }
}

impl Add for Cycles {
    type Output = Cycles;
    fn add(self, other: Cycles) -> Cycles {
        Cycles(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B", self.0)
    }
}

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cycles", self.0)
    }
}

/// Where a number came from. Charts draw the kinds differently.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Follows from the plan alone: struct sizes, bytes on the wire.
    Exact,
    /// Modelled, with the expected error in percent of the value.
    Estimated {
        /// Half width of the expected range, in percent.
        error_percent: u32,
    },
    /// Measured on the simulated core.
    Simulated {
        /// Core and setting, as shown: "Cortex-M4F, 0 wait states".
        preset: String,
    },
    /// Measured on a physical board.
    OnBoard {
        /// Chip and probe, as shown.
        board: String,
    },
    /// Quoted from somebody else's publication.
    Published {
        /// Where it can be read.
        source: String,
    },
}

impl Evidence {
    /// One word for a caption: `exact`, `estimated`, `simulated`, `on board`, `published`.
    pub fn word(&self) -> &'static str {
        match self {
            Evidence::Exact => "exact",
            Evidence::Estimated { .. } => "estimated",
            Evidence::Simulated { .. } => "simulated",
            Evidence::OnBoard { .. } => "on board",
            Evidence::Published { .. } => "published",
        }
    }
}
