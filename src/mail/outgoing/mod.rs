//! Messages that are sent, and the server or the program that takes them.

mod error;
#[cfg(test)]
mod hostile_tests;
mod message;
mod receipt;
mod sendmail;
mod smtp;
#[cfg(test)]
mod tests;
mod transport;

pub use error::SendError;
pub use message::{ListHeaders, Message};
pub use receipt::Receipt;
pub use transport::Transport;
