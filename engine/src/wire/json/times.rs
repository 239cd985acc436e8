//! Times and durations as ProtoJSON writes them.

const SECONDS_PER_DAY: i64 = 86_400;
/// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the ends of `google.protobuf.Timestamp`.
const TIMESTAMP_RANGE: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// Ten thousand years, the end of `google.protobuf.Duration`.
const DURATION_SECONDS: i64 = 315_576_000_000;

/// Seconds since 1970 and nanoseconds of an RFC 3339 time.
pub(super) fn parse_timestamp(text: &str) -> Result<(i64, i32), String> {
    let wrong = || format!("{text:?} is not in that form");
    let number = |range: std::ops::Range<usize>| -> Result<i64, String> {
        let digits = text.get(range).filter(|t| t.bytes().all(|b| b.is_ascii_digit())).ok_or_else(wrong)?;
        digits.parse().map_err(|_| wrong())
    };
    let mark = |at: usize, byte: u8| text.as_bytes().get(at) == Some(&byte);
    if !(mark(4, b'-') && mark(7, b'-') && mark(10, b'T') && mark(13, b':') && mark(16, b':')) {
        return Err(wrong());
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let rest = text.get(19..).ok_or_else(wrong)?;
    let zone_at =
        rest.find(['Z', '+', '-']).ok_or_else(|| "the time zone is missing; Z means UTC".to_owned())?;
    let (fraction, zone) = rest.split_at(zone_at);
    let nanos = match fraction.strip_prefix('.') {
        Some(digits) => parse_nanos(digits).ok_or_else(wrong)?,
        None if fraction.is_empty() => 0,
        None => return Err(wrong()),
    };
    let offset = zone_offset(zone).ok_or_else(wrong)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return Err(format!("there is no day {year:04}-{month:02}-{day:02}"));
    }
    if hour > 23 || minute > 59 || second > 59 {
        return Err(format!("there is no time {hour:02}:{minute:02}:{second:02}"));
    }
    let days = days_from_civil(year, month, day);
    let seconds = days * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
    if !TIMESTAMP_RANGE.contains(&seconds) {
        return Err("years go from 0001 to 9999".to_owned());
    }
    Ok((seconds, nanos))
}

/// `None` outside of the years 1 to 9999, or if the nanoseconds are no fraction of a second.
pub(super) fn print_timestamp(seconds: i64, nanos: i64) -> Option<String> {
    if !TIMESTAMP_RANGE.contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
        return None;
    }
    let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_PER_DAY));
    let of_day = seconds.rem_euclid(SECONDS_PER_DAY);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    let fraction = print_nanos(nanos);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z"))
}

/// Seconds and nanoseconds, of one sign.
pub(super) fn parse_duration(text: &str) -> Result<(i64, i32), String> {
    let wrong = || format!("{text:?} is not in that form");
    let number = text.strip_suffix('s').ok_or_else(|| "it ends with s".to_owned())?;
    let (is_negative, number) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let seconds: i64 = whole
        .parse()
        .ok()
        .filter(|s| *s <= DURATION_SECONDS)
        .ok_or_else(|| format!("{DURATION_SECONDS} seconds are the most"))?;
    let nanos = parse_nanos(fraction).ok_or_else(wrong)?;
    Ok(if is_negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

/// `None` out of range or with two signs.
pub(super) fn print_duration(seconds: i64, nanos: i64) -> Option<String> {
    let is_mixed = (seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0);
    if is_mixed || !(-DURATION_SECONDS..=DURATION_SECONDS).contains(&seconds) || nanos.abs() > 999_999_999 {
        return None;
    }
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    Some(format!("{sign}{}{}s", seconds.abs(), print_nanos(nanos.abs())))
}

/// Up to nine digits after the point.
fn parse_nanos(digits: &str) -> Option<i32> {
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<9}").parse().ok()
}

/// Nothing, or a point and 3, 6 or 9 digits.
fn print_nanos(nanos: i64) -> String {
    match nanos {
        0 => String::new(),
        _ if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
        _ if nanos % 1000 == 0 => format!(".{:06}", nanos / 1000),
        _ => format!(".{nanos:09}"),
    }
}

/// Seconds east of UTC: `Z`, `+01:00`.
fn zone_offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let part = |digits: &str, most: i64| -> Option<i64> {
        let is_number = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse().ok().filter(|n| is_number && *n <= most)
    };
    Some(sign * (part(hours, 23)? * 3600 + part(minutes, 59)? * 60))
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back_as_they_were_written() {
        for (text, seconds, nanos) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2023-11-14T22:13:20Z", 1_700_000_000, 0),
            ("2000-02-29T23:59:59.500Z", 951_868_799, 500_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
        ] {
            assert_eq!(parse_timestamp(text), Ok((seconds, nanos)), "{text}");
            assert_eq!(print_timestamp(seconds, nanos.into()).as_deref(), Some(text));
        }
        assert_eq!(parse_timestamp("1970-01-01T01:00:00+01:00"), Ok((0, 0)));
    }

    #[test]
    fn impossible_times_are_refused() {
        for text in [
            "",
            "2023-02-29T00:00:00Z",
            "2023-01-01T24:00:00Z",
            "2023-01-01T00:00:00",
            "2023-01-01 00:00:00Z",
            "2023-01-01T00:00:00.Z",
            "2023-1-01T00:00:00Z",
            "é023-01-01T00:00:00Z",
            "0001-01-01T00:00:00+01:00",
        ] {
            assert!(parse_timestamp(text).is_err(), "{text}");
        }
        assert_eq!(print_timestamp(i64::MIN, 0), None);
        assert_eq!(print_timestamp(0, -1), None);
    }

    #[test]
    fn durations_keep_sign_and_nanoseconds() {
        for (text, seconds, nanos) in [("1.500s", 1, 500_000_000), ("-0.000000001s", 0, -1), ("0s", 0, 0)] {
            assert_eq!(parse_duration(text), Ok((seconds, nanos)));
            assert_eq!(print_duration(seconds, nanos.into()).as_deref(), Some(text));
        }
        for text in ["1", "s", ".5s", "1.s", "--1s", "99999999999999999999s", "315576000001s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        assert_eq!(print_duration(1, -1), None);
        assert_eq!(print_duration(i64::MIN, 0), None);
    }
}
