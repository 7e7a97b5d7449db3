//! Mail: how messages are written and sent, and how they are received and parsed.
//!
//! What a message says is written in `web`, what waits to be sent is in the store. Invariant: what a
//! sender or a record says never becomes a header. May import: `config` and `domain`.

pub mod imap;
pub mod incoming;
mod one_line;
pub mod outbound;
mod password;
