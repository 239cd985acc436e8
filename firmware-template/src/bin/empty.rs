//! The firmware without a scenario: what every other one is compared with.
#![no_std]
#![no_main]

fn run() -> u32 {
    1
}

firmware::scenario!(run, build_id: 0);
