//! The values every library sends.

pub const DEVICE_ID: u32 = 4660;
pub const TIMESTAMP: u64 = 1_700_000_000_000;
pub const TEMPERATURE: f32 = 21.5;
pub const HUMIDITY: f32 = 48.25;
pub const BATTERY_MV: u32 = 3712;
pub const RSSI: i32 = -67;

/// The bytes of the telemetry message, for the scenario that only decodes.
pub static TELEMETRY_WIRE: [u8; 28] = [
    0x08, 0xb4, 0x24, 0x10, 0x80, 0xd0, 0x95, 0xff, 0xbc, 0x31, 0x1d, 0x00, 0x00, 0xac, 0x41, 0x25, 0x00,
    0x00, 0x41, 0x42, 0x28, 0x80, 0x1d, 0x30, 0x01, 0x38, 0x85, 0x01,
];

/// Samples in a batch.
pub const SAMPLES: u32 = 20;

/// One sample of the batch.
pub struct Sample {
    pub offset_ms: u32,
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// Sample `i` of the batch.
#[inline(always)]
pub fn sample(i: u32) -> Sample {
    Sample { offset_ms: 50 * i, x: 0.5 + i as f32, y: -1.25 * (i + 1) as f32, z: 9.75 + i as f32 }
}

pub const VERSION: u32 = 3;
pub const DEVICE_NAME: &str = "motor-controller-01";
pub const REPORT_INTERVAL_MS: u32 = 5000;

pub const SEQUENCE: u32 = 42;
pub const MOVE_TO: i32 = -100;

pub const OFFSET: u32 = 4096;
pub const TOTAL_SIZE: u32 = 131_072;
pub const CRC32: u32 = 0xdead_beef;
/// Bytes of data in a chunk.
pub const DATA: usize = 256;

/// Byte `i` of the chunk's data.
#[inline(always)]
pub fn data(i: usize) -> u8 {
    (7 * i as u32 + 3) as u8
}

pub const LABEL: &str = "growth";
