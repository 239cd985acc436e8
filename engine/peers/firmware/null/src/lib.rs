//! The scenarios with the codec replaced by a copy of the struct: the floor under every library.
#![no_std]

use core::mem::size_of;
use core::ptr::copy_nonoverlapping;
use core::slice::from_raw_parts;

use scenario::firmware::barrier::hidden;
use scenario::{answer, decode_only, encode_only, growth_scenarios, round_trip, values};

/// A struct of which every byte may be copied and any copy is valid.
trait Plain: Default {}

/// The length is hidden from the compiler, as that of a codec's bytes is, so the scenario's own copy stays the same.
#[inline(always)]
fn encode<M: Plain>(message: &M, to: &mut [u8]) -> Option<usize> {
    let to = to.get_mut(..size_of::<M>())?;
    // SAFETY: `to` has the struct's size; bytes of any value may be copied.
    unsafe { copy_nonoverlapping((&raw const *message).cast::<u8>(), to.as_mut_ptr(), size_of::<M>()) };
    Some(hidden(to).len())
}

#[inline(always)]
fn decode<M: Plain>(message: &mut M, from: &[u8]) -> Option<()> {
    if from.len() != size_of::<M>() {
        return None;
    }
    // SAFETY: the bytes are a struct of this type, copied by `encode`.
    unsafe { copy_nonoverlapping(from.as_ptr(), (&raw mut *message).cast::<u8>(), size_of::<M>()) };
    Some(())
}

macro_rules! plain {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Default)]
            #[repr(C)]
            struct $name { $($field: $type),* }
            impl Plain for $name {}
        )*
    };
}

plain! {
    struct Telemetry {
        timestamp: u64, device_id: u32, temperature: f32, humidity: f32, battery_mv: u32, status: i32, rssi: i32,
    }
    struct Sample { offset_ms: u32, x: f32, y: f32, z: f32 }
    struct TelemetryBatch { timestamp: u64, device_id: u32, samples_len: u32, samples: [Sample; 20] }
    /// `numbers` and `flags` in the order of the message that `kind` names.
    struct Peripheral { index: u32, numbers: [u32; 2], flags: [bool; 2], kind: u8 }
    struct Configuration {
        version: u32, report_interval_ms: u32, has: u32, device_name: Text<32>, peripherals_len: u32,
        peripherals: [Peripheral; 8],
    }
    struct DeviceCommand { sequence: u32, action: u32, value: i32 }
    struct DeviceAck { sequence: u32, result: i32 }
    struct Growth { id: u32, value: i32, measure: f32, flag: bool, label: Text<16> }
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Text<const N: usize> {
    len: u32,
    bytes: [u8; N],
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Text { len: 0, bytes: [0; N] }
    }
}

impl<const N: usize> Text<N> {
    fn new(text: &str) -> Option<Self> {
        let mut new = Text { len: text.len() as u32, bytes: [0; N] };
        new.bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(new)
    }

