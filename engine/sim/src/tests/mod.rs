//! Tests that need the crate's inside or several of its parts.

mod golden;
