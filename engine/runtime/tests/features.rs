//! The integrations with serde, heapless and embedded-io.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use wirebench_runtime::{Blob, Delimited, Error, List, Message, RawText, StreamError, Text};

#[path = "../../tests/codec/golden/telemetry_batch.speed.rs"]
mod batch;
/// Generated code, as it stands in the repository.
#[path = "../../tests/codec/golden/telemetry.speed.rs"]
mod messages;

mod serde {
    use super::*;

    #[test]
    fn containers_are_sequences_bytes_and_strings() {
        let list = List::<i32, 4>::try_from(&[1, -2, 3][..]).unwrap();
        let text = Text::<8>::try_from("grün").unwrap();
        let json = serde_json::to_string(&(&list, &text)).unwrap();
        assert_eq!(json, r#"[[1,-2,3],"grün"]"#);
        assert_eq!(serde_json::from_str::<(List<i32, 4>, Text<8>)>(&json).unwrap(), (list, text));

        let blob = Blob::<4>::try_from(&[0, 255][..]).unwrap();
        let json = serde_json::to_string(&blob).unwrap();
        assert_eq!(json, "[0,255]");
        assert_eq!(serde_json::from_str::<Blob<4>>(&json).unwrap(), blob);
        // As bytes, where a format has them: JSON gives those of a string.
        assert_eq!(serde_json::from_str::<Blob<4>>("\"abc\"").unwrap()[..], *b"abc");

        let raw = RawText::<8>::try_from("pump").unwrap();
        assert_eq!(serde_json::to_string(&raw).unwrap(), "\"pump\"");
        assert_eq!(serde_json::from_str::<RawText<8>>("\"p\\u0075mp\"").unwrap(), raw);
    }

    #[test]
    fn what_does_not_fit_is_an_error_that_names_the_limit() {
        let said = |error: serde_json::Error| error.to_string();
        let error = said(serde_json::from_str::<List<u8, 2>>("[1,2,3]").unwrap_err());
        assert!(error.contains("at most 2 items"), "{error}");
        let error = said(serde_json::from_str::<Blob<2>>("[1,2,3]").unwrap_err());
        assert!(error.contains("at most 2 bytes"), "{error}");
        let error = said(serde_json::from_str::<Blob<2>>("\"abc\"").unwrap_err());
        assert!(error.contains("at most 2 bytes"), "{error}");
        let error = said(serde_json::from_str::<Text<3>>("\"abcd\"").unwrap_err());
        assert!(error.contains("a string of at most 3 bytes"), "{error}");
        assert!(serde_json::from_str::<Text<3>>("7").is_err());
    }

    #[test]
    fn a_text_that_is_not_utf8_is_no_string() {
        let mut raw = RawText::<4>::new();
        raw.set_bytes(&[0xff]).unwrap();
        let error = serde_json::to_string(&raw).unwrap_err().to_string();
        assert_eq!(error, Error::Utf8.message());
    }
}

mod heapless {
    use super::*;
    use ::heapless::{String, Vec};

    #[test]
    fn the_same_capacity_converts_both_ways() {
        let list = List::<u16, 3>::try_from(&[1, 2, 3][..]).unwrap();
        let vec = Vec::<u16, 3>::from(list.clone());
        assert_eq!(vec[..], [1, 2, 3]);
        assert_eq!(List::from(vec), list);

        let blob = Blob::<3>::try_from(&[7, 8, 9][..]).unwrap();
        let vec = Vec::<u8, 3>::from(blob.clone());
        assert_eq!(vec[..], [7, 8, 9]);
        assert_eq!(Blob::from(vec), blob);

        let text = Text::<4>::try_from("grü").unwrap();
        let string = String::<4>::from(text.clone());
        assert_eq!(string, "grü");
        assert_eq!(Text::from(string.clone()), text);
        assert_eq!(RawText::from(string).as_str(), Ok("grü"));
    }

    #[test]
    fn another_capacity_converts_if_the_content_fits() {
        let list = List::<u16, 8>::try_from(&[1, 2][..]).unwrap();
        let vec = Vec::<u16, 2>::try_from(&list).unwrap();
        assert_eq!(Vec::<u16, 1>::try_from(&list), Err(Error::Capacity));
        assert_eq!(List::<u16, 5>::try_from(&vec).unwrap()[..], [1, 2]);
        assert_eq!(List::<u16, 1>::try_from(&vec), Err(Error::Capacity));

        let blob = Blob::<8>::try_from(&[1, 2][..]).unwrap();
        let vec = Vec::<u8, 2>::try_from(&blob).unwrap();
        assert_eq!(Vec::<u8, 1>::try_from(&blob), Err(Error::Capacity));
        assert_eq!(Blob::<5>::try_from(&vec).unwrap()[..], [1, 2]);
        assert_eq!(Blob::<1>::try_from(&vec), Err(Error::Capacity));

        let text = Text::<8>::try_from("ab").unwrap();
        let string = String::<2>::try_from(&text).unwrap();
        assert_eq!(String::<1>::try_from(&text), Err(Error::Capacity));
        assert_eq!(Text::<5>::try_from(&string).unwrap(), "ab");
        assert_eq!(Text::<1>::try_from(&string), Err(Error::Capacity));
        assert_eq!(RawText::<5>::try_from(&string).unwrap(), "ab");
        assert_eq!(RawText::<1>::try_from(&string), Err(Error::Capacity));
    }

