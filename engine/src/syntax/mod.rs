//! Our own lossless view of a `.proto` file: tokens with trivia and an outline of declarations,
//! tolerant of errors. Every text edit, quick fix, outline and highlight works on it; protox only checks.
//!
//! ```text
//! text ─▶ lex ─▶ tokens (every byte in exactly one) ─▶ outline ─▶ declarations with ranges
//!                                                  └─▶ highlight ─▶ tokens coloured by their role
//! ```
//!
//! Nothing here fails or recurses: half-typed text gives the declarations that can be made out, and
//! nesting costs memory, never stack.

mod edit;
mod highlight;
mod lexer;
mod outline;
mod parser;

pub use edit::{Edit, apply_edits};
pub use highlight::highlight;
pub use lexer::{Token, TokenKind, lex};
pub use outline::{Decl, DeclKind, Outline};
pub use parser::outline;
