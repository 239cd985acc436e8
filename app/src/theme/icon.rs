//! The window's icon: three bars of cost in the hues of the first fields.

use egui::{Color32, IconData};

use super::Theme;

/// Width and height in pixels.
const SIZE: usize = 64;
const CORNER: usize = 12;

/// The icon, drawn rather than loaded.
pub fn window_icon() -> IconData {
    let theme = Theme::named(egui::Theme::Dark);
    let mut rgba = vec![0; SIZE * SIZE * 4];
    for y in 0..SIZE {
        for x in 0..SIZE {
            if let Some(color) = pixel(theme, x, y) {
                let at = (y * SIZE + x) * 4;
                rgba[at..at + 4].copy_from_slice(&color.to_array());
            }
        }
    }
    IconData { rgba, width: SIZE as u32, height: SIZE as u32 }
}

fn pixel(theme: &Theme, x: usize, y: usize) -> Option<Color32> {
    // Distance from the nearest corner's centre, for the rounded square.
    let outside = |at: usize| CORNER.saturating_sub(at.min(SIZE - 1 - at));
    let (dx, dy) = (outside(x), outside(y));
    if dx * dx + dy * dy > CORNER * CORNER {
        return None;
    }
    let bars = [(14, 46, 0), (28, 30, 1), (42, 38, 2)];
    let bar =
        bars.iter().find(|(top, right, _)| (*top..top + 9).contains(&y) && (12..12 + right - 6).contains(&x));
    Some(bar.map_or(theme.raised, |(_, _, hue)| theme.field(*hue)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_icon_has_a_pixel_for_every_place_and_clear_corners() {
        let icon = super::window_icon();
        assert_eq!(icon.rgba.len(), (icon.width * icon.height * 4) as usize);
        assert_eq!(icon.rgba[3], 0);
    }
}
