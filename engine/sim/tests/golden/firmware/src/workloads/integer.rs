//! 32- and 64-bit integers: hashes, sorting, division, bit tricks.

use core::hint::black_box;

use golden::Random;

pub fn all(random: &mut Random, round: u32) -> u32 {
    let mut numbers = [0u32; 160];
    for number in &mut numbers {
        *number = random.next();
    }
    let mut signed = numbers.map(|n| n as i32 >> (n & 15));
    numbers[..96].sort_unstable();
    heap_sort(&mut signed);
    let mut sum = black_box(&numbers)
        .iter()
        .zip(black_box(&signed))
        .fold(round, |sum, (&a, &b)| sum.wrapping_mul(31).wrapping_add(a).wrapping_sub(b as u32));
    for pair in numbers.chunks_exact(2) {
        let wide = u64::from(pair[0]) << 32 | u64::from(pair[1]);
        sum ^= long_arithmetic(black_box(wide), black_box(pair[1]) | 1);
        sum = sum.wrapping_add(bit_tricks(pair[0], pair[1]));
    }
    sum
}

/// Indices that the optimiser cannot turn into iterators: loads, stores and compares by register.
#[inline(never)]
fn heap_sort(values: &mut [i32]) {
    let sift = |values: &mut [i32], mut root: usize, end: usize| loop {
        let mut child = 2 * root + 1;
        if child >= end {
            break;
        }
        if child + 1 < end && values[child] < values[child + 1] {
            child += 1;
        }
        if values[root] >= values[child] {
            break;
        }
        values.swap(root, child);
        root = child;
    };
    for root in (0..values.len() / 2).rev() {
        sift(values, root, values.len());
    }
    for end in (1..values.len()).rev() {
        values.swap(0, end);
        sift(values, 0, end);
    }
}

#[inline(never)]
fn long_arithmetic(wide: u64, divisor: u32) -> u32 {
    let signed = wide as i64;
    let quotient = wide / u64::from(divisor | 0x10_0000);
    let rest = signed % (i64::from(divisor >> 3) + 7);
    let shifted =
        (wide >> (divisor & 63)) ^ (wide << (divisor >> 6 & 63)) ^ (signed >> (divisor >> 12 & 63)) as u64;
    let product = wide.wrapping_mul(0x0000_0100_0000_01b3) ^ shifted;
    let narrow = (wide as u32) / divisor ^ ((wide >> 32) as i32 / (divisor as i32 >> 5 | 1)) as u32;
    let high = ((u128::from(wide) * u128::from(product)) >> 64) as u64;
    (quotient ^ rest as u64 ^ product ^ high) as u32 ^ (product >> 32) as u32 ^ narrow
}

#[inline(never)]
fn bit_tricks(a: u32, b: u32) -> u32 {
    let fields = (a >> 7 & 0x1ff) | (b & 0x3f) << 20;
    let counts = a.leading_zeros() + b.trailing_zeros() + (a ^ b).count_ones() * 64;
    let clamped = (a as i32 >> 8).clamp(-1000, 1000) as u32;
    let order = a.swap_bytes() ^ b.reverse_bits() ^ u32::from((a as u16).swap_bytes());
    let (sum, carry) = a.overflowing_add(b);
    let checked = (a as i32).checked_add(b as i32).map_or(7, |s| s as u32);
    let picked = if (a as i32) < (b as i32) { a & !b } else { a | !b };
    fields ^ counts ^ clamped ^ order ^ sum ^ u32::from(carry) ^ checked ^ picked ^ a.rotate_right(b & 31)
}
