use wirebench_runtime::{Sink, Source, StreamMessage};

#[inline(never)]
fn encode_apart_streamed<'b, M: StreamMessage>(
    message: &M,
    source: &mut impl Source,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    message.encode_with(source, buffer).ok()
}

#[inline(never)]
fn decode_apart_streamed<M: StreamMessage>(message: &mut M, sink: &mut impl Sink, bytes: &[u8]) -> Option<()> {
    message.merge_with(sink, bytes).ok()
}

#[inline(always)]
fn encode_streamed<'b, M: StreamMessage>(
    message: &M,
    source: &mut impl Source,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let bytes = regions::encode(|| encode_apart_streamed(message, source, buffer))?;
    regions::wire(bytes);
    Some(bytes)
}

#[inline(always)]
fn decode_streamed<M: StreamMessage>(message: &mut M, sink: &mut impl Sink, bytes: &[u8]) -> Option<()> {
    regions::decode(|| decode_apart_streamed(message, sink, bytes))
}
