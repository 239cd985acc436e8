//! Runs a firmware with timing and profile and prints how fast it was simulated:
//! `cargo run --release -p wirebench-sim --example speed -- FILE.elf [RUNS]`.
//!
//! Expects flash at 0x0800_0000 (1 MiB) and RAM at 0x2000_0000 (128 KiB).

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::error::Error;
use std::time::{Duration, Instant};

use wirebench_sim::{Image, Machine, Memory, Preset, Region, Stop};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: speed FILE.elf [RUNS]")?;
    let runs: u32 = arguments.next().map_or(Ok(5), |runs| runs.parse())?;
    let image = Image::load(&std::fs::read(file)?)?;
    let memory = Memory::new(Region::new(0x0800_0000, 1 << 20), Region::new(0x2000_0000, 128 << 10));
    for profile in [false, true] {
        let mut fastest = Duration::MAX;
        let mut machine = Machine::new(&image, Preset::cortex_m4f(), memory)?;
        let mut stop = Stop::Limit;
        for _ in 0..runs {
            machine = Machine::new(&image, Preset::cortex_m4f(), memory)?;
            machine.record_profile(profile);
            let start = Instant::now();
            stop = machine.run(1_000_000_000);
            fastest = fastest.min(start.elapsed());
        }
        let mips = machine.instructions() as f64 / fastest.as_secs_f64() / 1e6;
        let with = if profile { "timing and profile" } else { "timing" };
        println!("{with}: {mips:.1} MIPS ({stop:?})");
        println!(
            "  {} instructions, {} cycles, {} bytes of stack",
            machine.instructions(),
            machine.cycles(),
            machine.peak_stack()
        );
        for function in machine.profile().iter().flat_map(|profile| &profile.functions).take(12) {
            println!(
                "  {:>10} of its own {:>10} inclusive {:>8} calls  {}",
                function.cycles_self, function.cycles_inclusive, function.calls, function.name
            );
        }
    }
    Ok(())
}