    #[test]
    fn a_text_that_is_not_utf8_is_no_string() {
        let mut raw = RawText::<4>::new();
        raw.set_bytes(&[0xff]).unwrap();
        assert_eq!(String::<4>::try_from(&raw), Err(Error::Utf8));
        raw.set("ok").unwrap();
        assert_eq!(String::<4>::try_from(&raw).unwrap(), "ok");
    }
}

mod embedded_io {
    use super::batch::comparison::{Sample, TelemetryBatch};
    use super::messages::comparison::Telemetry;
    use super::*;
    use ::embedded_io::{ErrorKind, ErrorType, Read, SliceWriteError};

    /// Hands out one byte at a time, then ends or fails.
    struct Slow<'a> {
        bytes: &'a [u8],
        fails: bool,
    }

    impl ErrorType for Slow<'_> {
        type Error = ErrorKind;
    }

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
            match (self.bytes.split_first(), out.first_mut()) {
                (Some((byte, rest)), Some(place)) => {
                    *place = *byte;
                    self.bytes = rest;
                    Ok(1)
                }
                _ if self.fails => Err(ErrorKind::BrokenPipe),
                _ => Ok(0),
            }
        }
    }

    fn read(reader: &mut Slow<'_>, room: usize) -> Result<Option<Telemetry>, StreamError<ErrorKind>> {
        Telemetry::read_from(reader, &mut vec![0; room])
    }

    fn slow(bytes: &[u8]) -> Slow<'_> {
        Slow { bytes, fails: false }
    }

    #[test]
    fn messages_go_over_a_stream_one_after_the_other() {
        let sent: Vec<Telemetry> =
            [1, 300, 70_000].map(|id| Telemetry { device_id: id, ..Telemetry::new() }).into();
        let mut stream = [0; 64];
        let mut room = &mut stream[..];
        for message in &sent {
            message.write_to(&mut room, &mut [0; Telemetry::MAX_ENCODED_LEN]).unwrap();
        }
        let left = room.len();
        let written = &stream[..stream.len() - left];
        assert_eq!(written, [2, 0x08, 1, 3, 0x08, 0xac, 0x02, 4, 0x08, 0xf0, 0xa2, 0x04]);

        let mut reader = slow(written);
        let mut received = Vec::new();
        while let Some(message) = read(&mut reader, 50).unwrap() {
            received.push(message);
        }
        assert_eq!(received, sent);
        // The same from a reader that gives all at once.
        let mut reader = written;
        assert_eq!(Telemetry::read_from(&mut reader, &mut [0; 50]).unwrap().as_ref(), sent.first());
    }

    #[test]
    fn an_empty_message_is_one_byte() {
        let mut stream = [9; 4];
        Telemetry::new().write_to(&mut &mut stream[..], &mut []).unwrap();
        assert_eq!(stream, [0, 9, 9, 9]);
        assert_eq!(read(&mut slow(&[0]), 0), Ok(Some(Telemetry::new())));
        assert_eq!(read(&mut slow(&[]), 0), Ok(None));
    }

    #[test]
    fn a_length_of_two_bytes_is_written_and_read() {
        let mut sent = TelemetryBatch::new();
        for id in 1..=20 {
            sent.samples.push(Sample { offset_ms: u32::MAX - id, ..Sample::new() }).unwrap();
        }
        let mut stream = [0; 1000];
        let mut room = &mut stream[..];
        sent.write_to(&mut room, &mut [0; 998]).unwrap();
        let left = room.len();
        let written = &stream[..stream.len() - left];
        assert_eq!(written[..2], [0x80 | (sent.encoded_len() & 0x7f) as u8, (sent.encoded_len() >> 7) as u8]);
        let received = TelemetryBatch::read_from(&mut slow(written), &mut [0; 998]).unwrap();
        assert_eq!(received, Some(sent));
    }

    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let mut reader = slow(&[5, 1, 2, 3, 4, 5, 2, 0x08, 9]);
        assert_eq!(read(&mut reader, 4), Err(StreamError::Codec(Error::NoSpace)));
        assert_eq!(read(&mut reader, 4).unwrap().map(|m| m.device_id), Some(9));
        let mut reader = slow(&[1, 1, 0]);
        assert_eq!(read(&mut reader, 0), Err(StreamError::Codec(Error::NoSpace)));
        assert_eq!(read(&mut reader, 0), Ok(Some(Telemetry::new())));
    }

    #[test]
    fn what_goes_wrong_is_told() {
        for bytes in [&[0x80][..], &[2], &[2, 0x08], &[9, 1, 2]] {
            assert_eq!(read(&mut slow(bytes), 4), Err(StreamError::Codec(Error::Truncated)), "{bytes:?}");
        }
        assert_eq!(read(&mut slow(&[0xff; 9]), 4), Err(StreamError::Codec(Error::BadVarint)));
        assert_eq!(read(&mut slow(&[2, 0, 0]), 4), Err(StreamError::Codec(Error::BadTag)));
        for bytes in [&[][..], &[0x80], &[2, 0x08], &[9, 1, 2]] {
            let mut reader = Slow { bytes, fails: true };
            assert_eq!(read(&mut reader, 4), Err(StreamError::User(ErrorKind::BrokenPipe)), "{bytes:?}");
        }

        let telemetry = Telemetry { device_id: 5, ..Telemetry::new() };
        let mut stream = [0; 2];
        let mut room = &mut stream[..];
        assert_eq!(telemetry.write_to(&mut room, &mut [0; 1]), Err(StreamError::Codec(Error::NoSpace)));
        assert_eq!(room.len(), 2, "nothing is written");
        let full = telemetry.write_to(&mut room, &mut [0; 8]);
        assert_eq!(full, Err(StreamError::User(SliceWriteError::Full)));
    }
}
