//! Schema, limits, plan, generated code, cost and wire bytes: pure functions.
