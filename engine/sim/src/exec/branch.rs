//! Branches, calls, IT blocks (manual A7.7.12 and after).

use super::Done;
use crate::cpu::{Cpu, LR, PC};
use crate::decode::Op;

/// The instruction's PC (its address + 4) plus the offset.
#[inline(always)]
fn relative(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.next = cpu.r[PC].wrapping_add(op.imm);
    Ok(())
}

pub(crate) fn b(cpu: &mut Cpu, op: &Op) -> Done {
    relative(cpu, op)
}

/// `form` is the condition.
pub(crate) fn b_if(cpu: &mut Cpu, op: &Op) -> Done {
    if cpu.flags.passes(op.form) { relative(cpu, op) } else { Ok(()) }
}

pub(crate) fn cbz(cpu: &mut Cpu, op: &Op) -> Done {
    if cpu.get(op.rn) == 0 { relative(cpu, op) } else { Ok(()) }
}

pub(crate) fn cbnz(cpu: &mut Cpu, op: &Op) -> Done {
    if cpu.get(op.rn) != 0 { relative(cpu, op) } else { Ok(()) }
}

pub(crate) fn bl(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.r[LR] = cpu.next | 1;
    relative(cpu, op)
}

pub(crate) fn bx(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.branch_exchange(cpu.get(op.rm))
}

pub(crate) fn blx(cpu: &mut Cpu, op: &Op) -> Done {
    let target = cpu.get(op.rm);
    cpu.r[LR] = cpu.next | 1;
    cpu.branch_exchange(target)
}

/// TBB and TBH: forward by twice the table's entry of `N` bytes.
pub(crate) fn table_branch<const N: usize>(cpu: &mut Cpu, op: &Op) -> Done {
    let index = cpu.get(op.rm).wrapping_mul(N as u32);
    let entry = cpu.bus.read::<N>(cpu.get(op.rn).wrapping_add(index))?;
    cpu.next = cpu.r[PC].wrapping_add(entry * 2);
    Ok(())
}

/// `imm` is the new ITSTATE.
pub(crate) fn it(cpu: &mut Cpu, op: &Op) -> Done {
    cpu.it_state = op.imm as u8;
    Ok(())
}
