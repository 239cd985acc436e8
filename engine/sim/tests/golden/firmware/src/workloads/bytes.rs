//! Copies, moves, fills and comparisons at all alignments, as the compiler's library does them.

use core::hint::black_box;

use golden::Random;

pub fn all(random: &mut Random) -> u32 {
    let mut source = [0u8; 96];
    for byte in &mut source {
        *byte = random.next() as u8;
    }
    let mut target = [0u8; 96];
    let mut sum = 0u32;
    for from in 0..5usize {
        for to in 0..4usize {
            let length = 3 + (random.next() % 60) as usize;
            target[to..to + length].copy_from_slice(black_box(&source[from..from + length]));
            target.copy_within(to..to + length, (to + 5) * (from & 1));
            target[90 - length / 2..90].fill(length as u8);
            let same = target[to..to + length] == black_box(&source)[from..from + length];
            let order = target[to..].cmp(&black_box(&source)[from..]);
            sum = sum.rotate_left(3) ^ u32::from(same) ^ (order as i8 as u32) << 4;
        }
    }
    sum = target.chunks_exact(4).fold(sum, |sum, word| {
        sum.wrapping_mul(17) ^ u32::from_le_bytes([word[0], word[1], word[2], word[3]])
    });
    // Words at odd addresses.
    for at in [1, 2, 3, 5, 30] {
        let word = black_box(&target[at..]).first_chunk().map_or(0, |w| u32::from_be_bytes(*w));
        let half = black_box(&target[at + 4..]).first_chunk().map_or(0, |h| i16::from_le_bytes(*h));
        sum = sum.wrapping_add(word) ^ half as u32;
    }
    sum
}
