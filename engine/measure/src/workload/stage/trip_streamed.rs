/// [`round_trip`] of a message whose streamed payloads come from `source` and go to `sink`.
#[inline(always)]
pub fn round_trip_streamed<M: StreamMessage, const N: usize>(
    sent: &M,
    source: &mut impl Source,
    received: &mut M,
    sink: &mut impl Sink,
) -> Option<u32> {
    let mut send = Buffer::<N>::new();
    let mut receive = Buffer::<N>::new();
    opaque_ref(sent);
    let bytes = encode_streamed(sent, source, send.array())?;
    let copy = receive.array().get_mut(..bytes.len())?;
    copy.copy_from_slice(bytes);
    opaque_ref(copy);
    decode_streamed(received, sink, copy)?;
    opaque(received);
    Some(copy.len() as u32)
}

/// [`encode_only`] with streamed payloads from `source`.
#[inline(always)]
pub fn encode_only_streamed<M: StreamMessage, const N: usize>(sent: &M, source: &mut impl Source) -> Option<u32> {
    let mut send = Buffer::<N>::new();
    opaque_ref(sent);
    let bytes = encode_streamed(sent, source, send.array())?;
    opaque_ref(bytes);
    Some(bytes.len() as u32)
}

/// [`decode_only`] with streamed payloads to `sink`.
#[inline(always)]
pub fn decode_only_streamed<M: StreamMessage>(
    bytes: &'static [u8],
    received: &mut M,
    sink: &mut impl Sink,
) -> Option<u32> {
    let bytes = hidden(bytes);
    decode_streamed(received, sink, bytes)?;
    opaque(received);
    Some(bytes.len() as u32)
}
