//! The window's fonts: Inter for text, JetBrains Mono for code and figures, an icon font.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontId};

/// Name of the family of headings.
const SEMI_BOLD: &str = "semi-bold";

/// Registers the fonts. Figures and code use the monospaced one, so columns of numbers align.
pub fn install_fonts(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::empty();
    let mut add = |name: &str, bytes: &'static [u8]| {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    };
    add("inter", include_bytes!("../../../assets/fonts/Inter-Regular.otf"));
    add("inter-semi-bold", include_bytes!("../../../assets/fonts/Inter-SemiBold.otf"));
    add("jetbrains-mono", include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf"));
    let icons = egui_material_icons::font_insert();
    fonts.font_data.insert("icons".to_owned(), Arc::new(icons.data));
    let mut family = |family: FontFamily, names: &[&str]| {
        fonts.families.insert(family, names.iter().map(|name| (*name).to_owned()).collect());
    };
    family(FontFamily::Proportional, &["inter", "jetbrains-mono", "icons"]);
    family(FontFamily::Monospace, &["jetbrains-mono", "inter", "icons"]);
    family(FontFamily::Name(SEMI_BOLD.into()), &["inter-semi-bold", "inter", "icons"]);
    for name in [egui_material_icons::FONT_FAMILY_OUTLINED, egui_material_icons::FONT_FAMILY] {
        family(FontFamily::Name(name.into()), &["icons"]);
    }
    ctx.set_fonts(fonts);
}

/// Code, 13 points.
pub fn code() -> FontId {
    FontId::new(13.0, FontFamily::Monospace)
}

/// Bytes and hints beside code.
pub fn code_small() -> FontId {
    FontId::new(11.5, FontFamily::Monospace)
}

/// Figures in tables and beside bars.
pub fn number() -> FontId {
    FontId::new(12.5, FontFamily::Monospace)
}

/// Captions, units and evidence.
pub fn small() -> FontId {
    FontId::new(12.0, FontFamily::Proportional)
}

/// Titles of groups.
pub fn heading() -> FontId {
    FontId::new(13.5, FontFamily::Name(SEMI_BOLD.into()))
}
