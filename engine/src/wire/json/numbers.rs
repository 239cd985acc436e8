//! Numbers as people write them in samples: 1.0 and 1e2 are integers, 64 bits are kept exactly.

/// The integer a decimal number stands for; says in words why it stands for none.
pub(super) fn integer(text: &str) -> Result<i128, String> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => {
            let exponent: i32 = exponent.parse().map_err(|_| format!("{text:?} is not a number"))?;
            (digits, exponent)
        }
        None => (text, 0),
    };
    let (is_negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = !whole.is_empty()
        && whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit())
        && (digits.len() == whole.len() || !fraction.is_empty());
    if !is_number {
        return Err(format!("{text:?} is not a number"));
    }
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches('0');
    // Where the decimal point stands in `all`, counted from its end.
    let shift = i64::from(exponent) - fraction.len() as i64;
    let significant = all.trim_end_matches('0');
    if significant.is_empty() {
        return Ok(0);
    }
    let zeros = shift + (all.len() - significant.len()) as i64;
    if zeros < 0 {
        return Err(format!("{text} has a fraction"));
    }
    if significant.len() as i64 + zeros > 38 {
        return Err(format!("{text} is too large"));
    }
    let value = significant.parse::<i128>().ok().and_then(|v| v.checked_mul(10i128.pow(zeros as u32)));
    match value {
        Some(value) if is_negative => Ok(-value),
        Some(value) => Ok(value),
        None => Err(format!("{text} is too large")),
    }
}

/// A float or double as JSON spells it; NaN and the infinities by name. `None` if it is none.
pub(super) fn float(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ if is_decimal(text) => text.parse().ok(),
        _ => None,
    }
}

/// Rust also reads `inf`, `+1` and `.5`; JSON does not.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_in_every_spelling() {
        assert_eq!(integer("1.0"), Ok(1));
        assert_eq!(integer("1e2"), Ok(100));
        assert_eq!(integer("-1.50e+2"), Ok(-150));
        assert_eq!(integer("100e-2"), Ok(1));
        assert_eq!(integer("-0.0"), Ok(0));
        assert_eq!(integer("18446744073709551615"), Ok(u64::MAX.into()));
        assert_eq!(integer("-9223372036854775808"), Ok(i64::MIN.into()));
        assert_eq!(integer("0e99999"), Ok(0));
    }

    #[test]
    fn what_is_no_integer_is_refused_with_the_reason() {
        assert_eq!(integer("1.5"), Err("1.5 has a fraction".into()));
        assert_eq!(integer("1e99"), Err("1e99 is too large".into()));
        for text in ["", "-", ".5", "5.", "1e", "x", " 1", "+1", "1e2147483648", "--1"] {
            assert!(integer(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn floats_take_json_spellings_only() {
        assert_eq!(float("-0.0").map(f64::to_bits), Some((-0.0f64).to_bits()));
        assert!(float("NaN").is_some_and(f64::is_nan));
        for text in ["inf", "nan", "+1", ".5", "1 ", "", "1e", "infinity"] {
            assert_eq!(float(text), None, "{text:?}");
        }
    }
}
