//! One connection to a server.

use super::error::SendError;
use super::receipt::Receipt;
use crate::one_line::one_line;
use crate::password;
use lettre::address::Envelope;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use quarry_config::{Encryption, SmtpServer};
use std::error::Error as _;
use std::io;
use std::time::{Duration, Instant};

/// Maximum time for the answer to a complete message. A server that has accepted it may need that long
/// to say so, and would get it again (RFC 5321, 4.5.3.2.6).
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// A connection on which messages can be sent one after another.
pub struct Connection {
    smtp: SmtpConnection,
    /// Server and encryption.
    description: String,
    is_usable: bool,
}

impl Connection {
    /// Connects, encrypts the connection and logs in, as the configuration says.
    ///
    /// # Errors
    /// `Unavailable` whatever is wrong.
    pub fn open(server: &SmtpServer, timeout: Duration) -> Result<Connection, SendError> {
        let context = |step: &str, error: &Error| {
            SendError::Unavailable(one_line(&format!("{server}: {step}: {}", words(error))))
        };
        let hello = ClientId::default();
        let tls = tls_parameters(server).map_err(|error| context("TLS", &error))?;
        let implicit = (server.encryption == Encryption::Implicit).then_some(&tls);
        let address = (server.host.as_str(), server.port);
        let mut smtp = SmtpConnection::connect(address, Some(timeout), &hello, implicit, None)
            .map_err(|error| context("cannot connect", &error))?;
        let is_offered = smtp.can_starttls();
        match server.encryption {
            Encryption::Required if !is_offered => {
                smtp.abort();
                return Err(SendError::Unavailable(format!(
                    "{server}: the server does not offer STARTTLS, and the password is not sent without it"
                )));
            }
            Encryption::Required | Encryption::Opportunistic if is_offered => {
                smtp.starttls(&tls, &hello)
                    .map_err(|error| context("STARTTLS failed", &error))?;
            }
            _ => {}
        }
        if let Some(user) = &server.user {
            let password = password::load(
                server.password.as_deref(),
                server.password_file.as_deref(),
                "mail_password_file",
            );
            let password = password.map_err(SendError::Unavailable)?;
            let credentials = Credentials::new(user.clone(), password);
            smtp.auth(DEFAULT_MECHANISMS, &credentials)
                .map_err(|error| context("the login failed", &error))?;
        }
        let encryption = if smtp.is_encrypted() { "TLS" } else { "no TLS" };
        Ok(Connection {
            smtp,
            description: format!("{server}, {encryption}"),
            is_usable: true,
        })
    }

    /// Sends a message. Waits for the answer to it beyond the timeout while `waits` returns true.
    pub fn send(
        &mut self,
        envelope: &Envelope,
        message: &[u8],
        waits: &dyn Fn() -> bool,
    ) -> Result<Receipt, SendError> {
        let mut options = Vec::new();
        let mut addresses = envelope.from().into_iter().chain(envelope.to());
        let is_ascii = addresses.all(|address| address.to_string().is_ascii());
        if !is_ascii {
            if !self
                .smtp
                .server_info()
                .supports_feature(Extension::SmtpUtfEight)
            {
                return Err(SendError::Permanent(
                    "the server does not support addresses that are not ASCII".to_owned(),
                ));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        let sender = Mail::new(envelope.from().cloned(), options);
        if let Err(error) = self.smtp.command(sender) {
            let failure = self.failure(&error);
            // A server that refuses the sender refuses every message, unless this one alone has
            // options.
            return Err(match failure {
                SendError::Permanent(text) if is_ascii => {
                    SendError::Unavailable(format!("the server refuses the sender: {text}"))
                }
                failure => failure,
            });
        }
        for recipient in envelope.to() {
            let recipient = Rcpt::new(recipient.clone(), Vec::new());
            self.smtp
                .command(recipient)
                .map_err(|error| self.failure(&error))?;
        }
        self.smtp
            .command(Data)
            .map_err(|error| self.failure(&error))?;
        // `SmtpConnection::message` writes the end on its own, for which a server that delays its
        // acknowledgements makes each mail wait 40 ms (Nagle's algorithm).
        let content = content(&String::from_utf8_lossy(message));
        let start = Instant::now();
        let mut outcome = self.smtp.command(content);
        while outcome.as_ref().is_err_and(is_timeout) && start.elapsed() < ANSWER_TIMEOUT && waits()
        {
            outcome = self.smtp.read_response();
        }
        let response = outcome.map_err(|error| self.failure(&error))?;
        let answer = response.message().collect::<Vec<_>>().join(" ");
        Ok(Receipt {
            server: self.description.clone(),
            answer: one_line(&format!("{} {answer}", response.code())),
        })
    }

    /// Returns why a command failed. After an answer of the server, the connection is reset; without
    /// one it is lost.
    fn failure(&mut self, error: &Error) -> SendError {
        let text = one_line(&words(error));
        // 421: the server closes the connection.
        let is_answer = error
            .status()
            .is_some_and(|code| u16::from(code) != CLOSING);
        self.is_usable = is_answer && self.smtp.command(Rset).is_ok();
        if error.is_permanent() {
            SendError::Permanent(text)
        } else {
            SendError::Temporary(text)
        }
    }

    /// Whether another message can be sent.
    pub fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Says goodbye.
    pub fn close(mut self) {
        // The server has all messages; its answer does not matter.
        let _ = self.smtp.quit();
    }
}

/// Returns a message as it follows `DATA`: no line begins with a single dot but the last one, which
/// ends it (RFC 5321, 4.5.2).
fn content(message: &str) -> String {
    let dot = if message.starts_with('.') { "." } else { "" };
    let lines = message.replace("\r\n.", "\r\n..");
    let end = if message.ends_with("\r\n") {
        ".\r\n"
    } else {
        "\r\n.\r\n"
    };
    format!("{dot}{lines}{end}")
}

/// The answer of a server that closes the connection.
const CLOSING: u16 = 421;

/// Returns the words of the server, or what went wrong before it could answer.
fn words(error: &Error) -> String {
    if is_timeout(error) {
        return "the server did not answer in time".to_owned();
    }
    let source = error.source().map(ToString::to_string);
    match (error.status(), source) {
        (Some(code), Some(text)) => format!("{code} {text}"),
        (Some(code), None) => code.to_string(),
        (None, Some(text)) => text,
        (None, None) => error.to_string(),
    }
}

/// Whether the server did not answer in time. A read that times out would block.
fn is_timeout(error: &Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return matches!(
                error.kind(),
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock
            );
        }
        source = error.source();
    }
    false
}

/// Returns how the connection is encrypted. A password is sent only to a server whose certificate
/// was verified, or to this machine.
fn tls_parameters(server: &SmtpServer) -> Result<TlsParameters, Error> {
    let is_opportunistic = server.encryption == Encryption::Opportunistic;
    TlsParameters::builder(server.host.clone())
        .dangerous_accept_invalid_certs(is_opportunistic)
        .dangerous_accept_invalid_hostnames(is_opportunistic)
        .build()
}

#[cfg(test)]
mod tests {
    use super::content;

    #[test]
    fn lines_with_dots_do_not_end_a_message() {
        assert_eq!(content("a\r\n.\r\nb\r\n"), "a\r\n..\r\nb\r\n.\r\n");
        assert_eq!(content(".a\r\n\r\n.."), "..a\r\n\r\n...\r\n.\r\n");
    }
}
