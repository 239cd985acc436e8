//! Arithmetic that rustc maps to the DSP extension: saturation, 16-bit products, halves.

use core::hint::black_box;

use golden::Random;

pub fn all(random: &mut Random) -> u32 {
    let mut left = [0i16; 32];
    let mut right = [0i16; 32];
    for (l, r) in left.iter_mut().zip(&mut right) {
        let number = random.next();
        (*l, *r) = (number as i16, (number >> 16) as i16);
    }
    let mut sum = filter(black_box(&left), black_box(&right));
    for (&l, &r) in left.iter().zip(&right) {
        sum = sum.rotate_left(1) ^ saturating(black_box(i32::from(l) << 15), black_box(i32::from(r) << 14));
        sum = sum.wrapping_add(halves(l as u32, r as u32 ^ 0x5a5a_0000));
    }
    sum
}

/// A dot product with 32- and 64-bit accumulators.
#[inline(never)]
fn filter(samples: &[i16], weights: &[i16]) -> u32 {
    let short =
        samples.iter().zip(weights).fold(0i32, |sum, (&s, &w)| sum.wrapping_add(i32::from(s) * i32::from(w)));
    let long: i64 = samples.iter().zip(weights).map(|(&s, &w)| i64::from(i32::from(s) * i32::from(w))).sum();
    short as u32 ^ long as u32 ^ (long >> 32) as u32
}

#[inline(never)]
fn saturating(a: i32, b: i32) -> u32 {
    let sum = a.saturating_add(b) ^ a.saturating_sub(b);
    let bytes = (a as i8).saturating_add(b as i8) as u32 ^ u32::from((a as u8).saturating_sub(b as u8));
    let words = u32::from((a >> 9) as u16).saturating_add(b as u32)
        ^ ((a >> 7) as i16).saturating_sub(b as i16) as u32;
    let high = ((i64::from(a) * i64::from(b)) >> 32) as i32;
    let rounded = ((i64::from(a) * i64::from(b) + 0x8000_0000) >> 32) as i32;
    let scaled = ((i64::from(a) * i64::from(b as i16)) >> 16) as i32;
    let limits = (a >> 10).clamp(-128, 127) ^ (b >> 10).clamp(0, 255) ^ (a >> 3).clamp(-0x8000, 0x7fff);
    (sum ^ high ^ rounded ^ scaled ^ limits) as u32 ^ bytes ^ words
}

#[inline(never)]
fn halves(a: u32, b: u32) -> u32 {
    let packed = (a & 0xffff) | b << 16;
    let other = (a & 0xffff_0000) | b >> 16;
    let extended = a.wrapping_add(b & 0xff).wrapping_add((b >> 8) as i8 as u32);
    let product = (a as u16 as i16 as i32) * ((b >> 16) as i16 as i32);
    let wide = u64::from(a) * u64::from(b) + u64::from(packed) + u64::from(other);
    packed ^ other ^ extended ^ product as u32 ^ wide as u32 ^ (wide >> 32) as u32
}
