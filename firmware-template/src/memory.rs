//! Memory routines of about 100 bytes in all. The compiler's own are weak symbols, so these win.
//!
//! They move words whatever the alignment, which ARMv7E-M allows; the rest of up to three bytes goes
//! by the two low bits of the count. `memmove` stays the compiler's.

use core::arch::global_asm;

global_asm!(
    r#"
    .syntax unified
    .thumb

    @ r0 = to, r1 = from, r2 = count; returns r0
    .section .text.small_memcpy, "ax", %progbits
    .global memcpy, __aeabi_memcpy, __aeabi_memcpy4, __aeabi_memcpy8
    .type memcpy, %function
    .thumb_func
memcpy:
    .thumb_func
__aeabi_memcpy:
    .thumb_func
__aeabi_memcpy4:
    .thumb_func
__aeabi_memcpy8:
    mov   r12, r0
    b     2f
1:  ldr   r3, [r1], #4
    str   r3, [r12], #4
2:  subs  r2, #4
    bge   1b
    lsls  r2, r2, #31
    itt   cs
    ldrhcs r3, [r1], #2
    strhcs r3, [r12], #2
    itt   mi
    ldrbmi r3, [r1]
    strbmi r3, [r12]
    bx    lr
    .size memcpy, . - memcpy

    @ The run-time ABI's own order of arguments: r0 = to, r1 = count, r2 = value; clear has no value
    .section .text.small_memset, "ax", %progbits
    .global __aeabi_memclr, __aeabi_memclr4, __aeabi_memclr8
    .global __aeabi_memset, __aeabi_memset4, __aeabi_memset8, memset
    .type memset, %function
    .thumb_func
__aeabi_memclr:
    .thumb_func
__aeabi_memclr4:
    .thumb_func
__aeabi_memclr8:
    movs  r2, #0
    .thumb_func
__aeabi_memset:
    .thumb_func
__aeabi_memset4:
    .thumb_func
__aeabi_memset8:
    mov   r3, r1
    mov   r1, r2
    mov   r2, r3
    @ r0 = to, r1 = value, r2 = count; returns r0
    .thumb_func
memset:
    mov   r12, r0
    uxtb  r1, r1
    orr   r1, r1, r1, lsl #8
    orr   r1, r1, r1, lsl #16
    b     2f
1:  str   r1, [r12], #4
2:  subs  r2, #4
    bge   1b
    lsls  r2, r2, #31
    it    cs
    strhcs r1, [r12], #2
    it    mi
    strbmi r1, [r12]
    bx    lr
    .size memset, . - memset

    @ r0, r1 = what is compared, r2 = count; returns the first difference
    .section .text.small_memcmp, "ax", %progbits
    .global memcmp, bcmp
    .type memcmp, %function
    .thumb_func
memcmp:
    .thumb_func
bcmp:
    mov   r12, r0
    movs  r0, #0
    push  {{r4}}
1:  subs  r2, #1
    blo   2f
    ldrb  r3, [r12], #1
    ldrb  r4, [r1], #1
    subs  r0, r3, r4
    beq   1b
2:  pop   {{r4}}
    bx    lr
    .size memcmp, . - memcmp
"#
);
