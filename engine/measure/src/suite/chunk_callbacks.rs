use wirebench_runtime::{Place, Sink, Source};

/// Bytes of the chunk.
const LENGTH: usize = 256;

/// Makes the chunk, as a program reads it from its flash.
pub struct Sent;

impl Source for Sent {
    type Error = ();

    fn len(&mut self, _: &Place) -> Result<Option<usize>, ()> {
        Ok(Some(LENGTH))
    }

    fn pull(&mut self, _: &Place, at: usize, window: &mut [u8]) -> Result<usize, ()> {
        let mut i = at as u32;
        for byte in window.iter_mut() {
            *byte = (7 * i + 3) as u8;
            i += 1;
        }
        Ok(window.len())
    }
}

/// Checks that the pieces follow each other and hold the chunk.
pub struct Received {
    seen: usize,
}

impl Received {
    pub fn new() -> Received {
        Received { seen: 0 }
    }

    pub fn is_complete(&self) -> bool {
        self.seen == LENGTH
    }
}

impl Sink for Received {
    type Error = ();

    fn push(&mut self, _: &Place, at: usize, _: usize, window: &[u8]) -> Result<(), ()> {
        if at != self.seen {
            return Err(());
        }
        let mut i = at as u32;
        for byte in window {
            if *byte != (7 * i + 3) as u8 {
                return Err(());
            }
            i += 1;
        }
        self.seen += window.len();
        Ok(())
    }
}
