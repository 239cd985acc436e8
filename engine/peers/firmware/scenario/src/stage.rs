//! The parts of a scenario that are timed on their own, in the builds that split the cycles.

#[cfg(feature = "split")]
pub use firmware::regions::{decode, encode, wire};

/// Runs `work`, an encode.
#[cfg(not(feature = "split"))]
#[inline(always)]
pub fn encode<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Runs `work`, a decode.
#[cfg(not(feature = "split"))]
#[inline(always)]
pub fn decode<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Says what the bytes on the wire are.
#[cfg(not(feature = "split"))]
#[inline(always)]
pub fn wire(_: &[u8]) {}

/// Bytes of all messages of all runs. Read by the host, which knows how many runs there were.
#[cfg(feature = "split")]
#[unsafe(export_name = "PEER_MESSAGE_BYTES")]
static MESSAGE_BYTES: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

/// Says how large the struct of a message is, what it borrows or has on the heap not counted.
#[inline(always)]
pub fn message<M>(_: &M) {
    #[cfg(feature = "split")]
    message_size(size_of::<M>());
}

/// Says how many bytes a message takes.
#[cfg(feature = "split")]
pub fn message_size(bytes: usize) {
    MESSAGE_BYTES.fetch_add(bytes as u32, core::sync::atomic::Ordering::Relaxed);
}
