//! Every instruction of the integer and DSP sets and of the FPU that compilers rarely emit, over edge
//! values, with the flags. What they should do is not written here: QEMU's trace says it.
#![no_std]
#![no_main]

use core::arch::asm;
use core::hint::black_box;

use golden::Random;

const EDGES: [u32; 12] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x0000_8000,
    0x7fff_8001,
    0x8000_7fff,
    0x00ff_ff00,
    0x1234_5678,
    0x807f_01ff,
    0xfedc_ba98,
];

/// 1.5, -0.0, infinities, NaNs, subnormals, halves to be rounded, limits of the integers.
const FLOATS: [u32; 16] = [
    0x3fc0_0000,
    0x8000_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_1234,
    0x7f80_0001,
    0xffc0_0000,
    0x0000_0001,
    0x807f_ffff,
    0x4020_0000,
    0xc060_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x7f7f_ffff,
    0x3300_0001,
];

/// Each instruction on each pair of values: `$t` in r2, r3 with r0, r1 as further operands.
macro_rules! integer {
    ($($text:literal)*) => {
        #[inline(never)]
        fn integer_pair(n: u32, m: u32, flags: u32) {
            $(
                // SAFETY: only the registers named are changed, and flags, which asm may change.
                unsafe {
                    asm!(
                        "msr apsr_nzcvqg, r4",
                        $text,
                        "mrs r5, apsr",
                        inout("r0") n => _, inout("r1") m => _, inout("r2") n ^ m => _,
                        inout("r3") n.wrapping_add(m) => _, in("r4") flags, out("r5") _, out("r12") _, out("lr") _,
                    );
                }
            )*
        }
    };
}

