//! The scenarios in femtopb. A decoded message borrows from the buffer and decodes the items of a list when they are read.
#![no_std]

use femtopb::EnumValue::Known;
use femtopb::{Message, Repeated};
use scenario::{answer, decode_only, encode_only, growth_scenarios, round_trip, values};

#[allow(warnings)]
mod messages {
    include!(concat!(env!("OUT_DIR"), "/comparison.rs"));
    pub mod varied {
        include!(concat!(env!("OUT_DIR"), "/comparison.varied.rs"));
    }
}

use messages::{
    CommandResult, Configuration, DeviceAck, DeviceCommand, FirmwareChunk, MotorConfig, Peripheral, Sample,
    SpiConfig, Status, Telemetry, TelemetryBatch, UartConfig, device_command::Action, peripheral::Kind,
};

#[cfg_attr(feature = "split", inline(never))]
#[cfg_attr(not(feature = "split"), inline(always))]
fn encode<'a, M: Message<'a>>(message: &M, mut to: &mut [u8]) -> Option<usize> {
    let room = to.len();
    message.encode(&mut to).ok()?;
    Some(room - to.len())
}

#[inline(always)]
fn decode<'a, M: Message<'a>>(message: &mut M, from: &'a [u8]) -> Option<()> {
    *message = M::decode(from).ok()?;
    Some(())
}

fn telemetry_message() -> Telemetry<'static> {
    Telemetry {
        device_id: values::DEVICE_ID,
        timestamp: values::TIMESTAMP,
        temperature: values::TEMPERATURE,
        humidity: values::HUMIDITY,
        battery_mv: values::BATTERY_MV,
        status: Known(Status::Warning),
        rssi: values::RSSI,
        ..Telemetry::default()
    }
}

fn telemetry_is_right(back: &Telemetry) -> bool {
    back.device_id == values::DEVICE_ID
        && back.timestamp == values::TIMESTAMP
        && back.temperature.to_bits() == values::TEMPERATURE.to_bits()
        && back.humidity.to_bits() == values::HUMIDITY.to_bits()
        && back.battery_mv == values::BATTERY_MV
        && back.status == Known(Status::Warning)
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
        let mut samples: [Sample; values::SAMPLES as usize] = Default::default();
        for (i, to) in samples.iter_mut().enumerate() {
            let sample = values::sample(i as u32);
            (to.offset_ms, to.x, to.y, to.z) = (sample.offset_ms, sample.x, sample.y, sample.z);
        }
        let mut message = TelemetryBatch {
            device_id: values::DEVICE_ID,
            timestamp: values::TIMESTAMP,
            samples: Repeated::from_slice(&samples),
            ..TelemetryBatch::default()
        };
        Some(round_trip!(512, message, |back| {
            let back: &TelemetryBatch = &back;
            let mut read = 0;
            for sample in back.samples.iter() {
                let (sample, sent) = (sample.ok()?, values::sample(read));
                let is_same = sample.offset_ms == sent.offset_ms
                    && sample.x == sent.x
                    && sample.y == sent.y
                    && sample.z == sent.z;
                if !is_same {
                    return None;
                }
                read += 1;
            }
            back.device_id == values::DEVICE_ID
                && back.timestamp == values::TIMESTAMP
                && read == values::SAMPLES
        }))
    }
    answer(run())
}

pub fn configuration() -> u32 {
    fn run() -> Option<u32> {
        let uart =
            |baud, parity| Kind::Uart(UartConfig { baud, data_bits: 8, parity, ..UartConfig::default() });
        let peripheral = |index, kind| Peripheral { index, kind: Some(kind), ..Peripheral::default() };
        let spi = SpiConfig { prescaler: 16, cpol: true, ..SpiConfig::default() };
        let motor = MotorConfig { max_speed: 3000, invert: true, home_pin: 12, ..MotorConfig::default() };
        let peripherals = [
            peripheral(0, uart(115_200, false)),
            peripheral(1, uart(9600, true)),
            peripheral(2, Kind::Spi(spi)),
            peripheral(3, Kind::Motor(motor)),
        ];
        let mut message = Configuration {
            version: values::VERSION,
            device_name: values::DEVICE_NAME,
            report_interval_ms: Some(values::REPORT_INTERVAL_MS),
            peripherals: Repeated::from_slice(&peripherals),
            ..Configuration::default()
        };
        Some(round_trip!(256, message, |back| {
            let back: &Configuration = &back;
            let is_uart = |p: &Peripheral, index, baud, parity| {
                let Some(Kind::Uart(uart)) = &p.kind else { return false };
                p.index == index && uart.baud == baud && uart.data_bits == 8 && uart.parity == parity
            };
            let is_spi = |p: &Peripheral| {
                let Some(Kind::Spi(spi)) = &p.kind else { return false };
                p.index == 2 && spi.prescaler == 16 && spi.cpol && !spi.cpha
            };
            let is_motor = |p: &Peripheral| {
                let Some(Kind::Motor(motor)) = &p.kind else { return false };
                p.index == 3 && motor.max_speed == 3000 && motor.invert && motor.home_pin == 12
            };
            let mut read = back.peripherals.iter();
            back.version == values::VERSION
                && back.device_name == values::DEVICE_NAME
                && back.report_interval_ms == Some(values::REPORT_INTERVAL_MS)
                && is_uart(&read.next()?.ok()?, 0, 115_200, false)
                && is_uart(&read.next()?.ok()?, 1, 9600, true)
                && is_spi(&read.next()?.ok()?)
                && is_motor(&read.next()?.ok()?)
                && read.next().is_none()
        }))
    }
    answer(run())
}

pub fn command() -> u32 {
    fn run() -> Option<u32> {
        let mut message = DeviceCommand {
            sequence: values::SEQUENCE,
            action: Some(Action::MoveTo(values::MOVE_TO)),
            ..DeviceCommand::default()
        };
        let there = round_trip!(32, message, |back| {
            let back: &DeviceCommand = &back;
            back.sequence == values::SEQUENCE && matches!(back.action, Some(Action::MoveTo(values::MOVE_TO)))
        });
        let mut message = DeviceAck {
            sequence: values::SEQUENCE,
            result: Known(CommandResult::Accepted),
            ..DeviceAck::default()
        };
        let back = round_trip!(32, message, |back| {
            let back: &DeviceAck = &back;
            back.sequence == values::SEQUENCE && back.result == Known(CommandResult::Accepted)
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
            data: &data,
            ..FirmwareChunk::default()
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
        use growth_types::$shape::$rust as Growth;
        let mut message = Growth {
            id: 100 + $n,
            value: -10 - $n,
            measure: 1.5 * $n as f32,
            flag: true,
            label: values::LABEL,
            ..Growth::default()
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
    pub(crate) use super::messages as equal;
    pub(crate) use super::messages::varied;
}

growth_scenarios!(growth);
