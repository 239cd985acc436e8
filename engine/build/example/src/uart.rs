//! The serial port: what the firmware needs of it, and one made of memory-mapped registers.

use core::ptr::{read_volatile, write_volatile};
use core::task::Poll;

/// A serial line, byte by byte.
pub trait Uart {
    /// The next byte, if one has come.
    fn read(&self) -> Poll<u8>;

    /// Sends a byte, if there is room for it.
    fn write(&self, byte: u8) -> Poll<()>;
}

/// The registers of a USART, as in the Cortex-M parts of STM32 L4, G4, F7 and H7.
#[repr(C)]
struct Registers {
    control: [u32; 3],
    baud_rate: u32,
    guard_time: u32,
    receiver_timeout: u32,
    request: u32,
    status: u32,
    clear: u32,
    received: u32,
    transmit: u32,
}

/// CR1: switches the port, its receiver and its transmitter on.
const ENABLE: u32 = 1 | 1 << 2 | 1 << 3;
/// ISR: a byte was received and not yet read.
const RECEIVED: u32 = 1 << 5;
/// ISR: the transmit register takes a byte.
const EMPTY: u32 = 1 << 7;
/// Clock of the port divided by 115,200 baud, for 16 MHz after reset.
const DIVIDER: u32 = 16_000_000 / 115_200;

unsafe extern "C" {
    /// Placed by `memory.x`.
    #[link_name = "USART1"]
    static mut USART1: Registers;
}

/// A USART without interrupts and without DMA.
pub struct Usart {
    registers: *mut Registers,
}

impl Usart {
    /// The first port of the chip. Its clock and pins are the board's matter.
    pub fn usart1() -> Usart {
        Usart { registers: &raw mut USART1 }
    }

    /// Switches the port on.
    pub fn start(&self) {
        // SAFETY: the registers of a port, which only this value uses.
        unsafe {
            write_volatile(&raw mut (*self.registers).baud_rate, DIVIDER);
            write_volatile(&raw mut (*self.registers).control[0], ENABLE);
        }
    }

    fn has(&self, flag: u32) -> bool {
        // SAFETY: reading the status changes nothing.
        unsafe { read_volatile(&raw const (*self.registers).status) & flag != 0 }
    }
}

impl Uart for Usart {
    fn read(&self) -> Poll<u8> {
        if !self.has(RECEIVED) {
            return Poll::Pending;
        }
        // SAFETY: takes the byte out of the receiver.
        Poll::Ready(unsafe { read_volatile(&raw const (*self.registers).received) as u8 })
    }

    fn write(&self, byte: u8) -> Poll<()> {
        if !self.has(EMPTY) {
            return Poll::Pending;
        }
        // SAFETY: hands the byte to the transmitter, which has room.
        unsafe { write_volatile(&raw mut (*self.registers).transmit, u32::from(byte)) };
        Poll::Ready(())
    }
}
