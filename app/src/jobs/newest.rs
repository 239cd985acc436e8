//! A worker that takes the newest request: one runs, one waits, a newer one replaces the waiting one.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Stack of a worker. The engine limits its recursion; this leaves room for a debug build.
const STACK: usize = 16 << 20;

struct Slot<T> {
    waiting: Option<T>,
    is_closed: bool,
}

/// The worker's inbox. Dropping it ends the worker after what runs now.
pub struct Newest<T> {
    slot: Arc<(Mutex<Slot<T>>, Condvar)>,
}

impl<T: Send + 'static> Newest<T> {
    /// Starts a named thread that calls `work` with each request it gets to.
    pub fn start(name: &str, work: impl Fn(T) + Send + 'static) -> Newest<T> {
        let slot = Arc::new((Mutex::new(Slot { waiting: None, is_closed: false }), Condvar::new()));
        let inbox = slot.clone();
        let spawned = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(move || {
            while let Some(request) = next(&inbox) {
                work(request);
            }
        });
        // Without threads nothing works, and there is no window yet to say it in.
        spawned.expect("the system has a thread for the engine");
        Newest { slot }
    }

    /// Hands in a request; one that still waits is forgotten.
    pub fn submit(&self, request: T) {
        let (slot, bell) = &*self.slot;
        slot.lock().unwrap_or_else(PoisonError::into_inner).waiting = Some(request);
        bell.notify_one();
    }
}

fn next<T>(inbox: &(Mutex<Slot<T>>, Condvar)) -> Option<T> {
    let (slot, bell) = inbox;
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some(request) = slot.waiting.take() {
            return Some(request);
        }
        if slot.is_closed {
            return None;
        }
        slot = bell.wait(slot).unwrap_or_else(PoisonError::into_inner);
    }
}

impl<T> Drop for Newest<T> {
    fn drop(&mut self) {
        let (slot, bell) = &*self.slot;
        slot.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        bell.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_newest_request_replaces_the_waiting_one() {
        let (started, has_started) = channel();
        let (go, may_go) = channel::<()>();
        let (done, results) = channel();
        let worker = Newest::start("test", move |n: u32| {
            started.send(n).expect("the test listens");
            may_go.recv().expect("the test goes on");
            done.send(n).expect("the test listens");
        });
        worker.submit(1);
        assert_eq!(has_started.recv(), Ok(1));
        worker.submit(2);
        worker.submit(3);
        go.send(()).expect("the worker waits");
        assert_eq!(has_started.recv(), Ok(3));
        go.send(()).expect("the worker waits");
        assert_eq!([results.recv(), results.recv()], [Ok(1), Ok(3)]);
    }
}
