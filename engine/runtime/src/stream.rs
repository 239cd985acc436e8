//! Fields whose payload is never in memory: callbacks move it in windows of the wire buffer.

use crate::error::Error;
use crate::raw::{self, In, Out};

/// Most bytes of one window.
pub const WINDOW: usize = 32;

/// One step of the way to a streamed field: a field, and which of its items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Field number.
    pub field: u32,
    /// Position in a repeated field, 0 in a singular one.
    pub index: u32,
}

/// Where a streamed field stands in the message: the way to it from the outermost message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    step: Step,
    outer: Option<&'a Place<'a>>,
}

impl<'a> Place<'a> {
    /// Number of the streamed field itself.
    #[inline(always)]
    pub fn field(&self) -> u32 {
        self.step.field
    }

    /// Position of the innermost enclosing message in its list, 0 if it is not in one.
    #[inline(always)]
    pub fn index(&self) -> u32 {
        match self.outer {
            Some(outer) => outer.step.index,
            None => 0,
        }
    }

    /// The steps from the streamed field outwards; for a field directly in the message there is one.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<'a> {
        core::iter::successors(Some(*self), |place| place.outer.copied()).map(|place| place.step)
    }
}

/// Where streamed payloads come from while encoding.
pub trait Source {
    /// What can go wrong; passes through to the caller of `encode_with`.
    type Error;