integer! {
    // Data processing by register, with every shift, and by constant.
    "adcs r2, r0, r1" "adds r2, r0, r1, lsl #3" "add r2, r0, r1, lsr #31" "sbcs r2, r0, r1, asr #1" "subs r2, r0, r1, ror #7"
    "rsbs r2, r0, r1, rrx" "ands r2, r0, r1, lsr #32" "bics r2, r0, r1, asr #32" "orrs r2, r0, r1, rrx" "orns r2, r0, r1, lsl #9"
    "eors r2, r0, r1, ror #1" "mvns r2, r1, lsl #31" "movs r2, r1, rrx" "tst r0, r1, lsr #4" "teq r0, r1, ror #16"
    "cmp r0, r1, lsl #1" "cmn r0, r1, asr #5" "lsls.w r2, r0, r1" "lsrs.w r2, r0, r1" "asrs.w r2, r0, r1" "rors.w r2, r0, r1"
    "adds r2, r0, #0xff00ff00" "sbcs r2, r0, #0x00ab00ab" "adcs r2, r0, #0x7f" "ands r2, r0, #0xc4000000" "rsbs.w r2, r0, #0x3fc00"
    "orrs r2, r0, #0xff000000" "orns r2, r0, #0x55555555" "eors r2, r0, #0x80000000" "bics r2, r0, #0xf0" "tst r0, #0xc0000000"
    "teq r0, #0x0000ff00" "cmp r0, #0x80000000" "cmn r0, #0x7f800000" "movs.w r2, #0x7f800000" "mvns r2, #0x8000"
    "addw r2, r0, #4095" "subw r2, r0, #4095" "movw r2, #0xabcd" "movt r2, #0x1234" "movs r2, r1" "ands r0, r1" ".p2align 2\n adr r2, 1f\n nop\n .p2align 2\n 1: nop" ".p2align 2\n 1: nop.w\n adr.w r2, 1b" "adr r2, . + 8"
    // Narrow forms, inside and outside of IT blocks.
    "adds r2, r0, r1" "subs r2, r0, #7" "lsls r2, r0, #1" "lsrs r2, r0, #32" "asrs r2, r0, #32" "muls r2, r0, r2" "rsbs r2, r0, #0"
    "adcs r0, r1" "sbcs r0, r1" "rors r0, r1" "lsls r0, r1" "lsrs r0, r1" "asrs r0, r1" "mvns r2, r1" "bics r0, r1" "tst r0, r1" "cmn r0, r1"
    "ite eq\n addeq r2, r0, r1\n subne r2, r0, r1" "itet mi\n lslmi r2, r0, #3\n lslpl r2, r0, #5\n adcmi r3, r1"
    "ittee hi\n cmphi r1, r0\n addhi r2, r0, #1\n orrls r2, r1\n mulls r3, r0, r3"
    "itttt ge\n addge r2, r2, #1\n addge r2, r2, #2\n addge r2, r2, #4\n cmpge r2, r0"
    "it vs\n mvnvs r2, r0" "it lt\n rorlt r0, r1" "it gt\n asrgt r2, r0, #2"
    // Bits and bytes.
    "clz r2, r0" "rbit r2, r0" "rev r2, r0" "rev16 r2, r0" "revsh r2, r0" "rev.w r2, r0" "rev16.w r2, r0" "revsh.w r2, r0"
    "bfi r2, r0, #4, #9" "bfi r2, r0, #0, #32" "bfc r2, #7, #20" "sbfx r2, r0, #3, #11" "ubfx r2, r0, #31, #1" "sbfx r2, r0, #0, #32"
    "sxtb r2, r0" "sxth r2, r0" "uxtb r2, r0" "uxth r2, r0" "sxtb.w r2, r0, ror #8" "uxth.w r2, r0, ror #24" "sxth.w r2, r0, ror #16" "uxtb.w r2, r0, ror #8"
    "sxtab r2, r0, r1, ror #16" "uxtab r2, r0, r1" "sxtah r2, r0, r1, ror #8" "uxtah r2, r0, r1" "sxtb16 r2, r0" "uxtb16 r2, r0, ror #8"
    "sxtab16 r2, r0, r1, ror #24" "uxtab16 r2, r0, r1" "pkhbt r2, r0, r1, lsl #5" "pkhtb r2, r0, r1, asr #9" "pkhtb r2, r0, r1, asr #32" "pkhbt r2, r0, r1"
    "ssat r2, #8, r0" "ssat r2, #1, r0, lsl #3" "ssat r2, #32, r0, asr #5" "usat r2, #8, r0" "usat r2, #0, r0, asr #31" "usat r2, #31, r0, lsl #1"
    "ssat16 r2, #9, r0" "usat16 r2, #9, r0" "ssat16 r2, #1, r0" "usat16 r2, #0, r0"
    // Multiplication and division.
    "mul r2, r0, r1" "mla r2, r0, r1, r3" "mls r2, r0, r1, r3" "umull r2, r3, r0, r1" "smull r2, r3, r0, r1" "umlal r2, r3, r0, r1"
    "smlal r2, r3, r0, r1" "umaal r2, r3, r0, r1" "udiv r2, r0, r1" "sdiv r2, r0, r1"
    "smulbb r2, r0, r1" "smulbt r2, r0, r1" "smultb r2, r0, r1" "smultt r2, r0, r1" "smlabb r2, r0, r1, r3" "smlabt r2, r0, r1, r3"
    "smlatb r2, r0, r1, r3" "smlatt r2, r0, r1, r3" "smulwb r2, r0, r1" "smulwt r2, r0, r1" "smlawb r2, r0, r1, r3" "smlawt r2, r0, r1, r3"
    "smuad r2, r0, r1" "smuadx r2, r0, r1" "smlad r2, r0, r1, r3" "smladx r2, r0, r1, r3" "smusd r2, r0, r1" "smusdx r2, r0, r1"
    "smlsd r2, r0, r1, r3" "smlsdx r2, r0, r1, r3" "smmul r2, r0, r1" "smmulr r2, r0, r1" "smmla r2, r0, r1, r3" "smmlar r2, r0, r1, r3"
    "smmls r2, r0, r1, r3" "smmlsr r2, r0, r1, r3" "usad8 r2, r0, r1" "usada8 r2, r0, r1, r3"
    "smlalbb r2, r3, r0, r1" "smlalbt r2, r3, r0, r1" "smlaltb r2, r3, r0, r1" "smlaltt r2, r3, r0, r1" "smlald r2, r3, r0, r1"
    "smlaldx r2, r3, r0, r1" "smlsld r2, r3, r0, r1" "smlsldx r2, r3, r0, r1"
    // Saturating and parallel arithmetic; SEL after the ones that set GE.
    "qadd r2, r0, r1" "qsub r2, r0, r1" "qdadd r2, r0, r1" "qdsub r2, r0, r1"
    "sadd8 r2, r0, r1\n sel r3, r0, r1" "sadd16 r2, r0, r1\n sel r3, r0, r1" "sasx r2, r0, r1\n sel r3, r0, r1" "ssub8 r2, r0, r1\n sel r3, r0, r1"
    "ssub16 r2, r0, r1\n sel r3, r0, r1" "ssax r2, r0, r1\n sel r3, r0, r1" "uadd8 r2, r0, r1\n sel r3, r0, r1" "uadd16 r2, r0, r1\n sel r3, r0, r1"
    "uasx r2, r0, r1\n sel r3, r0, r1" "usub8 r2, r0, r1\n sel r3, r0, r1" "usub16 r2, r0, r1\n sel r3, r0, r1" "usax r2, r0, r1\n sel r3, r0, r1"
    "qadd8 r2, r0, r1" "qadd16 r2, r0, r1" "qasx r2, r0, r1" "qsub8 r2, r0, r1" "qsub16 r2, r0, r1" "qsax r2, r0, r1"
    "shadd8 r2, r0, r1" "shadd16 r2, r0, r1" "shasx r2, r0, r1" "shsub8 r2, r0, r1" "shsub16 r2, r0, r1" "shsax r2, r0, r1"
    "uqadd8 r2, r0, r1" "uqadd16 r2, r0, r1" "uqasx r2, r0, r1" "uqsub8 r2, r0, r1" "uqsub16 r2, r0, r1" "uqsax r2, r0, r1"
    "uhadd8 r2, r0, r1" "uhadd16 r2, r0, r1" "uhasx r2, r0, r1" "uhsub8 r2, r0, r1" "uhsub16 r2, r0, r1" "uhsax r2, r0, r1"
    // Branches that compare.
    "cbz r2, 1f\n movs r3, #9\n 1:" "cbnz r2, 1f\n movs r3, #9\n 1:" "bgt.w 1f\n movs r3, #8\n 1:" "b.w 1f\n nop.w\n 1:"
    "mov r12, r0\n add r12, r1\n cmp r12, r0\n mov r2, r12" "and r12, r0, #3\n tbb [pc, r12]\n .byte 2, 3, 4, 5\n nop\n nop\n nop\n nop"
    "and r12, r0, #1\n tbh [pc, r12, lsl #1]\n .short 2, 3\n nop\n nop" "adr r12, 1f\n orr r12, r12, #1\n bx r12\n .p2align 2\n 1: nop"
    "adr r12, 1f\n orr r12, r12, #1\n blx r12\n .p2align 2\n 1: nop" "adr r12, 1f\n mov pc, r12\n .p2align 2\n 1: nop"
    "msr apsr_nzcvq, r0" "msr apsr_g, r0" "mrs r2, xpsr" "cpsid i\n mrs r2, primask\n cpsie i" "dmb\n dsb\n isb" "sev" "pld [r0]"
}

