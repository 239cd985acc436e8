//! A cooperative executor for one core, and static memory for what the tasks own.
//!
//! There are no interrupts and so nothing that could wake: every task is asked in every round. A product with an
//! executor of its own (embassy, RTIC) keeps the tasks and drops this file.

use core::cell::UnsafeCell;
use core::convert::Infallible;
use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Waker};

/// Runs three tasks that never end, in turns.
pub fn run(
    a: impl Future<Output = Infallible>,
    b: impl Future<Output = Infallible>,
    c: impl Future<Output = Infallible>,
) -> ! {
    let (mut a, mut b, mut c) = (pin!(a), pin!(b), pin!(c));
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let _ = a.as_mut().poll(&mut context);
        let _ = b.as_mut().poll(&mut context);
        let _ = c.as_mut().poll(&mut context);
    }
}

/// A value in static memory that is handed out once.
pub struct StaticCell<T> {
    value: UnsafeCell<T>,
    is_taken: AtomicBool,
}

// SAFETY: `take` hands the value out at most once, to whoever is first.
unsafe impl<T: Send> Sync for StaticCell<T> {}

impl<T> StaticCell<T> {
    /// A cell with its value.
    pub const fn new(value: T) -> StaticCell<T> {
        StaticCell { value: UnsafeCell::new(value), is_taken: AtomicBool::new(false) }
    }

    /// The value, the first time.
    pub fn take(&'static self) -> Option<&'static mut T> {
        if self.is_taken.swap(true, Ordering::AcqRel) {
            return None;
        }
        // SAFETY: only the first call comes here, so nobody else has the value.
        Some(unsafe { &mut *self.value.get() })
    }
}
