//! Loads and stores (manual A7.5, A7.6).

use super::Done;
use crate::cpu::{Cpu, PC};
use crate::decode::Op;
use crate::fault::{FaultKind, Trap};

/// How many bytes are transferred, and how a loaded value fills its register.
pub(crate) trait Width {
    const BYTES: u32;
    fn read(cpu: &mut Cpu, address: u32) -> Result<u32, Trap>;
    fn write(cpu: &mut Cpu, address: u32, value: u32) -> Done;
}

macro_rules! width {
    ($name:ident, $bytes:literal, $extend:expr) => {
        pub(crate) struct $name;

        impl Width for $name {
            const BYTES: u32 = $bytes;

            #[inline(always)]
            fn read(cpu: &mut Cpu, address: u32) -> Result<u32, Trap> {
                let extend: fn(u32) -> u32 = $extend;
                cpu.bus.read::<$bytes>(address).map(extend)
            }

            #[inline(always)]
            fn write(cpu: &mut Cpu, address: u32, value: u32) -> Done {
                cpu.bus.write::<$bytes>(address, value)
            }
        }
    };
}

width!(Byte, 1, |v| v);
width!(SignedByte, 1, |v| v as i8 as u32);
width!(Half, 2, |v| v);
width!(SignedHalf, 2, |v| v as i16 as u32);
width!(Word, 4, |v| v);

/// How an address is made, and what the base register becomes.
pub(crate) trait Address {
    const WRITES_BACK: bool = false;
    /// The address of the access and the new base.
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32);
}

pub(crate) struct Offset;
pub(crate) struct PreIndexed;
pub(crate) struct PostIndexed;
pub(crate) struct RegisterOffset;
pub(crate) struct Literal;

impl Address for Offset {
    #[inline(always)]
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32) {
        (cpu.get(op.rn).wrapping_add(op.imm), 0)
    }
}

impl Address for PreIndexed {
    const WRITES_BACK: bool = true;
    #[inline(always)]
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32) {
        let address = cpu.get(op.rn).wrapping_add(op.imm);
        (address, address)
    }
}

impl Address for PostIndexed {
    const WRITES_BACK: bool = true;
    #[inline(always)]
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32) {
        let base = cpu.get(op.rn);
        (base, base.wrapping_add(op.imm))
    }
}

impl Address for RegisterOffset {
    #[inline(always)]
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32) {
        (cpu.get(op.rn).wrapping_add(cpu.get(op.rm) << (op.amount & 31)), 0)
    }
}

impl Address for Literal {
    #[inline(always)]
    fn of(cpu: &Cpu, op: &Op) -> (u32, u32) {
        (cpu.aligned_pc().wrapping_add(op.imm), 0)
    }
}

/// Extra bus accesses of a single load or store: a halfword at an odd address is split in two, a
/// word into two halfwords or into byte, halfword, byte (Cortex-M4 TRM, DDI 0439, 3.3.3).
#[inline(always)]
fn count_extra_accesses<W: Width>(cpu: &mut Cpu, address: u32) {
    if address & (W::BYTES - 1) != 0 {
        cpu.extra_cycles = if W::BYTES == 4 && address & 1 == 1 { 2 } else { 1 };
    }
}

pub(crate) fn load<W: Width, A: Address>(cpu: &mut Cpu, op: &Op) -> Done {
    let (address, base) = A::of(cpu, op);
    let value = W::read(cpu, address)?;
    count_extra_accesses::<W>(cpu, address);
    if A::WRITES_BACK {
        cpu.set(op.rn, base);
    }
    if W::BYTES == 4 && op.rd == 15 {
        return cpu.branch_exchange(value);
    }
    cpu.set(op.rd, value);
    Ok(())
}

pub(crate) fn store<W: Width, A: Address>(cpu: &mut Cpu, op: &Op) -> Done {
    let (address, base) = A::of(cpu, op);
    W::write(cpu, address, cpu.get(op.rd))?;
    count_extra_accesses::<W>(cpu, address);
    if A::WRITES_BACK {
        cpu.set(op.rn, base);
    }
    Ok(())
}

/// Multiples and pairs must be word-aligned, whatever CCR says.
pub(super) fn check_alignment(address: u32, size: u32) -> Done {
    match address & (size - 1) {
        0 => Ok(()),
        _ => Err(Trap::fault(FaultKind::Unaligned, address)),
    }
}

