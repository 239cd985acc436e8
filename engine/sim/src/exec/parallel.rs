//! Parallel addition and subtraction of bytes and halfwords (manual A7.4.6).

use super::Done;
use crate::cpu::Cpu;
use crate::decode::Op;

/// What becomes of a sum that may not fit: bits 1:0 of `form`; bit 2 makes the lanes unsigned.
#[derive(Clone, Copy, PartialEq)]
enum Result {
    /// Wraps, and sets the lane's GE flags.
    Modulo,
    Saturated,
    Halved,
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Add,
    Subtract,
}

/// Lanes of `bits` bits; gathers the result and the GE flags.
struct Lanes {
    bits: u32,
    unsigned: bool,
    result: Result,
    out: u32,
    ge: u8,
}

impl Lanes {
    fn new(op: &Op, bits: u32) -> Self {
        let result = match op.form & 3 {
            0 => Result::Modulo,
            1 => Result::Saturated,
            _ => Result::Halved,
        };
        Self { bits, unsigned: op.form & 4 != 0, result, out: 0, ge: 0 }
    }

    /// Lane `index` of `value` as a number.
    fn lane(&self, value: u32, index: u32) -> i32 {
        let top = value << (32 - self.bits * (index + 1));
        let down = 32 - self.bits;
        if self.unsigned { (top >> down) as i32 } else { top as i32 >> down }
    }

    fn put(&mut self, index: u32, a: i32, b: i32, direction: Direction) {
        let sum = if direction == Direction::Add { a + b } else { a - b };
        let span = 1i32 << self.bits;
        let value = match self.result {
            Result::Modulo => {
                let carries = self.unsigned && direction == Direction::Add;
                if sum >= if carries { span } else { 0 } {
                    let flags = if self.bits == 8 { 1 } else { 3 };
                    self.ge |= flags << (index * self.bits / 8);
                }
                sum
            }
            Result::Saturated if self.unsigned => sum.clamp(0, span - 1),
            Result::Saturated => sum.clamp(-span / 2, span / 2 - 1),
            Result::Halved => sum >> 1,
        };
        self.out |= (value as u32 & (span - 1) as u32) << (self.bits * index);
    }

    fn finish(self, cpu: &mut Cpu, op: &Op) -> Done {
        cpu.set(op.rd, self.out);
        if self.result == Result::Modulo {
            cpu.flags.ge = self.ge;
        }
        Ok(())
    }
}

fn all_lanes(cpu: &mut Cpu, op: &Op, bits: u32, direction: Direction) -> Done {
    let (n, m) = (cpu.get(op.rn), cpu.get(op.rm));
    let mut lanes = Lanes::new(op, bits);
    for index in 0..32 / bits {
        lanes.put(index, lanes.lane(n, index), lanes.lane(m, index), direction);
    }
    lanes.finish(cpu, op)
}

pub(crate) fn parallel_add8(cpu: &mut Cpu, op: &Op) -> Done {
    all_lanes(cpu, op, 8, Direction::Add)
}

pub(crate) fn parallel_add16(cpu: &mut Cpu, op: &Op) -> Done {
    all_lanes(cpu, op, 16, Direction::Add)
}

pub(crate) fn parallel_sub8(cpu: &mut Cpu, op: &Op) -> Done {
    all_lanes(cpu, op, 8, Direction::Subtract)
}

pub(crate) fn parallel_sub16(cpu: &mut Cpu, op: &Op) -> Done {
    all_lanes(cpu, op, 16, Direction::Subtract)
}

/// Halfwords of Rm exchanged: `low` in the lower lane, the other direction in the upper one.
fn exchanged(cpu: &mut Cpu, op: &Op, low: Direction, high: Direction) -> Done {
    let (n, m) = (cpu.get(op.rn), cpu.get(op.rm));
    let mut lanes = Lanes::new(op, 16);
    lanes.put(0, lanes.lane(n, 0), lanes.lane(m, 1), low);
    lanes.put(1, lanes.lane(n, 1), lanes.lane(m, 0), high);
    lanes.finish(cpu, op)
}

pub(crate) fn parallel_asx(cpu: &mut Cpu, op: &Op) -> Done {
    exchanged(cpu, op, Direction::Subtract, Direction::Add)
}

pub(crate) fn parallel_sax(cpu: &mut Cpu, op: &Op) -> Done {
    exchanged(cpu, op, Direction::Add, Direction::Subtract)
}
