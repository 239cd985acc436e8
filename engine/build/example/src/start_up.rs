//! From reset to `main`, and what happens when something goes wrong.

use core::arch::asm;
use core::panic::PanicInfo;

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
}

// SAFETY: the table is constant; nobody writes through its pointers.
unsafe impl Sync for Vector {}

const FAULT: Vector = Vector { handler: fault };

/// Initial stack pointer, reset, and the system exceptions. Interrupts stay disabled, so the table ends here.
#[used]
#[unsafe(link_section = ".vector_table")]
static VECTORS: [Vector; 16] = [
    Vector { stack: &raw const __stack_top },
    Vector { handler: Reset },
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
    FAULT,
];

/// The entry point: zeroes and copies static data, switches the FPU on, starts.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name linkers and debuggers know")]
unsafe extern "C" fn Reset() -> ! {
    /// Armv7-M: access to the coprocessors 10 and 11, which are the FPU.
    const CPACR: *mut u32 = 0xe000_ed88 as *mut u32;
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
        CPACR.write_volatile(CPACR.read_volatile() | 0xf << 20);
        asm!("dsb", "isb");
    }
    crate::main()
}

unsafe extern "C" fn fault() -> ! {
    halt()
}

/// Stays here, for a debugger to find.
pub fn halt() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// In release builds nothing can panic, and this proves it: the function called here does not exist, so a firmware
/// with a reachable panic does not link.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    #[cfg(not(debug_assertions))]
    {
        unsafe extern "C" {
            #[link_name = "error: this firmware can panic"]
            fn can_panic() -> !;
        }
        // SAFETY: never linked.
        unsafe { can_panic() }
    }
    #[cfg(debug_assertions)]
    halt()
}
