//! The fitted constants of the estimates, bundled from `assets/cost-model.json`.

use std::sync::OnceLock;

use serde_json::Value;

use crate::cost::{Event, FlashPart};
use crate::plan::Style;

/// The bundled file; the test below reads every constant of it.
const BUNDLED: &str = include_str!("../../../assets/cost-model.json");

/// Constants of all styles.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// Half width of the range that holds nine of ten estimates, in percent, as the fit found it.
    pub error_percent: u32,
    /// By style: table, calls, straight.
    styles: [StyleConstants; 3],
}

/// Constants of one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StyleConstants {
    /// Bytes of runtime a first message of this style brings with it.
    pub runtime_flash: f64,
    /// Bytes of runtime the first use of a part brings with it, in the order of [`FlashPart::ALL`].
    pub first_use: [f64; FlashPart::ALL.len()],
    /// Bytes per part, in the order of [`FlashPart::ALL`].
    pub flash: [f64; FlashPart::ALL.len()],
    /// Cycles of encoding per event, in the order of [`Event::ALL`].
    pub encode: [f64; Event::ALL.len()],
    /// Cycles of decoding per event, in the order of [`Event::ALL`].
    pub decode: [f64; Event::ALL.len()],
}

impl Constants {
    /// The constants this version ships with.
    pub fn bundled() -> &'static Constants {
        static CONSTANTS: OnceLock<Constants> = OnceLock::new();
        CONSTANTS.get_or_init(|| Constants::parse(BUNDLED).expect("a test reads the bundled constants"))
    }

    /// Reads the format of `assets/cost-model.json`; `None` if a constant is missing or no number.
    pub fn parse(text: &str) -> Option<Constants> {
        let file: Value = serde_json::from_str(text).ok()?;
        let style = |name: &str| StyleConstants::parse(&file["styles"][name]);
        Some(Constants {
            error_percent: u32::try_from(file["error_percent"].as_u64()?).ok()?,
            styles: [style("size")?, style("balanced")?, style("speed")?],
        })
    }

    /// The constants of a style.
    pub fn style(&self, style: Style) -> &StyleConstants {
        &self.styles[style as usize]
    }
}

impl StyleConstants {
    fn parse(value: &Value) -> Option<StyleConstants> {
        let mut constants =
            StyleConstants { runtime_flash: value["runtime_flash"].as_f64()?, ..StyleConstants::default() };
        for part in FlashPart::ALL {
            constants.flash[part as usize] = value["flash"][part.word()].as_f64()?;
            constants.first_use[part as usize] = value["first_use"][part.word()].as_f64()?;
        }
        for event in Event::ALL {
            constants.encode[event as usize] = value["encode"][event.word()].as_f64()?;
            constants.decode[event as usize] = value["decode"][event.word()].as_f64()?;
        }
        Some(constants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_file_has_every_constant() {
        assert!(Constants::parse(BUNDLED).is_some());
    }

    #[test]
    fn a_missing_constant_is_noticed() {
        let text = BUNDLED.replace("\"varint_byte\"", "\"varint_bite\"");
        assert_eq!(Constants::parse(&text), None);
    }
}
