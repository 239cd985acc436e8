//! The tasks of the firmware, as futures that never end: any executor runs them.
//!
//! They are written by hand: the compiler's own, of `async fn`, hold a panic for being polled after their end, and
//! this firmware is to have none. A product that can afford that writes the same with `async` and `await`.

use core::cell::RefCell;
use core::convert::Infallible;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use wirebench_runtime::Error;

use crate::clock;
use crate::device::Device;
use crate::link::{Inbox, Outbox};
use crate::messages::device::event::Kind;
use crate::messages::device::{Acknowledge, Outcome};
use crate::uart::Uart;

/// Takes commands from the line and answers them. The host waits for an answer before its next command.
pub struct Receive<'a, U> {
    pub uart: &'a U,
    pub inbox: &'a mut Inbox,
    pub outbox: &'a RefCell<Outbox>,
    pub device: &'a RefCell<Device>,
    /// An answer that waits for the line.
    pub answer: Option<Kind>,
}

impl<U: Uart> Future for Receive<'_, U> {
    type Output = Infallible;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Infallible> {
        let task = &mut *self;
        if task.answer.is_none()
            && let Poll::Ready(received) = task.inbox.poll(task.uart)
            && let Ok(mut device) = task.device.try_borrow_mut()
        {
            task.answer = Some(match received {
                Ok(command) => device.obey(command),
                Err(error) => refusal(error),
            });
        }
        if let Some(answer) = task.answer.take() {
            task.answer = task.outbox.try_borrow_mut().map_or(None, |mut outbox| outbox.put(answer).err());
        }
        Poll::Pending
    }
}

/// What is answered to bytes that are no command.
fn refusal(error: Error) -> Kind {
    let outcome = match error {
        Error::NoSpace => Outcome::TOO_LONG,
        _ => Outcome::MALFORMED,
    };
    Kind::Acknowledge(Acknowledge { sequence: 0, outcome })
}

/// Has telemetry sent by itself, as often as the device was told to, when the line is free.
pub struct Report<'a> {
    pub outbox: &'a RefCell<Outbox>,
    pub device: &'a RefCell<Device>,
}

impl Future for Report<'_> {
    type Output = Infallible;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Infallible> {
        if let (Ok(mut outbox), Ok(mut device)) = (self.outbox.try_borrow_mut(), self.device.try_borrow_mut())
            && outbox.is_free()
            && let Some(telemetry) = device.due(clock::now())
        {
            // The line is free, so it is taken.
            let _ = outbox.put(telemetry);
        }
        Poll::Pending
    }
}

/// Moves what is to be sent to the line, as fast as that takes it.
pub struct Send<'a, U> {
    pub uart: &'a U,
    pub outbox: &'a RefCell<Outbox>,
}

impl<U: Uart> Future for Send<'_, U> {
    type Output = Infallible;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Infallible> {
        if let Ok(mut outbox) = self.outbox.try_borrow_mut() {
            outbox.poll(self.uart);
        }
        Poll::Pending
    }
}
