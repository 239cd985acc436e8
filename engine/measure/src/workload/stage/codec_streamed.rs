use wirebench_runtime::{Sink, Source, StreamMessage};

#[inline(always)]
fn encode_streamed<'b, M: StreamMessage>(
    message: &M,
    source: &mut impl Source,
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    message.encode_with(source, buffer).ok()
}

#[inline(always)]
fn decode_streamed<M: StreamMessage>(message: &mut M, sink: &mut impl Sink, bytes: &[u8]) -> Option<()> {
    message.merge_with(sink, bytes).ok()
}
