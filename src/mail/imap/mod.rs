//! A mailbox of a server, from which mails are received by IMAP (RFC 3501, IDLE of RFC 2177).
//!
//! async-imap treats the refusal of a search, a fetch or a change of flags as the end of the response, and
//! a lost connection as an empty response. Commands are therefore run by `session::run`, which checks how
//! each one ended.

mod connect;
mod error;
mod mailbox;
mod session;

pub use error::MailboxError;
pub use mailbox::{Fetched, Mailbox, Waiting};
