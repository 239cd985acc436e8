//! Our own lossless view of a `.proto` file: tokens with trivia and an outline of declarations,
//! tolerant of errors. Every text edit, quick fix, outline and highlight works on it; protox only checks.
