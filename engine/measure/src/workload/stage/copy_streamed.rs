use wirebench_runtime::{Place, Sink, Source, StreamMessage, WINDOW};

/// The struct, then the payload in windows.
#[inline(always)]
fn encode_streamed<'b, M: StreamMessage>(
    message: &M,
    source: &mut impl Source,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let place = Place::default();
    let payload = source.len(&place).ok()?.unwrap_or(0);
    let all = buffer.get_mut(..size_of::<M>() + payload)?;
    let (head, body) = all.split_at_mut_checked(size_of::<M>())?;
    // SAFETY: `head` has the struct's size; bytes of any value may be copied.
    unsafe { copy_nonoverlapping((&raw const *message).cast::<u8>(), head.as_mut_ptr(), size_of::<M>()) };
    let mut at = 0;
    for window in body.chunks_mut(WINDOW) {
        at += source.pull(&place, at, window).ok()?;
    }
    Some(hidden(all))
}

#[inline(always)]
fn decode_streamed<M: StreamMessage>(message: &mut M, sink: &mut impl Sink, bytes: &[u8]) -> Option<()> {
    let (head, body) = bytes.split_at_checked(size_of::<M>())?;
    // SAFETY: the bytes are a struct of this type, copied by `encode_streamed`.
    unsafe { copy_nonoverlapping(head.as_ptr(), (&raw mut *message).cast::<u8>(), size_of::<M>()) };
    let place = Place::default();
    let mut at = 0;
    for window in body.chunks(WINDOW) {
        sink.push(&place, at, body.len(), window).ok()?;
        at += window.len();
    }
    Some(())
}
