//! Limits and settings: which bound every field has, and where it came from.

mod limits;

pub use limits::{
    Direction, FieldLimits, IntWidth, LimitSource, Limits, MessageSettings, Optimize, Overflow, Settings,
    Sourced, StorageChoice, Utf8Policy,
};
