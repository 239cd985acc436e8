//! The integration with defmt: what a log holds, as bytes before the host formats them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use wirebench_runtime::{Blob, Error, List, RawText, StreamError, Text};

/// Collects the bytes of one frame.
#[defmt::global_logger]
struct Collector;

static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

// SAFETY: one frame at a time, as `logged` calls it.
unsafe impl defmt::Logger for Collector {
    fn acquire() {
        assert!(!IS_TAKEN.swap(true, Ordering::AcqRel));
    }

    unsafe fn flush() {}

    unsafe fn release() {
        IS_TAKEN.store(false, Ordering::Release);
    }

    unsafe fn write(bytes: &[u8]) {
        BYTES.lock().unwrap().extend(bytes);
    }
}

defmt::timestamp!("");

/// The bytes of one log line with one value.
fn logged<T: defmt::Format>(value: &T) -> Vec<u8> {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap();
    BYTES.lock().unwrap().clear();
    // Not bound to a level, which the environment of the build sets.
    defmt::println!("{}", value);
    BYTES.lock().unwrap().clone()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn texts_and_blobs_go_out_as_their_bytes() {
    let text = logged(&Text::<16>::try_from("pump-7").unwrap());
    assert!(holds(&text, b"\x06\0\0\0pump-7") || holds(&text, b"\x06pump-7"), "{text:02x?}");
    let blob = logged(&Blob::<4>::try_from(&[0xca, 0xfe][..]).unwrap());
    assert!(holds(&blob, &[0xca, 0xfe]), "{blob:02x?}");
    let mut raw = RawText::<8>::try_from("valve").unwrap();
    assert!(holds(&logged(&raw), b"valve"));
    raw.set_bytes(&[0xff, 0xee]).unwrap();
    assert!(holds(&logged(&raw), &[0xff, 0xee]));
}

#[test]
fn lists_go_out_item_by_item() {
    let list = logged(&List::<u16, 4>::try_from(&[0x1122, 0x3344][..]).unwrap());
    assert!(holds(&list, &[0x22, 0x11]) && holds(&list, &[0x44, 0x33]), "{list:02x?}");
    assert!(!holds(&list, &[0x66, 0x55]));
}

#[test]
fn errors_go_out_without_their_text() {
    let one = logged(&Error::Capacity);
    let other = logged(&Error::Utf8);
    assert!(one.len() < 16 && one != other, "{one:02x?} {other:02x?}");
    assert_ne!(logged(&StreamError::<u8>::Codec(Error::Utf8)), logged(&StreamError::User(7_u8)));
}
