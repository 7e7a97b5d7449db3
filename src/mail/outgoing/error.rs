//! Why a message was not sent.

use std::fmt;

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    /// Nothing can be sent: the server cannot be reached, or refuses the login or the sender.
    Unavailable(String),
    /// This message may be accepted later.
    Temporary(String),
    /// This message will never be accepted.
    Permanent(String),
    /// The service was stopped before the server or the program confirmed the message, which may have
    /// been accepted all the same.
    Stopped,
}

impl SendError {
    /// Returns the reason, one line of a bounded length.
    pub fn text(&self) -> &str {
        match self {
            SendError::Unavailable(text)
            | SendError::Temporary(text)
            | SendError::Permanent(text) => text,
            SendError::Stopped => "the service is stopped",
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl std::error::Error for SendError {}