    /// Length of the payload at `place`, or `None` if the field is not there. Asked once per place and encode.
    ///
    /// # Errors
    /// Stops the encode.
    fn len(&mut self, place: &Place<'_>) -> Result<Option<usize>, Self::Error>;

    /// Fills `window` with the payload from position `at` and returns how many bytes it wrote. Fewer than the
    /// window asks again for the rest; none, or more than the window, is [`Error::Length`].
    ///
    /// # Errors
    /// Stops the encode.
    fn pull(&mut self, place: &Place<'_>, at: usize, window: &mut [u8]) -> Result<usize, Self::Error>;
}

/// Where streamed payloads go while decoding.
pub trait Sink {
    /// What can go wrong; passes through to the caller of `merge_with`.
    type Error;

    /// Takes the piece at position `at` of a payload of `len` bytes. An empty payload comes as one empty piece.
    /// A payload that starts again at position 0 replaces the one before: the last one wins.
    ///
    /// # Errors
    /// Stops the decode.
    fn push(&mut self, place: &Place<'_>, at: usize, len: usize, window: &[u8]) -> Result<(), Self::Error>;
}

/// A field that the source does not have.
const ABSENT: usize = usize::MAX;
/// The user's callback failed.
const FAILED: usize = usize::MAX - 1;

/// A [`Source`] without its type, and where in the message we are. For generated code.
pub struct Pull {
    outer: *const Place<'static>,
    room: usize,
    calls: &'static PullCalls,
    user: *mut (),
}

struct PullCalls {
    len: unsafe fn(*mut (), &Place<'_>) -> usize,
    pull: unsafe fn(*mut (), &Place<'_>, usize, &mut [u8]) -> usize,
}

/// A [`Sink`] without its type, and where in the message we are. For generated code.
pub struct Push {
    outer: *const Place<'static>,
    push: unsafe fn(*mut (), &Place<'_>, usize, usize, &[u8]) -> bool,
    user: *mut (),
}

/// The typed end of [`Pull`] and [`Push`].
pub(crate) struct User<'a, S, E> {
    pub(crate) callbacks: &'a mut S,
    pub(crate) error: Option<E>,
}

/// # Safety
/// `user` is the [`User`] of [`Pull::new`], borrowed by nobody else.
unsafe fn user_len<S: Source>(user: *mut (), place: &Place<'_>) -> usize {
    // SAFETY: as promised by the caller.
    let user = unsafe { &mut *user.cast::<User<'_, S, S::Error>>() };
    match user.callbacks.len(place) {
        Ok(Some(n)) => n,
        Ok(None) => ABSENT,
        Err(error) => {
            user.error = Some(error);
            FAILED
        }
    }
}

/// # Safety
/// As [`user_len`].
unsafe fn user_pull<S: Source>(user: *mut (), place: &Place<'_>, at: usize, window: &mut [u8]) -> usize {
    // SAFETY: as promised by the caller.
    let user = unsafe { &mut *user.cast::<User<'_, S, S::Error>>() };
    match user.callbacks.pull(place, at, window) {
        Ok(n) => n,
        Err(error) => {
            user.error = Some(error);
            FAILED
        }
    }
}

/// # Safety
/// `user` is the [`User`] of [`Push::new`], borrowed by nobody else.
unsafe fn user_push<S: Sink>(user: *mut (), place: &Place<'_>, at: usize, len: usize, window: &[u8]) -> bool {
    // SAFETY: as promised by the caller.
    let user = unsafe { &mut *user.cast::<User<'_, S, S::Error>>() };
    match user.callbacks.push(place, at, len, window) {
        Ok(()) => true,
        Err(error) => {
            user.error = Some(error);
            false
        }
    }
}

impl Pull {
    /// Room for `room` bytes of payload. `user` must outlive the result, which nothing else may use meanwhile.
    #[inline(always)]
    pub(crate) fn new<S: Source>(user: &mut User<'_, S, S::Error>, room: usize) -> Pull {
        Pull {
            outer: core::ptr::null(),
            room,
            calls: const { &PullCalls { len: user_len::<S>, pull: user_pull::<S> } },
            user: (user as *mut User<'_, S, S::Error>).cast(),
        }
    }
}

impl Push {
    /// `user` must outlive the result, which nothing else may use meanwhile.
    #[inline(always)]
    pub(crate) fn new<S: Sink>(user: &mut User<'_, S, S::Error>) -> Push {
        Push {
            outer: core::ptr::null(),
            push: user_push::<S>,
            user: (user as *mut User<'_, S, S::Error>).cast(),
        }
    }
}

/// The place one step further in than `outer`.
///
/// # Safety
/// `outer` is null, or valid for as long as the result is used.
#[inline(always)]
unsafe fn place<'a>(outer: *const Place<'static>, field: u32, index: u32) -> Place<'a> {
    // SAFETY: as promised by the caller.
    Place { step: Step { field, index }, outer: unsafe { outer.as_ref() } }
}

/// Encodes item `index` of the message field `field` in `work`.
///
/// # Safety
/// `pull` is null or valid.
#[inline(always)]
pub(crate) unsafe fn inside_pull(pull: *mut Pull, field: u32, index: u32, work: impl FnOnce() -> Out) -> Out {
    // SAFETY: the place lies on this frame, and the old one comes back before it goes.
    unsafe {
        if pull.is_null() {
            return work();
        }
        let outer = (*pull).outer;
        let here = place(outer, field, index);
        (*pull).outer = (&raw const here).cast();
        let p = work();
        (*pull).outer = outer;
        p
    }
}

/// Decodes item `index` of the message field `field` in `work`.
///
/// # Safety
/// `push` is null or valid.
#[inline(always)]
pub(crate) unsafe fn inside_push(push: *mut Push, field: u32, index: u32, work: impl FnOnce() -> In) -> In {
    // SAFETY: the place lies on this frame, and the old one comes back before it goes.
    unsafe {
        if push.is_null() {
            return work();
        }
        let outer = (*push).outer;
        let here = place(outer, field, index);
        (*push).outer = (&raw const here).cast();
        let p = work();
        (*push).outer = outer;
        p
    }
}

/// Writes a streamed field of at most `max` bytes, if its source has it.
///
/// # Safety
/// `p` has room for the tag, a length of at most `max`, and `pull.room` bytes of payload. `pull` is valid.
#[inline(never)]
pub(crate) unsafe fn put(mut p: Out, tag: u32, max: usize, pull: *mut Pull) -> Out {
    // SAFETY: the windows lie within the room, which shrinks with every payload; `user` belongs to the calls.
    unsafe {
        let pull = &mut *pull;
        let here = place(pull.outer, tag >> 3, 0);
        let n = (pull.calls.len)(pull.user, &here);
        if n == ABSENT {
            return p;
        }
        let mut error = Error::Callback;
        if n != FAILED {
            error = if n > max { Error::Capacity } else { Error::NoSpace };
            if n <= max && n <= pull.room {
                pull.room -= n;
                p = raw::put32(raw::put32(p, tag), n as u32);
                let mut at = 0;
                loop {
                    if at == n {
                        return p;
                    }
                    let window = if n - at < WINDOW { n - at } else { WINDOW };
                    let piece = core::slice::from_raw_parts_mut(p, window);
                    let got = (pull.calls.pull)(pull.user, &here, at, piece);
                    if got.wrapping_sub(1) >= window {
                        error = if got == FAILED { Error::Callback } else { Error::Length };
                        break;
                    }
                    at += got;
                    p = p.add(got);
                }
            }
        }
        error.pointer().cast_mut()
    }
}

/// Hands the payload at `p` to the sink. `field` is its number.
///
/// # Safety
/// `p < end`, `p..end` is readable, `push` is valid.
#[inline(never)]
pub(crate) unsafe fn get<const FAST: bool>(p: In, end: In, field: u32, max: usize, push: *mut Push) -> In {
    // SAFETY: the windows lie between `p` and the payload's end; `user` belongs to the function.
    unsafe {
        let (p, stop) = raw::length::<FAST>(p, end);
        if p > end {
            return p;
        }
        let n = stop as usize - p as usize;
        if n > max {
            return Error::Capacity.pointer();
        }
        let push = &*push;
        let here = place(push.outer, field, 0);
        let mut at = 0;
        loop {
            let window = if n - at < WINDOW { n - at } else { WINDOW };
            let piece = core::slice::from_raw_parts(p.add(at), window);
            if !(push.push)(push.user, &here, at, n, piece) {
                return Error::Callback.pointer();
            }
            at += window;
            if at == n {
                return stop;
            }
        }
    }
}
