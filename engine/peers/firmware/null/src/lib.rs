//! The scenarios of one direction with the codec replaced by a copy of the struct: the floor under every library.
//! The floor of the round trips comes from the comparison suite of our own codec.
#![no_std]

use core::mem::size_of;
use core::ptr::copy_nonoverlapping;
use core::slice::from_raw_parts;

use scenario::firmware::barrier::hidden;
use scenario::{answer, decode_only, encode_only, values};

/// The message, without padding.
#[derive(Default)]
#[repr(C)]
struct Telemetry {
    timestamp: u64,
    device_id: u32,
    temperature: f32,
    humidity: f32,
    battery_mv: u32,
    status: i32,
    rssi: i32,
}

const MESSAGE: Telemetry = Telemetry {
    timestamp: values::TIMESTAMP,
    device_id: values::DEVICE_ID,
    temperature: values::TEMPERATURE,
    humidity: values::HUMIDITY,
    battery_mv: values::BATTERY_MV,
    status: 1,
    rssi: values::RSSI,
};

/// The length is hidden from the compiler, as that of a codec's bytes is.
#[inline(always)]
fn encode(message: &Telemetry, to: &mut [u8]) -> Option<usize> {
    let to = to.get_mut(..size_of::<Telemetry>())?;
    // SAFETY: `to` has the struct's size; bytes of any value may be copied.
    unsafe {
        copy_nonoverlapping((&raw const *message).cast::<u8>(), to.as_mut_ptr(), size_of::<Telemetry>())
    };
    Some(hidden(to).len())
}

#[inline(always)]
fn decode(message: &mut Telemetry, from: &[u8]) -> Option<()> {
    if from.len() != size_of::<Telemetry>() {
        return None;
    }
    // SAFETY: the bytes are a struct of this type.
    unsafe { copy_nonoverlapping(from.as_ptr(), (&raw mut *message).cast::<u8>(), size_of::<Telemetry>()) };
    Some(())
}

pub fn telemetry_encode() -> u32 {
    fn run() -> Option<u32> {
        let mut message = MESSAGE;
        Some(encode_only!(64, message))
    }
    answer(run())
}

pub fn telemetry_decode() -> u32 {
    static WIRE: Telemetry = MESSAGE;
    fn run() -> Option<u32> {
        // SAFETY: the struct has no padding.
        let wire = unsafe { from_raw_parts((&raw const WIRE).cast::<u8>(), size_of::<Telemetry>()) };
        Some(decode_only!(wire, Telemetry))
    }
    answer(run())
}

/// The firmware without a scenario: what the others' sizes are compared with.
pub fn empty() -> u32 {
    1
}
