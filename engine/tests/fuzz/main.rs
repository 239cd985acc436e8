//! Bodies that take any bytes: none may panic, hang or need more than a small stack, and what each says of
//! its input must hold. `./test --long` gives every body a minute; see `runner`.

mod runner;

mod json;
mod limits;
mod pasted;
mod schema;
mod seeds;
mod text;
mod wire;
