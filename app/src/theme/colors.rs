//! Colour tokens, read from `assets/theme`.

use std::sync::LazyLock;

use egui::Color32;
use serde::{Deserialize, Deserializer};

/// Number of field hues; field number n has hue (n - 1) modulo this, so it survives reordering.
pub const FIELD_HUES: usize = 8;

/// Colours by meaning.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// Behind the panes.
    #[serde(deserialize_with = "hex")]
    pub background: Color32,
    /// Of a pane.
    #[serde(deserialize_with = "hex")]
    pub surface: Color32,
    /// Of buttons, popups and headers.
    #[serde(deserialize_with = "hex")]
    pub raised: Color32,
    /// Of inputs and tracks.
    #[serde(deserialize_with = "hex")]
    pub sunken: Color32,
    /// Hairlines.
    #[serde(deserialize_with = "hex")]
    pub line: Color32,
    /// Text.
    #[serde(deserialize_with = "hex")]
    pub text: Color32,
    /// Secondary text.
    #[serde(deserialize_with = "hex")]
    pub muted: Color32,
    /// Hints, line numbers, disabled text.
    #[serde(deserialize_with = "hex")]
    pub faint: Color32,
    /// Actions and the measured bars.
    #[serde(deserialize_with = "hex")]
    pub accent: Color32,
    /// Text on the accent.
    #[serde(deserialize_with = "hex")]
    pub on_accent: Color32,
    /// Selected text and rows.
    #[serde(deserialize_with = "hex")]
    pub selection: Color32,
    /// Errors.
    #[serde(deserialize_with = "hex")]
    pub problem: Color32,
    /// Warnings.
    #[serde(deserialize_with = "hex")]
    pub warning: Color32,
    /// Success, and figures that went down.
    #[serde(deserialize_with = "hex")]
    pub good: Color32,
    /// Results of an older revision.
    #[serde(deserialize_with = "hex")]
    pub stale: Color32,
    #[serde(deserialize_with = "hex_list")]
    fields: [Color32; FIELD_HUES],
    /// Colours of code.
    pub syntax: Syntax,
}

/// Colours of code.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say which token")]
pub struct Syntax {
    #[serde(deserialize_with = "hex")]
    pub keyword: Color32,
    #[serde(deserialize_with = "hex")]
    pub type_name: Color32,
    #[serde(deserialize_with = "hex")]
    pub number: Color32,
    #[serde(deserialize_with = "hex")]
    pub text: Color32,
    #[serde(deserialize_with = "hex")]
    pub comment: Color32,
    #[serde(deserialize_with = "hex")]
    pub name: Color32,
    #[serde(deserialize_with = "hex")]
    pub punctuation: Color32,
    #[serde(deserialize_with = "hex")]
    pub attribute: Color32,
}

static DARK: LazyLock<Theme> = LazyLock::new(|| parse(include_str!("../../../assets/theme/dark.json")));
static LIGHT: LazyLock<Theme> = LazyLock::new(|| parse(include_str!("../../../assets/theme/light.json")));

fn parse(json: &str) -> Theme {
    serde_json::from_str(json).expect("the embedded themes are checked by a test")
}

/// The theme `ctx` is drawn in.
pub fn current(ctx: &egui::Context) -> &'static Theme {
    Theme::named(ctx.theme())
}

impl Theme {
    /// The dark or the light theme.
    pub fn named(theme: egui::Theme) -> &'static Theme {
        match theme {
            egui::Theme::Dark => &DARK,
            egui::Theme::Light => &LIGHT,
        }
    }

    /// The hue of a field.
    pub fn field(&self, hue: usize) -> Color32 {
        self.fields[hue % FIELD_HUES]
    }

    /// The hue of a field as a background that text can stand on; stronger when it is lit up.
    pub fn field_tint(&self, hue: usize, is_lit: bool) -> Color32 {
        mix(self.surface, self.field(hue), if is_lit { 0.38 } else { 0.18 })
    }

    /// The hue of a field as the background of a whole line.
    pub fn field_wash(&self, hue: usize) -> Color32 {
        mix(self.surface, self.field(hue), 0.16)
    }

    /// Text on a surface filled with `fill`: whichever of the theme's two extremes reads better.
    pub fn text_on(&self, fill: Color32) -> Color32 {
        let (a, b) = (self.text, self.background);
        if contrast(fill, a) >= contrast(fill, b) { a } else { b }
    }

    /// A quiet version of a signal colour, for ribbons behind text.
    pub fn ribbon(&self, signal: Color32) -> Color32 {
        mix(self.surface, signal, 0.16)
    }

    /// `color` when the pointer is over it.
    pub fn hovered(&self, color: Color32) -> Color32 {
        mix(color, self.text, 0.12)
    }

    /// Behind a dialog.
    pub fn backdrop(&self) -> Color32 {
        self.background.gamma_multiply(0.6)
    }

    /// A row under the pointer that stands for no field.
    pub fn row_hover(&self) -> Color32 {
        mix(self.surface, self.text, 0.06)
    }
}

