//! Fields whose payload is never in memory: callbacks move it in windows of the wire buffer.

use crate::error::Error;
use crate::raw::{self, In, Out};

/// Most bytes of one window.
pub const WINDOW: usize = 32;

/// Deepest path a [`Place`] can name; the generator refuses streamed fields below it.
const DEPTH: usize = 8;

/// One step of a path: a field, and which of its items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Field number.
    pub field: u32,
    /// Position in a repeated field, 0 in a singular one.
    pub index: u32,
}

/// Where a streamed field stands in the message: the way to it from the outermost message.
///
/// For a field directly in the message the path is one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    steps: [Step; DEPTH],
    depth: u8,
}

impl Place {
    /// Number of the streamed field itself.
    pub fn field(&self) -> u32 {
        self.path().last().map_or(0, |step| step.field)
    }

    /// Position of the innermost enclosing message in its list, 0 if it is not in one.
    pub fn index(&self) -> u32 {
        self.path().iter().rev().nth(1).map_or(0, |step| step.index)
    }

    /// The steps from the outermost message to the streamed field.
    pub fn path(&self) -> &[Step] {
        self.steps.get(..self.depth as usize).unwrap_or(&self.steps)
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, field: u32, index: u32) {
        if let Some(step) = self.steps.get_mut(self.depth as usize) {
            *step = Step { field, index };
        }
        self.depth = self.depth.wrapping_add(1);
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
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
    fn len(&mut self, place: &Place) -> Result<Option<usize>, Self::Error>;

    /// Fills `window` with the payload from position `at` and returns how many bytes it wrote. Fewer than the
    /// window asks again for the rest; none, or more than the window, is [`Error::Length`].
    ///
    /// # Errors
    /// Stops the encode.
    fn pull(&mut self, place: &Place, at: usize, window: &mut [u8]) -> Result<usize, Self::Error>;
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
    fn push(&mut self, place: &Place, at: usize, len: usize, window: &[u8]) -> Result<(), Self::Error>;
}

/// A field that the source does not have.
const ABSENT: usize = usize::MAX;
/// The user's callback failed.
const FAILED: usize = usize::MAX - 1;

/// A [`Source`] without its type, and where in the message we are. For generated code.
pub struct Pull {
    place: Place,
    room: usize,
    len: unsafe fn(*mut (), &Place) -> usize,
    pull: unsafe fn(*mut (), &Place, usize, &mut [u8]) -> usize,
    user: *mut (),
}

/// A [`Sink`] without its type, and where in the message we are. For generated code.
pub struct Push {
    place: Place,
    push: unsafe fn(*mut (), &Place, usize, usize, &[u8]) -> bool,
    user: *mut (),
}

/// The typed end of [`Pull`] and [`Push`].
pub(crate) struct User<'a, S, E> {
    pub(crate) callbacks: &'a mut S,
    pub(crate) error: Option<E>,
}

