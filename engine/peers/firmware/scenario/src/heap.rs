//! A heap for the libraries that need one: the next block stands behind the last, and the whole heap is
//! free again when nothing in it is in use, as after every run of a scenario.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

const SIZE: usize = 16 * 1024;

#[repr(align(8))]
struct Arena(UnsafeCell<[u8; SIZE]>);

// SAFETY: one thread, no interrupts.
unsafe impl Sync for Arena {}

/// Left out of the static data a library is charged with: its use is reported instead.
#[unsafe(export_name = "PEER_HEAP_ARENA")]
static ARENA: Arena = Arena(UnsafeCell::new([0; SIZE]));
static NEXT: AtomicU32 = AtomicU32::new(0);
static IN_USE: AtomicU32 = AtomicU32::new(0);

/// Most bytes that were taken from the heap at a time. Read by the host.
#[cfg(feature = "split")]
#[unsafe(export_name = "PEER_HEAP_PEAK")]
static PEAK: AtomicU32 = AtomicU32::new(0);

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

/// Keeps the highest mark, in the builds that check.
#[inline(always)]
fn note(_end: usize) {
    #[cfg(feature = "split")]
    if _end as u32 > PEAK.load(Relaxed) {
        PEAK.store(_end as u32, Relaxed);
    }
}

// SAFETY: blocks do not overlap while in use, and are aligned as asked for up to the arena's own 8 bytes.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = (NEXT.load(Relaxed) as usize).next_multiple_of(layout.align());
        let end = start + layout.size();
        if layout.align() > 8 || end > SIZE {
            return null_mut();
        }
        NEXT.store(end as u32, Relaxed);
        IN_USE.store(IN_USE.load(Relaxed) + 1, Relaxed);
        note(end);
        // SAFETY: inside the arena.
        unsafe { ARENA.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {
        let in_use = IN_USE.load(Relaxed) - 1;
        IN_USE.store(in_use, Relaxed);
        if in_use == 0 {
            NEXT.store(0, Relaxed);
        }
    }

    /// The last block grows where it stands.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let start = block as usize - ARENA.0.get() as usize;
        let end = start + size;
        if start + layout.size() == NEXT.load(Relaxed) as usize && end <= SIZE {
            NEXT.store(end as u32, Relaxed);
            note(end);
            return block;
        }
        // SAFETY: as asked of the caller; the new block is fresh and at least as long as the copy.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                core::ptr::copy_nonoverlapping(block, new, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            new
        }
    }
}
