//! Mail: how messages are written and sent, and how they are received and parsed.
//!
//! The content of messages is written in `mailer`, and the outbox is in the store. Invariant: no text of a
//! sender or a record can add a header. May import: `config`, `domain` and `net`.

pub mod imap;
pub mod incoming;
mod one_line;
pub mod outgoing;
mod password;
mod tls;
