//! From reset to the measurement, and what happens when something goes wrong.

use core::arch::{asm, naked_asm};
use core::panic::PanicInfo;
use core::sync::atomic::Ordering::Relaxed;

use crate::bench;
use crate::counter::read;
use crate::mailbox::{MAILBOX, State};

unsafe extern "C" {
    static mut __bss_start: u32;
    static mut __bss_end: u32;
    static mut __data_start: u32;
    static mut __data_end: u32;
    static __data_load: u32;
    static __stack_top: u32;
}

/// An entry of the vector table.
#[repr(C)]
union Vector {
    handler: unsafe extern "C" fn() -> !,
    stack: *const u32,
    reserved: usize,
}

// SAFETY: the table is constant; nobody writes through its pointers.
unsafe impl Sync for Vector {}

const FAULT: Vector = Vector { handler: fault };
const RESERVED: Vector = Vector { reserved: 0 };

/// Initial stack pointer, reset, and the system exceptions. Interrupts stay disabled, so the table ends here.
#[used]
#[unsafe(link_section = ".vector_table")]
static VECTORS: [Vector; 16] = [
    Vector { stack: &raw const __stack_top },
    Vector { handler: Reset },
    FAULT, // NMI
    FAULT, // HardFault
    FAULT, // MemManage
    FAULT, // BusFault
    FAULT, // UsageFault
    RESERVED,
    RESERVED,
    RESERVED,
    RESERVED,
    FAULT, // SVCall
    FAULT, // DebugMonitor
    RESERVED,
    FAULT, // PendSV
    FAULT, // SysTick
];

/// The entry point: zeroes and copies static data, switches the FPU on, measures, stops.
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.start_up")]
#[allow(non_snake_case, reason = "the name linkers and debuggers know")]
unsafe extern "C" fn Reset() -> ! {
    // SAFETY: runs once, before anything uses static data; the symbols come from the link script.
    unsafe {
        asm!("cpsid i");
        let mut at = &raw mut __bss_start;
        while at < &raw mut __bss_end {
            at.write_volatile(0);
            at = at.add(1);
        }
        let mut from = &raw const __data_load;
        let mut at = &raw mut __data_start;
        while at < &raw mut __data_end {
            at.write_volatile(from.read_volatile());
            at = at.add(1);
            from = from.add(1);
        }
    }
    enable_fpu();
    bench::run();
    stop()
}

/// Full access to the coprocessors 10 and 11, where the firmware is built for an FPU.
#[inline(always)]
fn enable_fpu() {
    #[cfg(target_abi = "eabihf")]
    {
        const CPACR: usize = 0xe000_ed88;
        // SAFETY: allows FPU instructions, which this core has; the barriers make it take effect.
        unsafe {
            (CPACR as *mut u32).write_volatile(read(CPACR) | 0xf << 20);
            asm!("dsb", "isb");
        }
    }
}

/// Every exception: hands the frame the core pushed to [`record_fault`].
#[unsafe(naked)]
unsafe extern "C" fn fault() -> ! {
    naked_asm!("mov r0, sp", "b {record}", record = sym record_fault)
}

/// Keeps the program counter and status of a fault, then stops.
///
/// `frame` is where the core pushed r0-r3, r12, lr, pc and xpsr, unless its own stack was the fault.
unsafe extern "C" fn record_fault(frame: *const u32) -> ! {
    const CFSR: usize = 0xe000_ed28;
    const RAM: core::ops::Range<usize> = 0x2000_0000..0x4000_0000;
    if RAM.contains(&(frame as usize)) {
        // SAFETY: inside RAM, word-aligned by the core.
        MAILBOX.fault_pc.store(unsafe { frame.add(6).read_volatile() }, Relaxed);
    }
    MAILBOX.fault_status.store(read(CFSR), Relaxed);
    MAILBOX.finish(State::Faulted);
    stop()
}

/// Cannot format: the place of a panic is found by the program counter, and text would cost kilobytes.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    MAILBOX.finish(State::Panicked);
    stop()
}

/// Halts for the debugger, and again if it goes on.
fn stop() -> ! {
    loop {
        // SAFETY: stops the core; without a debugger it faults, and the fault stops here again.
        unsafe { asm!("bkpt 0") };
    }
}
