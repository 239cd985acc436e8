//! [`Machine`]: one simulated chip with a firmware in it.

mod code;
mod error;

use std::fmt;
use std::sync::Arc;

use crate::bus::{Bus, Memory};
use crate::core::Preset;
use crate::cpu::{Cpu, SP};
use crate::elf::Image;
use crate::fault::{Cause, Fault, Stop, Trap};
use crate::profile::{Marks, Profile, Recorder};
use crate::symbols::Symbols;
use crate::timing::Timing;
use code::Code;
pub use error::{AccessError, MachineError};

/// A chip: core, memory, and the counters a measurement reads.
///
/// ```
/// use wirebench_sim::{Image, Machine, Memory, Preset, Region, Stop};
///
/// // Vector table (stack pointer, reset), then: MOVS R0, #42; BKPT #0.
/// let firmware = [0x00, 0x10, 0, 0x20, 0x09, 0, 0, 0x08, 0x2a, 0x20, 0x00, 0xbe];
/// let image = Image::from_bytes(0x0800_0000, &firmware).unwrap();
/// let memory = Memory::new(Region::new(0x0800_0000, 4096), Region::new(0x2000_0000, 4096));
/// let mut machine = Machine::new(&image, Preset::cortex_m4f(), memory).unwrap();
/// assert_eq!(machine.run(100), Stop::Breakpoint(0));
/// assert_eq!((machine.registers().r[0], machine.instructions(), machine.cycles()), (42, 1, 1));
/// ```
pub struct Machine {
    preset: Preset,
    cpu: Cpu,
    code: Code,
    timing: Timing,
    symbols: Arc<Symbols>,
    recorder: Option<Recorder>,
    instructions: u64,
    initial_sp: u32,
    /// Lowest stack pointer since the recorder was last settled.
    recent_low_sp: u32,
    /// Lowest stack pointer before that.
    settled_low_sp: u32,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("preset", &self.preset.name)
            .field("pc", &format_args!("{:#010x}", self.cpu.pc))
            .field("instructions", &self.instructions)
            .field("cycles", &self.cycles())
            .finish_non_exhaustive()
    }
}

/// The core's registers, as a debugger shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// R0 to R14, and the address of the next instruction in R15.
    pub r: [u32; 16],
    /// APSR: NZCVQ in bits 31 to 27, GE in bits 19 to 16.
    pub apsr: u32,
    /// S0 to S31; zeros on a core without FPU.
    pub s: [u32; 32],
    /// Floating-point status.
    pub fpscr: u32,
}

impl Machine {
    /// Loads `image` into memory and resets: stack pointer and PC come from the vector table, which
    /// is where the image begins.
    ///
    /// # Errors
    /// Memory that cannot be (too large, overlapping), an image that does not lie in it, a vector
    /// table no core would start from: see [`MachineError`].
    pub fn new(image: &Image, preset: Preset, memory: Memory) -> Result<Self, MachineError> {
        error::check_memory(&memory)?;
        let mut bus = Bus::new(&preset.core, &memory);
        for segment in image.segments() {
            let data = image.segment_data(segment);
            let outside =
                MachineError::SegmentOutside { address: segment.address, size: segment.file_size() };
            bus.memory_mut(segment.address, data.len()).ok_or(outside)?.copy_from_slice(data);
        }
        let (sp, pc) = vectors(image, &mut bus, &memory)?;
        let code = Code::new(&preset, &bus, image);
        let symbols = Arc::new(Symbols::of(image));
        Ok(Self {
            cpu: Cpu::new(&preset.core, bus, sp, pc),
            code,
            timing: Timing::new(preset.pipeline),
            symbols,
            recorder: None,
            instructions: 0,
            initial_sp: sp,
            recent_low_sp: sp,
            settled_low_sp: sp,
            preset,
        })
    }

    /// What is simulated.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// Switches the profile on, from here on, or off and drops it. Costs about a tenth of the speed.
    pub fn record_profile(&mut self, on: bool) {
        let marks = self.take_marks();
        self.recorder = on.then(|| Recorder::new(Arc::clone(&self.symbols), self.cpu.pc, marks));
    }

