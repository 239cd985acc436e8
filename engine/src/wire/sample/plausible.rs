//! Values that look like what a field's name says: 48.1374 for a latitude, 1700000000 for a timestamp.
//! A name is matched by its parts: `battery_mv` by `battery` or `mv`, the first row of a table that fits.

/// Texts by part of the name.
const TEXTS: [(&str, &str); 12] = [
    ("ssid", "workshop"),
    ("url", "https://example.com"),
    ("uri", "https://example.com"),
    ("email", "user@example.com"),
    ("version", "1.4.2"),
    ("firmware", "1.4.2"),
    ("mac", "02:00:5e:10:00:01"),
    ("ip", "192.168.1.20"),
    ("host", "gateway"),
    ("uuid", "8f14e45f"),
    ("unit", "mV"),
    ("path", "/data/log.bin"),
];

/// Fractional values by part of the name.
const DECIMALS: [(&str, f64); 17] = [
    ("lat", 48.1374),
    ("latitude", 48.1374),
    ("lon", 11.5755),
    ("lng", 11.5755),
    ("longitude", 11.5755),
    ("altitude", 519.0),
    ("temperature", 21.5),
    ("temp", 21.5),
    ("humidity", 48.25),
    ("pressure", 1013.25),
    ("voltage", 3.7),
    ("current", 0.125),
    ("speed", 1.25),
    ("heading", 270.0),
    ("snr", 9.5),
    ("factor", 1.0),
    ("ratio", 0.5),
];

/// Whole numbers by part of the name.
const INTEGERS: [(&str, i128); 23] = [
    ("rssi", -67),
    ("snr", 9),
    ("mv", 3712),
    ("battery", 87),
    ("percent", 50),
    ("temperature", 21),
    ("humidity", 48),
    ("latitude", 481_374_000),
    ("longitude", 115_755_000),
    ("lat", 481_374_000),
    ("lon", 115_755_000),
    ("altitude", 519),
    ("baud", 115_200),
    ("baudrate", 115_200),
    ("port", 1883),
    ("channel", 6),
    ("version", 3),
    ("interval", 5000),
    ("timeout", 1000),
    ("uptime", 86_400),
    ("crc", 0xdead_beef),
    ("size", 256),
    ("offset", 4096),
];

/// 2023-11-14T22:13:20Z.
const SECONDS: i128 = 1_700_000_000;

/// Text for item `at` of a field.
pub(super) fn text(name: &str, at: u32) -> String {
    let known = by_part(name, &TEXTS).copied();
    match (known, at) {
        (Some(text), 0) => text.to_owned(),
        (None, 0) => "sample".to_owned(),
        (known, _) => format!("{}-{}", known.unwrap_or("sample"), at + 1),
    }
}

/// A float or double for item `at` of a field.
pub(super) fn decimal(name: &str, at: u32) -> f64 {
    by_part(name, &DECIMALS).copied().unwrap_or(1.5) + f64::from(at)
}

/// A whole number for item `at` of a field.
pub(super) fn integer(name: &str, is_wide: bool, at: u32) -> i128 {
    let at = i128::from(at);
    let has = |part: &str| parts(name).any(|p| p == part);
    if has("timestamp") || has("time") && !has("timeout") {
        let scale = match () {
            () if has("us") || has("micros") => 1_000_000,
            () if has("ns") || has("nanos") => 1_000_000_000,
            () if has("ms") || has("millis") || is_wide => 1000,
            () => 1,
        };
        // Milliseconds of 32 bits count since the start of the device.
        return if is_wide || scale == 1 { SECONDS * scale + at } else { 86_400_000 + at };
    }
    if has("index") || has("sequence") || has("seq") {
        return at + 1;
    }
    by_part(name, &INTEGERS).copied().unwrap_or(42) + at
}

fn by_part<'a, T>(name: &str, table: &'a [(&str, T)]) -> Option<&'a T> {
    table.iter().find(|(part, _)| parts(name).any(|p| p == *part)).map(|(_, value)| value)
}

/// `batteryMv` and `battery_mv` are `battery`, `mv`.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_ascii_uppercase() && was_lower) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c != '_') {
            part.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
    }
    parts.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_field_holds() {
        assert_eq!(integer("battery_mv", false, 0), 3712);
        assert_eq!(integer("batteryPercent", false, 0), 87);
        assert_eq!(integer("timestamp", true, 0), 1_700_000_000_000);
        assert_eq!(integer("time", false, 1), 1_700_000_001);
        assert_eq!(integer("reboot_timeout_ms", false, 0), 1000);
        assert_eq!(text("device_name", 0), "sample");
        assert_eq!(text("labels", 1), "sample-2");
        assert_eq!(decimal("gps_lat", 0), 48.1374);
        assert_eq!(decimal("relation", 0), 1.5, "`lat` inside of a word says nothing");
    }
}
