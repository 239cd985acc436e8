//! Multiplication and division with 32- and 64-bit results (manual A7.4.4, A7.4.9).

use super::Done;
use crate::cpu::Cpu;
use crate::decode::Op;

pub(crate) fn mul(cpu: &mut Cpu, op: &Op) -> Done {
    let result = cpu.get(op.rn).wrapping_mul(cpu.get(op.rm));
    cpu.set(op.rd, result);
    if cpu.sets_flags(op) {
        cpu.flags.set_nz(result);
    }
    Ok(())
}

pub(crate) fn mla(cpu: &mut Cpu, op: &Op) -> Done {
    let product = cpu.get(op.rn).wrapping_mul(cpu.get(op.rm));
    cpu.set(op.rd, cpu.get(op.ra).wrapping_add(product));
    Ok(())
}

pub(crate) fn mls(cpu: &mut Cpu, op: &Op) -> Done {
    let product = cpu.get(op.rn).wrapping_mul(cpu.get(op.rm));
    cpu.set(op.rd, cpu.get(op.ra).wrapping_sub(product));
    Ok(())
}

/// Division by zero gives 0: CCR.DIV_0_TRP is clear at reset.
pub(crate) fn udiv(cpu: &mut Cpu, op: &Op) -> Done {
    let (n, m) = (cpu.get(op.rn), cpu.get(op.rm));
    cpu.extra_cycles = division_cycles(n, m);
    cpu.set(op.rd, n.checked_div(m).unwrap_or(0));
    Ok(())
}

pub(crate) fn sdiv(cpu: &mut Cpu, op: &Op) -> Done {
    let (n, m) = (cpu.get(op.rn) as i32, cpu.get(op.rm) as i32);
    cpu.extra_cycles = division_cycles(n.unsigned_abs(), m.unsigned_abs());
    let quotient = if m == 0 { 0 } else { n.wrapping_div(m) };
    cpu.set(op.rd, quotient as u32);
    Ok(())
}

/// Cycles of a division, 2 to 12 (Cortex-M4 TRM, DDI 0439, table 3-1). Between the bounds it depends
/// on the length of the quotient; four bits a cycle is fitted to silicon (STM32G474: 15 / 3 takes 5,
/// 0x7fffffff / 1 takes 12).
pub(crate) fn division_cycles(n: u32, m: u32) -> u32 {
    if m == 0 || n < m {
        return 2;
    }
    let quotient_bits = m.leading_zeros() - n.leading_zeros() + 1;
    (4 + quotient_bits.div_ceil(4)).clamp(2, 12)
}

impl Cpu {
    /// The 64-bit accumulator: upper half in Ra, lower in Rd.
    pub(super) fn get_long(&self, op: &Op) -> u64 {
        u64::from(self.get(op.ra)) << 32 | u64::from(self.get(op.rd))
    }

    pub(super) fn set_long(&mut self, op: &Op, value: u64) {
        self.set(op.rd, value as u32);
        self.set(op.ra, (value >> 32) as u32);
    }
}

fn signed_product(cpu: &Cpu, op: &Op) -> u64 {
    (i64::from(cpu.get(op.rn) as i32) * i64::from(cpu.get(op.rm) as i32)) as u64
}

fn unsigned_product(cpu: &Cpu, op: &Op) -> u64 {
    u64::from(cpu.get(op.rn)) * u64::from(cpu.get(op.rm))
}

pub(crate) fn smull(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set_long(op, signed_product(cpu, op));
    Ok(())
}

pub(crate) fn umull(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set_long(op, unsigned_product(cpu, op));
    Ok(())
}

pub(crate) fn smlal(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set_long(op, signed_product(cpu, op).wrapping_add(cpu.get_long(op)));
    Ok(())
}

pub(crate) fn umlal(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.set_long(op, unsigned_product(cpu, op).wrapping_add(cpu.get_long(op)));
    Ok(())
}

/// Both 32-bit accumulators are added; the sum cannot overflow 64 bits.
pub(crate) fn umaal(cpu: &mut Cpu, op: &Op) -> Done {
    let addends = u64::from(cpu.get(op.rd)) + u64::from(cpu.get(op.ra));
    cpu.set_long(op, unsigned_product(cpu, op).wrapping_add(addends));
    Ok(())
}
