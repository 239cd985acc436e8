//! A Cortex-M simulator with a cycle model.