/// Each instruction with `r0` pointing into a buffer.
macro_rules! memory {
    ($($text:literal)*) => {
        #[inline(never)]
        fn memory(buffer: &mut [u32; 32], value: u32, index: u32) {
            let middle = buffer[16..].as_mut_ptr();
            $(
                // SAFETY: every access stays within 64 bytes of the middle of the 128-byte buffer.
                unsafe {
                    asm!(
                        $text,
                        inout("r0") middle => _, inout("r1") value => _, inout("r2") index => _,
                        inout("r3") !value => _, out("r4") _, out("r5") _, out("r12") _, out("lr") _,
                        out("s0") _, out("s1") _, out("s2") _, out("s3") _, out("s4") _, out("s5") _,
                    );
                }
            )*
        }
    };
}

memory! {
    "str r1, [r0, #4]\n ldr r4, [r0, #4]\n ldrb r5, [r0, #5]" "strh r1, [r0, #6]\n ldrsh.w r4, [r0, #6]\n ldrh r5, [r0, #4]"
    "strb r1, [r0, #9]\n ldrsb.w r4, [r0, #9]\n ldrb r5, [r0, #8]" "str.w r1, [r0, #12]\n ldr.w r4, [r0, #13]\n ldrh.w r5, [r0, #15]"
    "str r1, [r0, r2]\n ldr r4, [r0, r2]" "strh r1, [r0, r2]\n ldrsh r4, [r0, r2]\n ldrh r5, [r0, r2]" "strb r1, [r0, r2]\n ldrsb r4, [r0, r2]\n ldrb r5, [r0, r2]"
    "str.w r1, [r0, r2, lsl #1]\n ldr.w r4, [r0, r2, lsl #1]" "strh.w r1, [r0, r2, lsl #1]\n ldrsh.w r4, [r0, r2, lsl #1]\n ldrh.w r5, [r0, r2]"
    "strb.w r1, [r0, r2, lsl #2]\n ldrsb.w r4, [r0, r2, lsl #2]\n ldrb.w r5, [r0, r2]"
    "str r1, [r0, #-8]!\n ldr r4, [r0], #4\n ldr r5, [r0, #-4]" "strh r1, [r0, #-6]!\n ldrh r4, [r0], #2\n ldrsh r5, [r0, #-2]!" "strb r1, [r0], #-3\n ldrb r4, [r0, #3]!\n ldrsb r5, [r0], #1"
    "ldrsh r4, [r0], #-7\n ldrsb r5, [r0, #-1]!" "strh r1, [r0], #2\n strb r3, [r0, #-1]!\n ldr r4, [r0, #-4]"
    "strb.w r1, [r0, #-5]\n ldrb.w r4, [r0, #-5]\n strh.w r1, [r0, #-10]\n ldrh.w r5, [r0, #-10]" "ldrsb.w r4, [r0, #-3]\n ldrsh.w r5, [r0, #-12]\n str r1, [r0, #-12]"
    "strd r1, r3, [r0, #8]\n ldrd r4, r5, [r0, #8]" "strd r1, r3, [r0, #-16]!\n ldrd r4, r5, [r0], #8" "strd r3, r1, [r0], #8\n ldrd r4, r5, [r0, #-8]!"
    "stmia r0!, {{r1, r2, r3}}\n ldmdb r0!, {{r3, r4, r5}}" "stmdb r0!, {{r1, r3}}\n ldmia r0, {{r4, r5}}" "stmia.w r0, {{r1, r12, lr}}\n ldmia.w r0!, {{r4, r5, r12}}" "stm r0!, {{r1, r3}}\n ldmdb r0, {{r4, r5}}"
    "push {{r1, r3, lr}}\n pop {{r4, r5, r12}}" "push {{r1, r3}}\n pop {{r3, r4}}" "str r1, [sp, #-8]!\n ldr r4, [sp]\n str r3, [sp, #4]\n ldr r5, [sp, #4]\n add sp, #8" "sub sp, #16\n add r4, sp, #8\n mov r5, sp\n add sp, #16"
    "ldr.w r4, 1f\n ldr.w pc, 2f\n .p2align 2\n 1: .word 0x89abcdef\n 2: .word 3f + 1\n 3: nop"
    "ldr r4, 1f\n b 2f\n .p2align 2\n 1: .word 0x89abcdef\n 2:" "ldrb.w r4, 1f\n ldrsb.w r5, 1f\n b 2f\n .p2align 2\n 1: .word 0x89abcdef\n 2:"
    "ldrh.w r4, 1f\n ldrsh.w r5, 1f\n b 2f\n .p2align 2\n 1: .word 0x89abcdef\n 2:" "ldrd r4, r5, 1f\n b 2f\n .p2align 2\n 1: .word 0x89abcdef, 0x01234567\n 2:"
    "ldrex r4, [r0, #4]\n strex r5, r1, [r0, #4]\n strex r12, r3, [r0, #4]" "ldrexb r4, [r0]\n strexb r5, r1, [r0]" "ldrexh r4, [r0]\n strexh r5, r1, [r0]" "ldrex r4, [r0]\n clrex\n strex r5, r1, [r0]"
    "adr r12, 1f + 1\n push {{r12}}\n pop {{pc}}\n .p2align 2\n 1: nop" "adr r12, 1f + 1\n str r12, [r0]\n ldr pc, [r0]\n .p2align 2\n 1: nop" "adr r12, 1f + 1\n stmia r0!, {{r1, r12}}\n ldmdb.w r0, {{r4, pc}}\n .p2align 2\n 1: nop"
    "ldr r4, [r0, #1]\n str r1, [r0, #2]\n ldrh r5, [r0, #3]" "ldrt r4, [r0, #4]\n strt r1, [r0, #8]\n ldrbt r5, [r0, #4]"
    "vmov s0, r1\n vstr s0, [r0, #8]\n vldr s1, [r0, #8]\n vldr s2, [r0, #-4]" "vmov d0, r1, r3\n vstr d0, [r0, #-16]\n vldr d1, [r0, #-16]" "vmov s2, s3, r1, r3\n vmov r4, r5, s2, s3\n vmov r12, s3"
    "vmov d1, r1, r3\n vmov r4, r5, d1\n vmov.32 d0[1], r1\n vmov.32 r12, d1[1]" "vstmia r0!, {{s0-s3}}\n vldmdb r0!, {{s2-s5}}" "vstmdb r0!, {{d0-d1}}\n vldmia r0, {{d1-d2}}" "vldmia r0!, {{s0-s2}}\n vstmia r0, {{s1}}" "vpush {{d0-d2}}\n vpop {{d0-d2}}" "vpush {{s1-s3}}\n vpop {{s0-s2}}"
    "vldr s0, 1f\n vldr d1, 1f\n b 2f\n .p2align 2\n 1: .word 0x3f800000, 0x40490fdb\n 2:" "vmrs r4, fpscr\n vmsr fpscr, r4"
}