/// `share` of `b` in `a`, both opaque.
fn mix(a: Color32, b: Color32, share: f32) -> Color32 {
    let part = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
    Color32::from_rgb(part(a.r(), b.r()), part(a.g(), b.g()), part(a.b(), b.b()))
}

/// Relative luminance, WCAG 2.1.
fn luminance(color: Color32) -> f32 {
    let linear = |c: u8| {
        let c = f32::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// Contrast ratio, WCAG 2.1: 1 to 21.
fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color32, D::Error> {
    let text = String::deserialize(deserializer)?;
    Color32::from_hex(&text)
        .map_err(|_| serde::de::Error::custom(format!("{text} is not a colour like #1c1f24")))
}

fn hex_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Color32; FIELD_HUES], D::Error> {
    let texts = <[String; FIELD_HUES]>::deserialize(deserializer)?;
    let mut colors = [Color32::BLACK; FIELD_HUES];
    for (color, text) in colors.iter_mut().zip(&texts) {
        *color = Color32::from_hex(text)
            .map_err(|_| serde::de::Error::custom(format!("{text} is not a colour like #1c1f24")))?;
    }
    Ok(colors)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [egui::Theme; 2] = [egui::Theme::Dark, egui::Theme::Light];

    #[test]
    fn text_of_every_kind_reads_on_a_pane() {
        for theme in BOTH.map(Theme::named) {
            for (name, color, least) in [
                ("text", theme.text, 7.0),
                ("muted", theme.muted, 4.5),
                ("faint", theme.faint, 2.9),
                ("problem", theme.problem, 4.5),
                ("warning", theme.warning, 4.5),
                ("good", theme.good, 4.5),
                ("keyword", theme.syntax.keyword, 4.5),
                ("type", theme.syntax.type_name, 4.5),
                ("number", theme.syntax.number, 4.5),
                ("string", theme.syntax.text, 4.5),
                ("comment", theme.syntax.comment, 3.0),
            ] {
                let ratio = contrast(theme.surface, color);
                assert!(ratio >= least, "{name} has contrast {ratio:.2}, needs {least}");
            }
            assert!(contrast(theme.accent, theme.on_accent) >= 4.5);
        }
    }

    #[test]
    fn text_reads_on_every_field_tint() {
        for theme in BOTH.map(Theme::named) {
            for hue in 0..FIELD_HUES {
                for is_lit in [false, true] {
                    let fill = theme.field_tint(hue, is_lit);
                    assert!(contrast(fill, theme.text_on(fill)) >= 4.5, "hue {hue}, lit {is_lit}");
                }
            }
        }
    }

    /// Simulated colour vision after Viénot, Brettel and Mollon 1999 (linear RGB; red and green cone missing).
    fn seen_without(cone: &str, color: Color32) -> [f32; 3] {
        let linear = |c: u8| (f32::from(c) / 255.0).powf(2.2);
        let [r, g, b] = [linear(color.r()), linear(color.g()), linear(color.b())];
        match cone {
            "red" => [0.112 * r + 0.888 * g, 0.112 * r + 0.888 * g, 0.004 * r - 0.004 * g + b],
            "green" => [0.292 * r + 0.708 * g, 0.292 * r + 0.708 * g, -0.022 * r + 0.022 * g + b],
            _ => [r, g, b],
        }
    }

    #[test]
    fn neighbouring_fields_differ_for_every_kind_of_colour_vision() {
        for theme in BOTH.map(Theme::named) {
            for cone in ["none missing", "red", "green"] {
                for hue in 0..FIELD_HUES {
                    let a = seen_without(cone, theme.field(hue));
                    let b = seen_without(cone, theme.field(hue + 1));
                    let distance: f32 =
                        a.iter().zip(b).map(|(a, b)| (a.max(0.0).sqrt() - b.max(0.0).sqrt()).powi(2)).sum();
                    assert!(distance.sqrt() > 0.12, "hues {hue} and {} with {cone}: {distance}", hue + 1);
                }
            }
        }
    }
}
