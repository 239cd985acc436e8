//! The stages between `fill` and `compare`.
//!
//! They are macros because the messages of some libraries borrow from the buffer they are decoded from.
//! The crate that uses them has two functions in scope:
//!
//! ```text
//! fn encode(message: &M, to: &mut [u8]) -> Option<usize>;       // bytes written
//! fn decode(message: &mut M, from: &[u8]) -> Option<()>;        // into a default message
//! ```
//! Both are part of the scenario's function, but in the builds that split the cycles, where they are calls
//! of their own as in the suite of our own codec. A decode that returns the message by value stays inline
//! there too: the call would add a copy.

/// `$message` there and back, with a send and a receive buffer of `$size` bytes each; the wire length.
///
/// Returns `None` from the surrounding function if a stage fails or `$same` says that a field differs.
#[macro_export]
macro_rules! round_trip {
    ($size:literal, $message:ident, |$back:ident| $same:expr) => {{
        let mut sent = $crate::firmware::barrier::Buffer::<$size>::new();
        let mut received = $crate::firmware::barrier::Buffer::<$size>::new();
        $crate::stage::message(&$message);
        $crate::firmware::barrier::opaque(&mut $message);
        let sent = sent.array();
        let length = $crate::stage::encode(|| encode(&$message, sent))?;
        let sent = sent.get(..length)?;
        $crate::stage::wire(sent);
        let received = received.array().get_mut(..length)?;
        received.copy_from_slice(sent);
        $crate::firmware::barrier::opaque(received);
        let mut $back = ::core::default::Default::default();
        $crate::stage::decode(|| decode(&mut $back, received))?;
        $crate::firmware::barrier::opaque(&mut $back);
        if !$same {
            return None;
        }
        length as u32
    }};
}

/// The first half alone: `$message` into a buffer of `$size` bytes; the wire length.
#[macro_export]
macro_rules! encode_only {
    ($size:literal, $message:ident) => {{
        let mut sent = $crate::firmware::barrier::Buffer::<$size>::new();
        $crate::stage::message(&$message);
        $crate::firmware::barrier::opaque(&mut $message);
        let sent = sent.array();
        let length = $crate::stage::encode(|| encode(&$message, sent))?;
        let sent = sent.get_mut(..length)?;
        $crate::firmware::barrier::opaque(sent);
        $crate::stage::wire(sent);
        length as u32
    }};
}

/// The second half alone: `$wire` into a fresh message of this type; the wire length.
#[macro_export]
macro_rules! decode_only {
    ($wire:expr, $message:ty) => {{
        let wire = $crate::firmware::barrier::hidden(&$wire[..]);
        $crate::stage::wire(wire);
        let mut back: $message = ::core::default::Default::default();
        $crate::stage::decode(|| decode(&mut back, wire))?;
        $crate::stage::message(&back);
        $crate::firmware::barrier::opaque(&mut back);
        wire.len() as u32
    }};
}
