//! Drawing blocks that know neither the application's state nor the engine: they take plain data
//! and return what the user did.

pub mod bar;
pub mod code_editor;
pub mod code_view;
pub mod hex;
pub mod highlight;
pub mod parts;