    /// Executes up to `limit` instructions. After [`Stop::Limit`] another call goes on, so that a
    /// caller can show progress and cancel between slices; after any other stop the PC stays on the
    /// instruction, and another call stops there again.
    ///
    /// ```
    /// # use wirebench_sim::{Image, Machine, Memory, Preset, Region, Stop};
    /// // Vector table, then: B . (an endless loop).
    /// let firmware = [0x00, 0x10, 0, 0x20, 0x09, 0, 0, 0x08, 0xfe, 0xe7];
    /// # let image = Image::from_bytes(0x0800_0000, &firmware).unwrap();
    /// # let memory = Memory::new(Region::new(0x0800_0000, 4096), Region::new(0x2000_0000, 4096));
    /// # let mut machine = Machine::new(&image, Preset::cortex_m4f(), memory).unwrap();
    /// let mut slices = 0;
    /// while machine.run(1_000) == Stop::Limit && slices < 3 {
    ///     slices += 1; // show progress, ask whether to go on
    /// }
    /// assert_eq!(machine.instructions(), 4_000);
    /// ```
    pub fn run(&mut self, limit: u64) -> Stop {
        let trap = match self.recorder {
            Some(_) => self.execute::<true>(limit),
            None => self.execute::<false>(limit),
        };
        match trap.map(|trap| (trap.cause, trap.value)) {
            None => Stop::Limit,
            Some((Cause::Breakpoint, number)) => Stop::Breakpoint(number as u8),
            Some((Cause::Exit, code)) => Stop::Exit(code),
            Some((Cause::Fault(kind), address)) => {
                let pc = self.cpu.pc;
                Stop::Fault(Fault { kind, pc, address, symbol: self.symbols.name_at(pc) })
            }
        }
    }

    /// The loop. `None` when the limit is reached.
    fn execute<const PROFILE: bool>(&mut self, limit: u64) -> Option<Trap> {
        let end = self.instructions.saturating_add(limit);
        while self.instructions < end {
            let pc = self.cpu.pc;
            let fetched;
            let op = match self.code.in_flash(pc) {
                Some(op) => op,
                None => {
                    fetched = match self.code.elsewhere(&self.cpu.bus, pc) {
                        Ok(op) => op,
                        Err(trap) => return Some(trap),
                    };
                    &fetched
                }
            };
            let executed = match self.cpu.step(op) {
                Ok(executed) => executed,
                Err(trap) => return Some(trap),
            };
            let next = self.cpu.pc;
            let cycles = self.timing.cycles(op, pc, next, executed, self.cpu.extra_cycles);
            self.cpu.bus.clock += u64::from(cycles);
            self.instructions += 1;
            self.recent_low_sp = self.recent_low_sp.min(self.cpu.r[SP]);
            let jumped = next != pc.wrapping_add(u32::from(op.length));
            if PROFILE
                && jumped
                && let Some(recorder) = self.recorder.as_mut().filter(|r| r.concerns(op, next))
            {
                let now = Marks {
                    clock: self.cpu.bus.clock,
                    instructions: self.instructions,
                    lowest_sp: self.recent_low_sp,
                };
                recorder.jump(op, pc, next, now);
                self.settled_low_sp = self.settled_low_sp.min(self.recent_low_sp);
                self.recent_low_sp = self.cpu.r[SP];
            }
        }
        None
    }

    /// The counters now; what follows is a new span.
    fn take_marks(&mut self) -> Marks {
        let lowest_sp = self.recent_low_sp;
        self.settled_low_sp = self.settled_low_sp.min(lowest_sp);
        self.recent_low_sp = self.cpu.r[SP];
        Marks { clock: self.cpu.bus.clock, instructions: self.instructions, lowest_sp }
    }

    /// Instructions executed since reset; those passed over in IT blocks count, a final BKPT does not.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Core cycles since reset, by the preset's timing model.
    pub fn cycles(&self) -> u64 {
        self.cpu.bus.clock
    }

    /// Deepest stack since reset, in bytes from the initial stack pointer.
    pub fn peak_stack(&self) -> u32 {
        self.initial_sp.saturating_sub(self.settled_low_sp.min(self.recent_low_sp))
    }

