//! Wire bytes against the cases of publicly reported faults, against prost-reflect, and against noise.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like the tests themselves")]

mod annotated;
mod cases;
mod forms;
mod json;
mod random;
mod samples;
mod support;