impl Pull {
    /// Room for `room` bytes of payload. `user` must outlive the result, which nothing else may use meanwhile.
    #[inline(always)]
    pub(crate) fn new<S: Source>(user: &mut User<'_, S, S::Error>, room: usize) -> Pull {
        unsafe fn len<S: Source>(user: *mut (), place: &Place) -> usize {
            // SAFETY: `user` is the `User` of `Pull::new`, borrowed by nobody else.
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
        unsafe fn pull<S: Source>(user: *mut (), place: &Place, at: usize, window: &mut [u8]) -> usize {
            // SAFETY: as above.
            let user = unsafe { &mut *user.cast::<User<'_, S, S::Error>>() };
            match user.callbacks.pull(place, at, window) {
                Ok(n) => n,
                Err(error) => {
                    user.error = Some(error);
                    FAILED
                }
            }
        }
        Pull {
            place: Place::default(),
            room,
            len: len::<S>,
            pull: pull::<S>,
            user: (user as *mut User<'_, S, S::Error>).cast(),
        }
    }
}

impl Push {
    /// `user` must outlive the result, which nothing else may use meanwhile.
    #[inline(always)]
    pub(crate) fn new<S: Sink>(user: &mut User<'_, S, S::Error>) -> Push {
        unsafe fn push<S: Sink>(user: *mut (), place: &Place, at: usize, len: usize, window: &[u8]) -> bool {
            // SAFETY: `user` is the `User` of `Push::new`, borrowed by nobody else.
            let user = unsafe { &mut *user.cast::<User<'_, S, S::Error>>() };
            match user.callbacks.push(place, at, len, window) {
                Ok(()) => true,
                Err(error) => {
                    user.error = Some(error);
                    false
                }
            }
        }
        Push { place: Place::default(), push: push::<S>, user: (user as *mut User<'_, S, S::Error>).cast() }
    }
}

/// Notes that encoding goes into item `index` of the message field `field`.
///
/// # Safety
/// `pull` is null or valid.
#[inline(always)]
pub(crate) unsafe fn enter_pull(pull: *mut Pull, field: u32, index: u32) {
    // SAFETY: as promised by the caller.
    if let Some(pull) = unsafe { pull.as_mut() } {
        pull.place.enter(field, index);
    }
}

/// Undoes [`enter_pull`].
///
/// # Safety
/// `pull` is null or valid.
#[inline(always)]
pub(crate) unsafe fn leave_pull(pull: *mut Pull) {
    // SAFETY: as promised by the caller.
    if let Some(pull) = unsafe { pull.as_mut() } {
        pull.place.leave();
    }
}

/// Notes that decoding goes into item `index` of the message field `field`.
///
/// # Safety
/// `push` is null or valid.
#[inline(always)]
pub(crate) unsafe fn enter_push(push: *mut Push, field: u32, index: u32) {
    // SAFETY: as promised by the caller.
    if let Some(push) = unsafe { push.as_mut() } {
        push.place.enter(field, index);
    }
}

/// Undoes [`enter_push`].
///
/// # Safety
/// `push` is null or valid.
#[inline(always)]
pub(crate) unsafe fn leave_push(push: *mut Push) {
    // SAFETY: as promised by the caller.
    if let Some(push) = unsafe { push.as_mut() } {
        push.place.leave();
    }
}

/// Writes a streamed field of at most `max` bytes, if its source has it.
///
/// # Safety
/// `p` has room for the tag, a length of at most `max`, and `pull.room` bytes of payload. `pull` is valid.
#[inline(never)]
pub(crate) unsafe fn put(p: Out, tag: u32, max: usize, pull: *mut Pull) -> Out {
    // SAFETY: the windows lie within the room, which shrinks with every payload.
    unsafe {
        let pull = &mut *pull;
        pull.place.enter(tag >> 3, 0);
        let p = put_payload(p, tag, max, pull);
        pull.place.leave();
        p
    }
}

/// # Safety
/// As [`put`].
#[inline(always)]
unsafe fn put_payload(mut p: Out, tag: u32, max: usize, pull: &mut Pull) -> Out {
    // SAFETY: as promised by the caller; `user` belongs to the two functions.
    unsafe {
        let n = (pull.len)(pull.user, &pull.place);
        if n == ABSENT {
            return p;
        }
        if n == FAILED {
            return Error::Callback.pointer().cast_mut();
        }
        if n > max {
            return Error::Capacity.pointer().cast_mut();
        }
        if n > pull.room {
            return Error::NoSpace.pointer().cast_mut();
        }
        pull.room -= n;
        p = raw::put32(raw::put32(p, tag), n as u32);
        let mut at = 0;
        while at < n {
            let window = if n - at < WINDOW { n - at } else { WINDOW };
            let got = (pull.pull)(pull.user, &pull.place, at, core::slice::from_raw_parts_mut(p, window));
            if got == FAILED {
                return Error::Callback.pointer().cast_mut();
            }
            if got == 0 || got > window {
                return Error::Length.pointer().cast_mut();
            }
            at += got;
            p = p.add(got);
        }
        p
    }
}

/// Hands the payload at `p` to the sink. `field` is its number.
///
/// # Safety
/// `p < end`, `p..end` is readable, `push` is valid.
#[inline(never)]
pub(crate) unsafe fn get(p: In, end: In, field: u32, max: usize, push: *mut Push) -> In {
    // SAFETY: the windows lie between `p` and the payload's end; `user` belongs to the function.
    unsafe {
        let (p, stop) = raw::length(p, end);
        if p > end {
            return p;
        }
        let n = stop as usize - p as usize;
        if n > max {
            return Error::Capacity.pointer();
        }
        let push = &mut *push;
        push.place.enter(field, 0);
        let mut at = 0;
        loop {
            let window = if n - at < WINDOW { n - at } else { WINDOW };
            let piece = core::slice::from_raw_parts(p.add(at), window);
            if !(push.push)(push.user, &push.place, at, n, piece) {
                return Error::Callback.pointer();
            }
            at += window;
            if at == n {
                break;
            }
        }
        push.place.leave();
        stop
    }
}