    /// The registers now.
    pub fn registers(&self) -> Registers {
        let mut r = self.cpu.r;
        r[15] = self.cpu.pc;
        let float = self.cpu.float_registers();
        Registers { r, apsr: self.cpu.flags.to_apsr(), s: float.s, fpscr: float.fpscr }
    }

    /// What the firmware wrote through semihosting, up to 1 MiB.
    pub fn output(&self) -> &[u8] {
        &self.cpu.output
    }

    /// What was recorded; `None` while recording is off.
    ///
    /// ```
    /// # use wirebench_sim::{Image, Machine, Memory, Preset, Region, Stop};
    /// // Vector table, then: NOP; NOP; BKPT #0.
    /// let firmware = [0x00, 0x10, 0, 0x20, 0x09, 0, 0, 0x08, 0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbe];
    /// # let image = Image::from_bytes(0x0800_0000, &firmware).unwrap();
    /// # let memory = Memory::new(Region::new(0x0800_0000, 4096), Region::new(0x2000_0000, 4096));
    /// # let mut machine = Machine::new(&image, Preset::cortex_m4f(), memory).unwrap();
    /// machine.record_profile(true);
    /// machine.run(100);
    /// let profile = machine.profile().unwrap();
    /// assert_eq!((profile.functions[0].name.as_str(), profile.functions[0].cycles_self), ("?", 2));
    /// ```
    pub fn profile(&mut self) -> Option<Profile> {
        let marks = self.take_marks();
        let recorder = self.recorder.as_mut()?;
        recorder.settle(marks);
        Some(recorder.profile(self.initial_sp))
    }

    /// The (mangled) name of the function that holds `address`.
    pub fn function_at(&self, address: u32) -> Option<String> {
        self.symbols.name_at(address)
    }

    /// Copies memory from `address` on into `out`.
    ///
    /// # Errors
    /// If any of it lies outside of flash and RAM; `out` is unchanged then.
    pub fn read_memory(&self, address: u32, out: &mut [u8]) -> Result<(), AccessError> {
        let error = AccessError { address, length: out.len() };
        out.copy_from_slice(self.cpu.bus.memory(address, out.len()).ok_or(error)?);
        Ok(())
    }

    /// The little-endian word at `address`, at any alignment.
    ///
    /// # Errors
    /// As [`read_memory`](Self::read_memory).
    pub fn read_u32(&self, address: u32) -> Result<u32, AccessError> {
        let mut bytes = [0; 4];
        self.read_memory(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Overwrites memory as a debugger does, flash included.
    ///
    /// # Errors
    /// If any of it lies outside of flash and RAM; nothing is written then.
    pub fn write_memory(&mut self, address: u32, data: &[u8]) -> Result<(), AccessError> {
        let error = AccessError { address, length: data.len() };
        self.cpu.bus.memory_mut(address, data.len()).ok_or(error)?.copy_from_slice(data);
        self.code.rewrite(&self.cpu.bus, address, data.len());
        Ok(())
    }

    /// The core's state, for tests that set it up.
    #[cfg(test)]
    pub(crate) fn cpu_mut(&mut self) -> &mut Cpu {
        &mut self.cpu
    }

    /// A decoder with one mistake, to prove that the checks would see it.
    #[cfg(test)]
    pub(crate) fn break_decoder(&mut self, one: &str, other: &str) {
        self.code.break_decoder(&self.cpu.bus, one, other);
    }
}

/// Initial stack pointer and reset address.
fn vectors(image: &Image, bus: &mut Bus, memory: &Memory) -> Result<(u32, u32), MachineError> {
    let table = image.segments().iter().map(|s| s.address).min().unwrap_or(memory.flash.start);
    let word = |at: u32| match bus.memory(at, 4) {
        Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
        _ => Err(MachineError::NoVectors { address: table }),
    };
    let (sp, reset) = (word(table)?, word(table.wrapping_add(4))?);
    let above_ram = u64::from(sp) > memory.ram.end();
    if sp <= memory.ram.start || above_ram {
        return Err(MachineError::StackPointer { value: sp });
    }
    let pc = reset & !1;
    if reset & 1 == 0 || bus.memory(pc, 2).is_none() {
        return Err(MachineError::ResetVector { value: reset });
    }
    bus.system.set_vector_table(table);
    Ok((sp & !3, pc))
}
