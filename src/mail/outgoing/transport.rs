//! Sends messages over one connection, or by a program.

use super::error::SendError;
use super::message::Message;
use super::receipt::Receipt;
use super::sendmail;
use super::smtp::Connection;
use quarry_config::{MailConfig, MailServer};
use std::time::Duration;

/// Maximum time for one step of a conversation with the server.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time for the answer to a complete message. A server that has accepted it may need that long
/// to say so, and would get it again (RFC 5321, 4.5.3.2.6).
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// Sends messages. The connection is made with the first message, and used for the others.
pub struct Transport {
    config: MailConfig,
    timeout: Duration,
    connection: Option<Connection>,
}

impl Transport {
    /// Creates a transport, without connecting.
    pub fn new(config: &MailConfig) -> Transport {
        Transport {
            config: config.clone(),
            timeout: TIMEOUT,
            connection: None,
        }
    }

    /// Waits at most this long for each step.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Transport {
        Transport { timeout, ..self }
    }

    /// Sends a message. Waits for the answer of the server no longer than for any other step.
    pub fn send(&mut self, message: &Message) -> Result<Receipt, SendError> {
        self.send_within(message, self.timeout, &|| true)
    }

    /// Sends a message. Waits up to ten minutes for the answer of a server that has all of it. Ends
    /// within two seconds after `is_running` returns false.
    pub fn send_while(
        &mut self,
        message: &Message,
        is_running: &dyn Fn() -> bool,
    ) -> Result<Receipt, SendError> {
        self.send_within(message, ANSWER_TIMEOUT, is_running)
    }

    fn send_within(
        &mut self,
        message: &Message,
        answer_timeout: Duration,
        is_running: &dyn Fn() -> bool,
    ) -> Result<Receipt, SendError> {
        let (envelope, bytes) = message.to_wire()?;
        let server = match &self.config.server {
            MailServer::Sendmail(program) => {
                return sendmail::send(program, &envelope, &bytes, self.timeout, is_running);
            }
            MailServer::Smtp(server) => server,
        };
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(server, self.timeout, is_running)?,
        };
        let outcome = connection.send(&envelope, &bytes, answer_timeout, is_running);
        if connection.is_usable() {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Whether the last connection is still open.
    pub fn is_connected(&self) -> bool {
        self.connection.is_some() || matches!(self.config.server, MailServer::Sendmail(_))
    }

    /// Ends the connection.
    pub fn close(self) {
        if let Some(connection) = self.connection {
            connection.close();
        }
    }
}
