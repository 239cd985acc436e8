//! Size, alignment and offsets in memory: the same as the compiler's for `repr(C)`, on 32 and 64-bit targets alike.

use super::types::{Item, Layout, Scalar, Storage};

/// `n` rounded up to a multiple of `align`.
pub fn round_up(n: u64, align: u64) -> u64 {
    n.saturating_add(align - 1) / align * align
}

/// Layout of one value. `message` knows the layout of nested messages.
pub fn item(item: &Item, message: impl Fn(crate::schema::MessageId) -> Layout) -> Layout {
    match item {
        Item::Scalar(scalar) => {
            let size = match scalar {
                Scalar::Bool => 1,
                Scalar::Double
                | Scalar::Int64
                | Scalar::Uint64
                | Scalar::Sint64
                | Scalar::Fixed64
                | Scalar::Sfixed64 => 8,
                _ => 4,
            };
            Layout { size, align: size }
        }
        Item::Enum { .. } => Layout { size: 4, align: 4 },
        Item::Text { cap, .. } | Item::Bytes { cap } => {
            Layout { size: round_up(2 + u64::from(*cap), 2), align: 2 }
        }
        Item::Message(id) => message(*id),
    }
}

/// Layout of a field in the struct.
pub fn storage(storage: &Storage, message: impl Fn(crate::schema::MessageId) -> Layout) -> Layout {
    match storage {
        Storage::One(one) => item(one, message),
        Storage::List { cap, item: of, .. } => {
            let one = item(of, message);
            let align = one.align.max(2);
            let size = list_data(one).saturating_add(u64::from(*cap).saturating_mul(one.size));
            Layout { size: round_up(size, align), align }
        }
        Storage::Streamed { .. } => Layout { size: 0, align: 1 },
    }
}

/// Offset of a list's first item.
pub fn list_data(item: Layout) -> u64 {
    round_up(2, item.align.max(2))
}

/// Layout of a `repr(C, u8)` enum with these payloads, and the payloads' offset in it.
pub fn oneof(payloads: &[Layout]) -> (Layout, u64) {
    let align = payloads.iter().map(|p| p.align).max().unwrap_or(1).max(1);
    let size = round_up(payloads.iter().map(|p| p.size).max().unwrap_or(0), align);
    let offset = round_up(1, align);
    (Layout { size: round_up(offset.saturating_add(size), align), align }, offset)
}

/// Offsets of members in a `repr(C)` struct, and its layout.
pub fn structure(members: &[Layout]) -> (Vec<u64>, Layout) {
    let mut at = 0u64;
    let mut align = 1;
    let offsets = members
        .iter()
        .map(|member| {
            let start = round_up(at, member.align);
            at = start.saturating_add(member.size);
            align = align.max(member.align);
            start
        })
        .collect();
    (offsets, Layout { size: round_up(at, align), align })
}
