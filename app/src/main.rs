//! The `wirebench` binary: a window without arguments, a command line with them.
fn main() {}
