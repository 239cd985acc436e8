//! A device on a serial line: takes commands, answers them, and reports by itself when told to.
//!
//! ```text
//! UART ─▶ receive: bytes ─▶ frame ─▶ Command ─▶ Device ─▶ Event ─┐
//!         report:  every so many cycles ─────▶ Device ─▶ Event ─┤
//! UART ◀─ send:    bytes ◀─ frame ◀──────────────────────────────┘
//! ```
//! Three tasks on one core without interrupts. The messages live in static memory, nothing is allocated, and
//! nothing can panic: in release builds the panic handler does not link.
#![no_std]
#![no_main]

mod clock;
mod device;
mod executor;
mod link;
mod start_up;
mod tasks;
mod uart;

/// The messages of `proto/device.proto`.
mod messages {
    include!(concat!(env!("OUT_DIR"), "/device.rs"));
}

use core::cell::RefCell;

use device::Device;
use executor::{StaticCell, run};
use link::{Inbox, Outbox};
use tasks::{Receive, Report, Send};
use uart::Usart;

static INBOX: StaticCell<Inbox> = StaticCell::new(Inbox::new());
static OUTBOX: StaticCell<RefCell<Outbox>> = StaticCell::new(RefCell::new(Outbox::new()));
static DEVICE: StaticCell<RefCell<Device>> = StaticCell::new(RefCell::new(Device::new()));

/// Called by the start-up code, once.
fn main() -> ! {
    clock::start();
    let uart = Usart::usart1();
    uart.start();
    // Each is there, because this runs once.
    let (Some(inbox), Some(outbox), Some(device)) = (INBOX.take(), OUTBOX.take(), DEVICE.take()) else {
        start_up::halt()
    };
    run(
        Receive { uart: &uart, inbox, outbox, device, answer: None },
        Report { outbox, device },
        Send { uart: &uart, outbox },
    )
}
