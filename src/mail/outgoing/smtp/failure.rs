//! Why a command failed.

use lettre::transport::smtp::response::{Response, Severity};
use quarry_net::Interruption;
use std::io;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The server has refused it.
    Refused(Response),
    /// There is no reply.
    Lost(String),
    /// The service stops.
    Stopped,
}

/// The reply of a server that closes the connection.
const CLOSING: u16 = 421;

impl Failure {
    /// Whether the server has refused the command for good.
    pub fn is_permanent(&self) -> bool {
        matches!(self, Failure::Refused(reply) if reply.code().severity == Severity::PermanentNegativeCompletion)
    }

    /// Whether the server waits for the next command.
    pub fn is_usable(&self) -> bool {
        matches!(self, Failure::Refused(reply) if u16::from(reply.code()) != CLOSING)
    }

    /// Returns the words of the server, or what went wrong before it could answer.
    pub fn words(&self) -> String {
        match self {
            Failure::Refused(reply) => words(reply),
            Failure::Lost(problem) => problem.clone(),
            Failure::Stopped => Interruption::Stop.to_string(),
        }
    }
}

/// Returns code and text of a reply. Servers repeat the enhanced status code (RFC 2034) on each line; it
/// is kept once.
pub fn words(reply: &Response) -> String {
    let status = reply.first_word().unwrap_or_default();
    let is_status =
        status.split('.').count() == 3 && status.split('.').all(|part| part.parse::<u16>().is_ok());
    let mut words = reply.code().to_string();
    for (index, line) in reply.message().enumerate() {
        let text = match line.strip_prefix(status) {
            Some(rest) if is_status && index > 0 => rest.trim_start(),
            _ => line,
        };
        if !text.is_empty() {
            words.push(' ');
            words.push_str(text);
        }
    }
    words
}

impl From<Interruption> for Failure {
    fn from(interruption: Interruption) -> Failure {
        match interruption {
            Interruption::Timeout => Failure::Lost(interruption.to_string()),
            Interruption::Stop => Failure::Stopped,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Lost(error.to_string())
    }
}
