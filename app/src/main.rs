//! The `wirebench` binary: a window without a subcommand, a command line with one.

fn main() {}
