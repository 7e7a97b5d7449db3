//! Conversations with a server that takes messages (RFC 5321).
//!
//! lettre writes the commands and parses the replies. Its own connection takes no stream, reads a line to
//! its end however long it is, and fails for replies that are not UTF-8.

mod connection;
mod failure;
mod session;

pub use connection::Connection;