pub(crate) fn ldrd<A: Address>(cpu: &mut Cpu, op: &Op) -> Done {
    let (address, base) = A::of(cpu, op);
    check_alignment(address, 4)?;
    let first = cpu.bus.read::<4>(address)?;
    let second = cpu.bus.read::<4>(address.wrapping_add(4))?;
    if A::WRITES_BACK {
        cpu.set(op.rn, base);
    }
    cpu.set(op.rd, first);
    cpu.set(op.rm, second);
    Ok(())
}

pub(crate) fn strd<A: Address>(cpu: &mut Cpu, op: &Op) -> Done {
    let (address, base) = A::of(cpu, op);
    check_alignment(address, 4)?;
    cpu.bus.write::<4>(address, cpu.get(op.rd))?;
    cpu.bus.write::<4>(address.wrapping_add(4), cpu.get(op.rm))?;
    if A::WRITES_BACK {
        cpu.set(op.rn, base);
    }
    Ok(())
}

/// Loads the registers in `imm`, lowest first, from `start` on; a loaded PC branches at the end.
/// `base` is written back if asked for, unless the base itself was loaded.
fn load_list(cpu: &mut Cpu, op: &Op, start: u32, base: u32) -> Done {
    check_alignment(start, 4)?;
    let mut target = None;
    let mut address = start;
    let mut list = op.imm;
    while list != 0 {
        let register = list.trailing_zeros() as usize;
        list &= list - 1;
        let value = cpu.bus.read::<4>(address)?;
        address = address.wrapping_add(4);
        match register {
            PC => target = Some(value),
            _ => cpu.r[register & 15] = value,
        }
    }
    if op.form == 1 && op.imm >> op.rn & 1 == 0 {
        cpu.set(op.rn, base);
    }
    target.map_or(Ok(()), |target| cpu.branch_exchange(target))
}

fn store_list(cpu: &mut Cpu, op: &Op, start: u32, base: u32) -> Done {
    check_alignment(start, 4)?;
    let mut address = start;
    let mut list = op.imm;
    while list != 0 {
        let register = list.trailing_zeros() as usize;
        list &= list - 1;
        cpu.bus.write::<4>(address, cpu.r[register & 15])?;
        address = address.wrapping_add(4);
    }
    if op.form == 1 {
        cpu.set(op.rn, base);
    }
    Ok(())
}

/// Bytes of the list.
fn length(op: &Op) -> u32 {
    u32::from(op.count) * 4
}

pub(crate) fn ldmia(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn);
    load_list(cpu, op, start, start.wrapping_add(length(op)))
}

pub(crate) fn ldmdb(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn).wrapping_sub(length(op));
    load_list(cpu, op, start, start)
}

pub(crate) fn stmia(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn);
    store_list(cpu, op, start, start.wrapping_add(length(op)))
}

pub(crate) fn stmdb(cpu: &mut Cpu, op: &Op) -> Done {
    let start = cpu.get(op.rn).wrapping_sub(length(op));
    store_list(cpu, op, start, start)
}

/// LDREX and its narrow forms. The monitor is one flag: no other master exists that could clear it.
pub(crate) fn ldrex<const N: usize>(cpu: &mut Cpu, op: &Op) -> Done {
    let address = cpu.get(op.rn).wrapping_add(op.imm);
    check_alignment(address, N as u32)?;
    let value = cpu.bus.read::<N>(address)?;
    cpu.set(op.rd, value);
    cpu.exclusive = true;
    Ok(())
}

/// STREX: 0 in Rd if it stored, 1 if not.
pub(crate) fn strex<const N: usize>(cpu: &mut Cpu, op: &Op) -> Done {
    let address = cpu.get(op.rn).wrapping_add(op.imm);
    check_alignment(address, N as u32)?;
    if cpu.exclusive {
        cpu.bus.write::<N>(address, cpu.get(op.rm))?;
    }
    cpu.set(op.rd, u32::from(!cpu.exclusive));
    cpu.exclusive = false;
    Ok(())
}

pub(crate) fn clrex(cpu: &mut Cpu, _: &Op) -> Done {
    cpu.exclusive = false;
    Ok(())
}
