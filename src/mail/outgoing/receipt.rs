//! What accepted a message.

/// What accepted a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Server and encryption, or the program.
    pub server: String,
    /// The words of the server.
    pub answer: String,
}