/// Each instruction on each pair of floats: s1 and s2, into s0, with s0 as addend.
macro_rules! float {
    ($($text:literal)*) => {
        #[inline(never)]
        fn float(n: u32, m: u32, d: u32) {
            $(
                // SAFETY: only the registers named are changed.
                unsafe {
                    asm!(
                        "vmov s0, r3\n vmov s1, r0\n vmov s2, r1",
                        $text,
                        "vmrs apsr_nzcv, fpscr",
                        in("r0") n, in("r1") m, in("r3") d, out("s0") _, out("s1") _, out("s2") _,
                    );
                }
            )*
        }
    };
}

float! {
    "vadd.f32 s0, s1, s2" "vsub.f32 s0, s1, s2" "vmul.f32 s0, s1, s2" "vnmul.f32 s0, s1, s2" "vdiv.f32 s0, s1, s2"
    "vmla.f32 s0, s1, s2" "vmls.f32 s0, s1, s2" "vnmla.f32 s0, s1, s2" "vnmls.f32 s0, s1, s2"
    "vfma.f32 s0, s1, s2" "vfms.f32 s0, s1, s2" "vfnma.f32 s0, s1, s2" "vfnms.f32 s0, s1, s2"
    "vcmp.f32 s1, s2" "vcmpe.f32 s1, s2" "vcmp.f32 s1, #0" "vcmpe.f32 s1, #0"
    "vabs.f32 s0, s1" "vneg.f32 s0, s1" "vsqrt.f32 s0, s1" "vmov.f32 s0, s2" "vmov.f32 s0, #-1.75" "vmov.f32 s0, #31.0"
    "vcvt.f32.u32 s0, s1" "vcvt.f32.s32 s0, s1" "vcvt.u32.f32 s0, s1" "vcvt.s32.f32 s0, s1" "vcvtr.u32.f32 s0, s1" "vcvtr.s32.f32 s0, s1"
    "vcvtb.f32.f16 s0, s1" "vcvtt.f32.f16 s0, s1" "vcvtb.f16.f32 s0, s1" "vcvtt.f16.f32 s0, s1"
    "vcvt.f32.s32 s0, s0, #7" "vcvt.f32.u32 s0, s0, #32" "vcvt.f32.s16 s0, s0, #3" "vcvt.f32.u16 s0, s0, #16"
    "vcvt.s32.f32 s0, s0, #7" "vcvt.u32.f32 s0, s0, #1" "vcvt.s16.f32 s0, s0, #3" "vcvt.u16.f32 s0, s0, #16"
}

