//! Integrations with other libraries, each behind a feature of the library's name. Off, they add nothing: neither
//! a dependency nor a byte.
//!
//! | feature | what |
//! | --- | --- |
//! | `defmt` | `Format` for errors and containers |
//! | `serde` | `Serialize` and `Deserialize` for containers, without `std` |
//! | `heapless` | conversions between containers and `heapless::Vec` and `heapless::String` |
//! | `embedded-io` | messages with their length before them, over `embedded_io::Write` and `Read` |

#[cfg(feature = "defmt")]
mod defmt;
#[cfg(feature = "embedded-io")]
mod embedded_io;
#[cfg(feature = "heapless")]
mod heapless;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "embedded-io")]
pub use self::embedded_io::Delimited;
