use wirebench_runtime::{Place, Sink, Source, Step};

/// The way to each payload, from the inside out, and its bytes.
static PAYLOADS: &[(&[(u32, u32)], &[u8])] = &[
    // @PAYLOADS@
];

fn find(place: &Place) -> Option<usize> {
    PAYLOADS.iter().position(|(steps, _)| {
        place.steps().eq(steps.iter().map(|&(field, index)| Step { field, index }))
    })
}

/// The piece of a payload from position `at`.
fn piece(place: &Place, at: usize, length: usize) -> Option<&'static [u8]> {
    PAYLOADS.get(find(place)?)?.1.get(at..)?.get(..length)
}

/// Gives the payloads.
pub struct Sent;

impl Source for Sent {
    type Error = ();

    fn len(&mut self, place: &Place) -> Result<Option<usize>, ()> {
        Ok(find(place).and_then(|at| PAYLOADS.get(at)).map(|payload| payload.1.len()))
    }

    fn pull(&mut self, place: &Place, at: usize, window: &mut [u8]) -> Result<usize, ()> {
        window.copy_from_slice(piece(place, at, window.len()).ok_or(())?);
        Ok(window.len())
    }
}

/// Compares every piece with the payload, and counts the payloads that came to their end.
pub struct Received(usize);

impl Received {
    pub fn new() -> Received {
        Received(0)
    }

    pub fn is_complete(&self) -> bool {
        self.0 == PAYLOADS.len()
    }
}

impl Sink for Received {
    type Error = ();

    fn push(&mut self, place: &Place, at: usize, len: usize, window: &[u8]) -> Result<(), ()> {
        let whole = PAYLOADS.get(find(place).ok_or(())?).ok_or(())?.1;
        if whole.len() != len || piece(place, at, window.len()) != Some(window) {
            return Err(());
        }
        if at + window.len() == len {
            self.0 += 1;
        }
        Ok(())
    }
}
