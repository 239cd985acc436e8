//! From files to a checked [`Model`] with all features resolved, and problems in our own words.

mod model;

pub use model::{
    Cardinality, DefaultValue, Enum, EnumId, EnumValue, Field, FieldRef, Kind, Message, MessageId, Model,
    Oneof, Presence, SourceFile, Syntax,
};