#[unsafe(no_mangle)]
extern "C" fn run() -> u32 {
    for (i, &n) in EDGES.iter().enumerate() {
        for (j, &m) in EDGES.iter().enumerate() {
            let flags = ((i + j) as u32 & 15) << 28 | (j as u32 & 1) << 27 | (i as u32) << 16 & 0xf_0000;
            integer_pair(black_box(n), black_box(m), black_box(flags));
        }
    }
    let mut buffer = [0u32; 32];
    for (i, &value) in EDGES.iter().enumerate() {
        memory(black_box(&mut buffer), value, black_box(i as u32 & 7));
    }
    for &n in &FLOATS {
        for (i, &m) in FLOATS.iter().enumerate() {
            float(black_box(n), black_box(m), black_box(FLOATS[(i * 7 + 3) % 16]));
        }
    }
    // Edges show flags and limits, random values the rest.
    let mut random = Random(0x9e37_79b9);
    for _ in 0..black_box(150) {
        integer_pair(random.next(), random.next(), random.next() & 0xf80f_0000);
        // Near each other, so that sums and fused products are not just the larger operand.
        let near = |bits: u32| bits & 0x87ff_ffff | 0x3800_0000;
        float(near(random.next()), near(random.next()), near(random.next()));
        float(random.next(), random.next(), random.next());
    }
    0
}
