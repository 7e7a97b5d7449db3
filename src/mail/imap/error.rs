//! Why a mailbox cannot be used.

use crate::one_line::one_line;
use async_imap::error::Error;
use quarry_net::Interruption;
use std::io;

/// Why a mailbox cannot be used: one line of a bounded length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MailboxError(String);

impl MailboxError {
    /// Creates an error with a text that may come from the server.
    pub fn new(text: &str) -> MailboxError {
        MailboxError(one_line(text))
    }

    /// Creates an error of a step, such as `the login failed`.
    pub fn at(step: &str, error: &dyn std::fmt::Display) -> MailboxError {
        MailboxError::new(&format!("{step}: {error}"))
    }
}

impl From<Error> for MailboxError {
    fn from(error: Error) -> MailboxError {
        match error {
            Error::Io(error) => error.into(),
            Error::No(text) | Error::Bad(text) => MailboxError::new(&text),
            Error::ConnectionLost => MailboxError::new(CLOSED),
            error => MailboxError::new(&error.to_string()),
        }
    }
}

impl From<Interruption> for MailboxError {
    fn from(interruption: Interruption) -> MailboxError {
        MailboxError::new(&interruption.to_string())
    }
}

impl From<io::Error> for MailboxError {
    fn from(error: io::Error) -> MailboxError {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            MailboxError::new(CLOSED)
        } else {
            MailboxError::new(&error.to_string())
        }
    }
}

/// The message if the server has closed the connection.
pub const CLOSED: &str = "the server has closed the connection";
