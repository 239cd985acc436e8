//! The scenarios with the codec replaced by a copy of the struct: the floor under every library.
#![no_std]

use core::mem::size_of;
use core::ptr::copy_nonoverlapping;
use core::slice::from_raw_parts;

use scenario::firmware::barrier::hidden;
use scenario::{answer, decode_only, encode_only, growth_scenarios, round_trip, values};
use wirebench_runtime::{Blob, List, Text};

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
            #[derive(Clone, Default)]
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
    struct TelemetryBatch { timestamp: u64, device_id: u32, samples: List<Sample, 20> }
    struct UartConfig { baud: u32, data_bits: u32, parity: bool }
    struct SpiConfig { prescaler: u32, cpol: bool, cpha: bool }
    struct MotorConfig { max_speed: u32, home_pin: u32, invert: bool }
    struct Peripheral { index: u32, kind: Kind }
    struct Configuration {
        version: u32, report_interval_ms: u32, peripherals: List<Peripheral, 8>, device_name: Text<32>, has: u8,
    }
    struct DeviceCommand { sequence: u32, action: Action }
    struct DeviceAck { sequence: u32, result: i32 }
    struct FirmwareChunk { offset: u32, total_size: u32, crc32: u32, data: Blob<256> }
    struct Growth { id: u32, value: i32, measure: f32, label: Text<16>, flag: bool }
}

#[derive(Clone, Default)]
#[repr(C, u8)]
enum Kind {
    #[default]
    NotSet,
    Uart(UartConfig),
    Spi(SpiConfig),
    Motor(MotorConfig),
}

#[derive(Clone, Default)]
#[repr(C, u8)]
#[allow(dead_code, reason = "the choices of the message, of which the scenario sends one")]
enum Action {
    #[default]
    NotSet,
    SetOutput(bool),
    MoveTo(i32),
    RebootDelayMs(u32),
}

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
        for i in 0..values::SAMPLES {
            let sample = values::sample(i);
            let sample = Sample { offset_ms: sample.offset_ms, x: sample.x, y: sample.y, z: sample.z };
            message.samples.push(sample).ok()?;
        }
        Some(round_trip!(512, message, |back| {
            let back: &TelemetryBatch = &back;
            back.device_id == values::DEVICE_ID
                && back.timestamp == values::TIMESTAMP
                && back.samples.len() == values::SAMPLES as usize
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
        let uart = |index, baud, parity| Peripheral {
            index,
            kind: Kind::Uart(UartConfig { baud, data_bits: 8, parity }),
        };
        let mut message = Configuration { version: values::VERSION, ..Configuration::default() };
        message.device_name.set(values::DEVICE_NAME).ok()?;
        message.report_interval_ms = values::REPORT_INTERVAL_MS;
        message.has = 1;
        message.peripherals.push(uart(0, 115_200, false)).ok()?;
        message.peripherals.push(uart(1, 9600, true)).ok()?;
        let spi = SpiConfig { prescaler: 16, cpol: true, cpha: false };
        message.peripherals.push(Peripheral { index: 2, kind: Kind::Spi(spi) }).ok()?;
        let motor = MotorConfig { max_speed: 3000, invert: true, home_pin: 12 };
        message.peripherals.push(Peripheral { index: 3, kind: Kind::Motor(motor) }).ok()?;
        Some(round_trip!(256, message, |back| {
            let back: &Configuration = &back;
            let is_uart = |p: &Peripheral, index, baud, parity| {
                let Kind::Uart(uart) = &p.kind else { return false };
                p.index == index && uart.baud == baud && uart.data_bits == 8 && uart.parity == parity
            };
            let is_spi = |p: &Peripheral| {
                let Kind::Spi(spi) = &p.kind else { return false };
                p.index == 2 && spi.prescaler == 16 && spi.cpol && !spi.cpha
            };
            let is_motor = |p: &Peripheral| {
                let Kind::Motor(motor) = &p.kind else { return false };
                p.index == 3 && motor.max_speed == 3000 && motor.invert && motor.home_pin == 12
            };
            let [a, b, c, d] = &back.peripherals[..] else { return None };
            back.version == values::VERSION
                && &back.device_name[..] == values::DEVICE_NAME
                && back.has == 1
                && back.report_interval_ms == values::REPORT_INTERVAL_MS
                && is_uart(a, 0, 115_200, false)
                && is_uart(b, 1, 9600, true)
                && is_spi(c)
                && is_motor(d)
        }))
    }
    answer(run())
}

pub fn command() -> u32 {
    fn run() -> Option<u32> {
        let mut message =
            DeviceCommand { sequence: values::SEQUENCE, action: Action::MoveTo(values::MOVE_TO) };
        let there = round_trip!(32, message, |back| {
            let back: &DeviceCommand = &back;
            back.sequence == values::SEQUENCE && matches!(back.action, Action::MoveTo(values::MOVE_TO))
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
        for i in 0..values::DATA {
            message.data.push(values::data(i)).ok()?;
        }
        Some(round_trip!(512, message, |back| {
            let back: &FirmwareChunk = &back;
            back.offset == values::OFFSET
                && back.total_size == values::TOTAL_SIZE
                && back.crc32 == values::CRC32
                && back.data.len() == values::DATA
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
            ..Growth::default()
        };
        message.label.set(values::LABEL).ok()?;
        round_trip!(64, message, |back| {
            let back: &Growth = &back;
            back.id == 100 + $n
                && back.value == -10 - $n
                && back.measure.to_bits() == (1.5 * $n as f32).to_bits()
                && back.flag
                && &back.label[..] == values::LABEL
        })
    }};
}

growth_scenarios!(growth);

/// The firmware without a scenario: what the others' sizes are compared with.
pub fn empty() -> u32 {
    1
}
