//! A few pictures, for what no label can say. `UPDATE_PICTURES=1 cargo test -p wirebench --test window pictures`
//! writes them anew; a test that fails leaves what it saw beside the reference, as `.new.png`.

use std::path::Path;

use egui::Theme;
use image::RgbaImage;
use wirebench::update::Action;

use super::support::{Setup, open_with};

/// Pixels that may differ by more than [`TOLERANCE`]: renderers round edges differently.
const MOST_DIFFERENT: usize = 600;
/// Sum of the differences of the three channels.
const TOLERANCE: u32 = 48;

fn check(name: &str, theme: Theme) {
    let setup = Setup { size: [900.0, 560.0], theme, ..Setup::default() };
    let mut bench = open_with(name, "configuration.proto", setup);
    bench.act(Action::EndTour);
    let seen = bench.harness.render().expect("there is a software renderer");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/pictures");
    let path = folder.join(format!("{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        seen.save(&path).expect("the picture can be written");
        return;
    }
    let expected = image::open(&path).expect("the reference picture is there").to_rgba8();
    let different = difference(&expected, &seen);
    if different > MOST_DIFFERENT {
        seen.save(path.with_extension("new.png")).expect("the picture can be written");
        panic!("{different} pixels of {name} differ; look at {name}.new.png");
    }
}

/// The cost pane shows estimates, which change whenever the generated code does.
fn is_steady(x: u32, y: u32) -> bool {
    x < 496 || y > 320
}

fn difference(a: &RgbaImage, b: &RgbaImage) -> usize {
    assert_eq!(a.dimensions(), b.dimensions());
    a.enumerate_pixels()
        .zip(b.pixels())
        .filter(|((x, y, _), _)| is_steady(*x, *y))
        .filter(|((_, _, a), b)| (0..3).map(|at| u32::from(a[at].abs_diff(b[at]))).sum::<u32>() > TOLERANCE)
        .count()
}

#[test]
fn a_narrow_window_in_the_dark_theme() {
    check("narrow_dark", Theme::Dark);
}

#[test]
fn a_narrow_window_in_the_light_theme() {
    check("narrow_light", Theme::Light);
}

#[test]
fn a_different_picture_is_told_apart() {
    let dark = RgbaImage::from_pixel(40, 40, image::Rgba([20, 20, 20, 255]));
    let light = RgbaImage::from_pixel(40, 40, image::Rgba([240, 240, 240, 255]));
    assert_eq!((difference(&dark, &dark), difference(&dark, &light)), (0, 1600));
}
