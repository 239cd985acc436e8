//! Jump tables, function pointers, recursion, atomics.

use core::hint::black_box;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use golden::Random;

static COUNT: AtomicU32 = AtomicU32::new(3);
static FLAGS: AtomicU8 = AtomicU8::new(0);

trait Step {
    fn step(&self, value: u32) -> u32;
}

struct Add(u32);
struct Rotate(u32);

impl Step for Add {
    #[inline(never)]
    fn step(&self, value: u32) -> u32 {
        value.wrapping_add(self.0)
    }
}

impl Step for Rotate {
    #[inline(never)]
    fn step(&self, value: u32) -> u32 {
        value.rotate_left(self.0)
    }
}

#[inline(never)]
fn interpret(code: u32, a: u32, b: u32) -> u32 {
    match code % 13 {
        0 => a.wrapping_add(b),
        1 => a.wrapping_sub(b),
        2 => a & b,
        3 => a | b,
        4 => a ^ b,
        5 => a << (b & 31),
        6 => a >> (b & 31),
        7 => a.wrapping_mul(b),
        8 => a.checked_div(b).unwrap_or(1),
        9 => (a as i32).wrapping_rem(b as i32 | 1) as u32,
        10 => a.max(b),
        11 => (a as i32).min(b as i32) as u32,
        _ => ackermann(black_box(2), b & 3),
    }
}

#[inline(never)]
fn ackermann(m: u32, n: u32) -> u32 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

pub fn all(random: &mut Random) -> u32 {
    let steps: [&dyn Step; 3] = [&Add(0x1357), &Rotate(11), &Add(0xffff_0000)];
    let mut value = random.next();
    for _ in 0..40 {
        let code = random.next();
        value = interpret(black_box(code >> 8), value, random.next() >> (code & 31));
        value = black_box(steps[(code % 3) as usize]).step(value);
        COUNT.fetch_add(value & 7, Ordering::SeqCst);
        FLAGS.fetch_or(1 << (value & 7), Ordering::Relaxed);
    }
    let swapped = COUNT.compare_exchange(black_box(9), 1, Ordering::AcqRel, Ordering::Relaxed);
    value ^ swapped.unwrap_or_else(|count| count) ^ u32::from(FLAGS.load(Ordering::Acquire))
}
