//! Single precision in the FPU, double precision in software.

use core::hint::black_box;

use golden::Random;

pub fn all(random: &mut Random) -> u32 {
    let mut samples = [0f32; 64];
    for sample in &mut samples {
        *sample = (random.next() as i32) as f32 / 65536.0;
    }
    let statistics = statistics(black_box(&samples));
    let mut sum = statistics.iter().fold(0, |sum: u32, s| sum.rotate_left(3) ^ s.to_bits());
    for &sample in &samples {
        sum = sum.rotate_left(1) ^ conversions(black_box(sample));
    }
    for pair in samples.chunks_exact(8) {
        sum = sum.rotate_left(1) ^ double(f64::from(pair[0]), f64::from(pair[3]));
    }
    for special in [f32::NAN, f32::INFINITY, -0.0, f32::MIN_POSITIVE, 1e-42, f32::MAX] {
        sum = sum.rotate_left(1) ^ conversions(black_box(special));
        sum ^= (black_box(special) * 3.0 + samples[1]).to_bits();
    }
    sum
}

/// Mean, variance, extremes and their places, a polynomial.
#[inline(never)]
fn statistics(samples: &[f32]) -> [f32; 6] {
    let count = samples.len() as f32;
    let mean = samples.iter().sum::<f32>() / count;
    let variance = samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f32>() / (count - 1.0);
    let (mut low, mut high, mut place) = (f32::MAX, f32::MIN, 0);
    for (index, &sample) in samples.iter().enumerate() {
        if sample < low {
            low = sample;
            place = index;
        }
        high = high.max(sample);
    }
    let polynomial = samples.iter().fold(0.0, |sum, &x| {
        let x = x / 40000.0;
        sum + x * (1.0 - x * x * (1.0 / 6.0 - x * x / 120.0))
    });
    [mean, variance, low, high, place as f32, polynomial]
}

#[inline(never)]
fn conversions(value: f32) -> u32 {
    let integers = value as i32 as u32 ^ value as u32 ^ (value as i16) as u32 ^ (value as u8) as u32;
    let wide = (value as i64 as u64 ^ value as u64) as u32;
    let back = ((integers as f32) + (integers as i32 as f32)).abs();
    let compared = u32::from(value < 1.5) | u32::from(value >= -7.25) << 1 | u32::from(value != value) << 2;
    let signs = value.copysign(-2.0).to_bits() ^ (-value).to_bits();
    integers ^ wide ^ back.to_bits() ^ compared ^ signs ^ value.clamp(-10.0, 10.0).to_bits()
}

#[inline(never)]
fn double(a: f64, b: f64) -> u32 {
    let result = (a + b) * (a - 2.5) / (b + 0.125);
    let bits = result.to_bits();
    let ordered = u32::from(a < b) | u32::from(result > 0.0) << 1;
    bits as u32 ^ (bits >> 32) as u32 ^ result as i32 as u32 ^ (result as f32).to_bits() ^ ordered
}
