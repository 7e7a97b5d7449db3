//! How does text become HTML?
//!
//! Invariant: what leaves this room as HTML is safe to show, and what leaves it as plain text has lost no word.
//! May import: nothing of ours but the ids of `domain`.

pub mod html;
pub mod strip;

pub use html::escape;
