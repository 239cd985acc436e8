//! The decoder's tables: nothing unreachable, nothing unproven.

use std::collections::BTreeSet;

use super::golden;
use crate::decode::{Decoder, Row, is_wide};
use crate::{Core, Stop};

fn decoder() -> Decoder {
    Decoder::new(Core::CORTEX_M4F.features)
}

/// Rows that end the run, or that no compiler emits.
const NOT_IN_THE_FIXTURES: [&str; 2] = ["UDF T1", "SVC T1"];

#[test]
fn qemu_agrees_on_every_row() {
    let decoder = decoder();
    let (narrow, wide) = decoder.rows();
    let mut proven = BTreeSet::new();
    for name in golden::FIXTURES {
        let mut machine = golden::machine(name);
        let mut addresses = BTreeSet::new();
        loop {
            addresses.insert(machine.registers().r[15]);
            if machine.run(1) != Stop::Limit {
                break;
            }
        }
        for address in addresses {
            let mut bytes = [0; 4];
            machine.read_memory(address, &mut bytes).unwrap();
            let first = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
            let second = u32::from(u16::from_le_bytes([bytes[2], bytes[3]]));
            let (rows, word) = if is_wide(first) { (wide, first << 16 | second) } else { (narrow, first) };
            proven.extend(rows.iter().find(|row| row.matches(word)).map(|row| row.name));
        }
    }
    let known = narrow.iter().chain(wide).map(|row| row.name);
    let unproven: Vec<_> = known.filter(|name| !proven.contains(name)).collect();
    assert_eq!(unproven, NOT_IN_THE_FIXTURES, "rows that no fixture executes");
}

#[test]
fn every_row_can_be_reached() {
    let decoder = decoder();
    let covers = |above: &Row, below: &Row| {
        let ((mask, value), (below_mask, below_value)) = (above.pattern(), below.pattern());
        mask & below_mask == mask && below_value & mask == value
    };
    for rows in [decoder.rows().0, decoder.rows().1] {
        for (index, below) in rows.iter().enumerate() {
            let above = rows[..index].iter().find(|above| covers(above, below));
            assert!(above.is_none(), "{} hides {}", above.unwrap().name, below.name);
        }
    }
}

#[test]
fn row_names_are_unique() {
    let decoder = decoder();
    let (narrow, wide) = decoder.rows();
    let mut seen = BTreeSet::new();
    for row in narrow.iter().chain(wide) {
        assert!(seen.insert(row.name), "{} stands twice", row.name);
    }
}

/// The features of a core are a filter on the same tables.
#[test]
fn a_core_without_fpu_or_dsp_has_fewer_rows() {
    let rows = |float, dsp| {
        let decoder = Decoder::new(crate::Features { float, dsp });
        decoder.rows().0.len() + decoder.rows().1.len()
    };
    assert!(rows(false, false) < rows(false, true));
    assert!(rows(false, true) < rows(true, true));
}