    fn is(&self, text: &str) -> bool {
        self.bytes.get(..self.len as usize) == Some(text.as_bytes())
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
struct FirmwareChunk {
    offset: u32,
    total_size: u32,
    crc32: u32,
    data_len: u32,
    data: [u8; values::DATA],
}

impl Default for FirmwareChunk {
    fn default() -> Self {
        FirmwareChunk { offset: 0, total_size: 0, crc32: 0, data_len: 0, data: [0; values::DATA] }
    }
}

impl Plain for FirmwareChunk {}

fn telemetry_message() -> Telemetry {
    Telemetry {
        device_id: values::DEVICE_ID,
        timestamp: values::TIMESTAMP,
        temperature: values::TEMPERATURE,
        humidity: values::HUMIDITY,
        battery_mv: values::BATTERY_MV,
        status: 1,
        rssi: values::RSSI,
    }
}

fn telemetry_is_right(back: &Telemetry) -> bool {
    back.device_id == values::DEVICE_ID
        && back.timestamp == values::TIMESTAMP
        && back.temperature.to_bits() == values::TEMPERATURE.to_bits()
        && back.humidity.to_bits() == values::HUMIDITY.to_bits()
        && back.battery_mv == values::BATTERY_MV
        && back.status == 1
        && back.rssi == values::RSSI
}

pub fn telemetry() -> u32 {
    fn run() -> Option<u32> {
        let mut message = telemetry_message();
        Some(round_trip!(64, message, |back| telemetry_is_right(&back)))
    }
    answer(run())
}

pub fn telemetry_encode() -> u32 {
    fn run() -> Option<u32> {
        let mut message = telemetry_message();
        Some(encode_only!(64, message))
    }
    answer(run())
}

pub fn telemetry_decode() -> u32 {
    /// The struct's bytes, aligned as its copy is.
    static WIRE: Telemetry = Telemetry {
        device_id: values::DEVICE_ID,
        timestamp: values::TIMESTAMP,
        temperature: values::TEMPERATURE,
        humidity: values::HUMIDITY,
        battery_mv: values::BATTERY_MV,
        status: 1,
        rssi: values::RSSI,
    };
    fn run() -> Option<u32> {
        // SAFETY: the struct has no padding.
        let wire = unsafe { from_raw_parts((&raw const WIRE).cast::<u8>(), size_of::<Telemetry>()) };
        Some(decode_only!(wire, Telemetry))
    }
    answer(run())
}

pub fn telemetry_batch() -> u32 {
    fn run() -> Option<u32> {
        let mut message = TelemetryBatch {
            device_id: values::DEVICE_ID,
            timestamp: values::TIMESTAMP,
            ..TelemetryBatch::default()
        };
        for (i, to) in message.samples.iter_mut().enumerate() {
            let sample = values::sample(i as u32);
            *to = Sample { offset_ms: sample.offset_ms, x: sample.x, y: sample.y, z: sample.z };
            message.samples_len += 1;
        }
        Some(round_trip!(512, message, |back| {
            let back: &TelemetryBatch = &back;
            back.device_id == values::DEVICE_ID
                && back.timestamp == values::TIMESTAMP
                && back.samples_len == values::SAMPLES
                && back.samples.iter().enumerate().all(|(i, sample)| {
                    let sent = values::sample(i as u32);
                    sample.offset_ms == sent.offset_ms
                        && sample.x == sent.x
                        && sample.y == sent.y
                        && sample.z == sent.z
                })
        }))
    }
    answer(run())
}

pub fn configuration() -> u32 {
    fn run() -> Option<u32> {
        let uart =
            |index, baud, parity| Peripheral { index, numbers: [baud, 8], flags: [parity, false], kind: 1 };
        let mut message = Configuration {
            version: values::VERSION,
            device_name: Text::new(values::DEVICE_NAME)?,
            report_interval_ms: values::REPORT_INTERVAL_MS,
            has: 1,
            peripherals_len: 4,
            ..Configuration::default()
        };
        let sent = [
            uart(0, 115_200, false),
            uart(1, 9600, true),
            Peripheral { index: 2, numbers: [16, 0], flags: [true, false], kind: 2 },
            Peripheral { index: 3, numbers: [3000, 12], flags: [true, false], kind: 3 },
        ];
        message.peripherals.get_mut(..4)?.copy_from_slice(&sent);
        Some(round_trip!(256, message, |back| {
            let back: &Configuration = &back;
            let is_uart = |p: &Peripheral, index, baud, parity| {
                p.index == index && p.kind == 1 && p.numbers == [baud, 8] && p.flags[0] == parity
            };
            let [a, b, c, d] = back.peripherals.get(..back.peripherals_len as usize)? else { return None };
            back.version == values::VERSION
                && back.device_name.is(values::DEVICE_NAME)
                && back.has == 1
                && back.report_interval_ms == values::REPORT_INTERVAL_MS
                && is_uart(a, 0, 115_200, false)
                && is_uart(b, 1, 9600, true)
                && (c.index == 2 && c.kind == 2 && c.numbers[0] == 16 && c.flags == [true, false])
                && (d.index == 3 && d.kind == 3 && d.numbers == [3000, 12] && d.flags[0])
        }))
    }
    answer(run())
}

pub fn command() -> u32 {
    fn run() -> Option<u32> {
        let mut message = DeviceCommand { sequence: values::SEQUENCE, action: 2, value: values::MOVE_TO };
        let there = round_trip!(32, message, |back| {
            let back: &DeviceCommand = &back;
            back.sequence == values::SEQUENCE && back.action == 2 && back.value == values::MOVE_TO
        });
        let mut message = DeviceAck { sequence: values::SEQUENCE, result: 1 };
        let back = round_trip!(32, message, |back| {
            let back: &DeviceAck = &back;
            back.sequence == values::SEQUENCE && back.result == 1
        });
        Some(there + back)
    }
    answer(run())
}

pub fn firmware_chunk() -> u32 {
    fn run() -> Option<u32> {
        let mut message = FirmwareChunk {
            offset: values::OFFSET,
            total_size: values::TOTAL_SIZE,
            crc32: values::CRC32,
            ..FirmwareChunk::default()
        };
        for (i, byte) in message.data.iter_mut().enumerate() {
            *byte = values::data(i);
            message.data_len += 1;
        }
        Some(round_trip!(512, message, |back| {
            let back: &FirmwareChunk = &back;
            back.offset == values::OFFSET
                && back.total_size == values::TOTAL_SIZE
                && back.crc32 == values::CRC32
                && back.data_len as usize == values::DATA
                && back.data.iter().enumerate().all(|(i, byte)| *byte == values::data(i))
        }))
    }
    answer(run())
}

macro_rules! growth {
    ($shape:ident, $proto:ident, $rust:ident, $n:literal) => {{
        let mut message = Growth {
            id: 100 + $n,
            value: -10 - $n,
            measure: 1.5 * $n as f32,
            flag: true,
            label: Text::new(values::LABEL)?,
        };
        round_trip!(64, message, |back| {
            let back: &Growth = &back;
            back.id == 100 + $n
                && back.value == -10 - $n
                && back.measure.to_bits() == (1.5 * $n as f32).to_bits()
                && back.flag
                && back.label.is(values::LABEL)
        })
    }};
}

growth_scenarios!(growth);

/// The firmware without a scenario: what the others' sizes are compared with.
pub fn empty() -> u32 {
    1
}
