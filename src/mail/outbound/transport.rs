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

    /// Sends a message.
    pub fn send(&mut self, message: &Message) -> Result<Receipt, SendError> {
        self.send_while(message, &|| false)
    }

    /// Sends a message. Waits up to ten minutes for the answer of a server that has all of it, while
    /// `waits` returns true.
    pub fn send_while(
        &mut self,
        message: &Message,
        waits: &dyn Fn() -> bool,
    ) -> Result<Receipt, SendError> {
        let (envelope, bytes) = message.to_wire()?;
        let server = match &self.config.server {
            MailServer::Sendmail(program) => {
                return sendmail::send(program, &envelope, &bytes, self.timeout);
            }
            MailServer::Smtp(server) => server,
        };
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(server, self.timeout)?,
        };
        let outcome = connection.send(&envelope, &bytes, waits);
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
