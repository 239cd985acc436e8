//! Wire bytes against the cases of publicly reported faults, against prost-reflect, and against noise.

mod cases;
mod forms;
mod json;
mod support;
