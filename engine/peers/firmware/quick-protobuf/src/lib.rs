//! The scenarios in quick-protobuf. Strings and bytes of a decoded message borrow from the buffer; lists are on the heap.
#![no_std]

extern crate alloc;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use quick_protobuf::{BytesReader, BytesWriter, MessageRead, MessageWrite, Writer};
use scenario::{answer, decode_only, encode_only, growth_scenarios, round_trip, values};

#[allow(warnings)]
mod messages {
    include!(concat!(env!("OUT_DIR"), "/modules.rs"));
}

use messages::comparison::{
    CommandResult, Configuration, DeviceAck, DeviceCommand, FirmwareChunk, MotorConfig, Peripheral, Sample,
    SpiConfig, Status, Telemetry, TelemetryBatch, UartConfig, mod_DeviceCommand::OneOfaction as Action,
    mod_Peripheral::OneOfkind as Kind,
};

/// The writer does not say how far it came, so the size is asked first, as the library's own
/// `serialize_into_slice` does.
#[cfg_attr(feature = "split", inline(never))]
#[cfg_attr(not(feature = "split"), inline(always))]
fn encode<M: MessageWrite>(message: &M, to: &mut [u8]) -> Option<usize> {
    let size = message.get_size();
    message.write_message(&mut Writer::new(BytesWriter::new(to))).ok()?;
    Some(size)
}

#[inline(always)]
fn decode<'a, M: MessageRead<'a>>(message: &mut M, from: &'a [u8]) -> Option<()> {
    *message = M::from_reader(&mut BytesReader::from_bytes(from), from).ok()?;
    Some(())
}

fn telemetry_message() -> Telemetry {
    Telemetry {
        device_id: values::DEVICE_ID,
        timestamp: values::TIMESTAMP,
        temperature: values::TEMPERATURE,
        humidity: values::HUMIDITY,
        battery_mv: values::BATTERY_MV,
        status: Status::WARNING,
        rssi: values::RSSI,
    }
}

fn telemetry_is_right(back: &Telemetry) -> bool {
    back.device_id == values::DEVICE_ID
        && back.timestamp == values::TIMESTAMP
        && back.temperature.to_bits() == values::TEMPERATURE.to_bits()
        && back.humidity.to_bits() == values::HUMIDITY.to_bits()
        && back.battery_mv == values::BATTERY_MV
        && back.status == Status::WARNING
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
    fn run() -> Option<u32> {
        Some(decode_only!(values::TELEMETRY_WIRE, Telemetry))
    }
    answer(run())
}

pub fn telemetry_batch() -> u32 {
    fn run() -> Option<u32> {
        let mut message = TelemetryBatch {
            device_id: values::DEVICE_ID,
            timestamp: values::TIMESTAMP,
            samples: Vec::with_capacity(values::SAMPLES as usize),
        };
        for i in 0..values::SAMPLES {
            let sample = values::sample(i);
            let sample = Sample { offset_ms: sample.offset_ms, x: sample.x, y: sample.y, z: sample.z };
            message.samples.push(sample);
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
            kind: Kind::uart(UartConfig { baud, data_bits: 8, parity }),
        };
        let mut message = Configuration {
            version: values::VERSION,
            device_name: Cow::Borrowed(values::DEVICE_NAME),
            report_interval_ms: values::REPORT_INTERVAL_MS,
            peripherals: Vec::with_capacity(4),
        };
        message.peripherals.push(uart(0, 115_200, false));
        message.peripherals.push(uart(1, 9600, true));
        let spi = SpiConfig { prescaler: 16, cpol: true, cpha: false };
        message.peripherals.push(Peripheral { index: 2, kind: Kind::spi(spi) });
        let motor = MotorConfig { max_speed: 3000, invert: true, home_pin: 12 };
        message.peripherals.push(Peripheral { index: 3, kind: Kind::motor(motor) });
        Some(round_trip!(256, message, |back| {
            let back: &Configuration = &back;
            let is_uart = |p: &Peripheral, index, baud, parity| {
                let Kind::uart(uart) = &p.kind else { return false };
                p.index == index && uart.baud == baud && uart.data_bits == 8 && uart.parity == parity
            };
            let is_spi = |p: &Peripheral| {
                let Kind::spi(spi) = &p.kind else { return false };
                p.index == 2 && spi.prescaler == 16 && spi.cpol && !spi.cpha
            };
            let is_motor = |p: &Peripheral| {
                let Kind::motor(motor) = &p.kind else { return false };
                p.index == 3 && motor.max_speed == 3000 && motor.invert && motor.home_pin == 12
            };
            let [a, b, c, d] = &back.peripherals[..] else { return None };
            back.version == values::VERSION
                && back.device_name == values::DEVICE_NAME
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
            DeviceCommand { sequence: values::SEQUENCE, action: Action::move_to(values::MOVE_TO) };
        let there = round_trip!(32, message, |back| {
            let back: &DeviceCommand = &back;
            back.sequence == values::SEQUENCE && matches!(back.action, Action::move_to(values::MOVE_TO))
        });
        let mut message = DeviceAck { sequence: values::SEQUENCE, result: CommandResult::ACCEPTED };
        let back = round_trip!(32, message, |back| {
            let back: &DeviceAck = &back;
            back.sequence == values::SEQUENCE && back.result == CommandResult::ACCEPTED
        });
        Some(there + back)
    }
    answer(run())
}

pub fn firmware_chunk() -> u32 {
    fn run() -> Option<u32> {
        let mut data = [0; values::DATA];
        for (i, byte) in data.iter_mut().enumerate() {
            *byte = values::data(i);
        }
        let mut message = FirmwareChunk {
            offset: values::OFFSET,
            total_size: values::TOTAL_SIZE,
            crc32: values::CRC32,
            data: Cow::Borrowed(&data),
        };
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
        use growth_types::$shape::$proto as Growth;
        let mut message = Growth {
            id: 100 + $n,
            value: -10 - $n,
            measure: 1.5 * $n as f32,
            flag: true,
            label: Cow::Borrowed(values::LABEL),
        };
        round_trip!(64, message, |back| {
            let back: &Growth = &back;
            back.id == 100 + $n
                && back.value == -10 - $n
                && back.measure.to_bits() == (1.5 * $n as f32).to_bits()
                && back.flag
                && back.label == values::LABEL
        })
    }};
}

mod growth_types {
    pub(crate) use super::messages::comparison as equal;
    pub(crate) use super::messages::varied;
}

growth_scenarios!(growth);
