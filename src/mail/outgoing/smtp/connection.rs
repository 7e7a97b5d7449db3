//! One connection to a server.

use super::failure::{Failure, words};
use super::session::{Session, encrypt};
use crate::one_line::one_line;
use crate::outgoing::error::SendError;
use crate::outgoing::receipt::Receipt;
use crate::password;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::commands::{Data, Mail, Quit, Rcpt, Rset};
use lettre::transport::smtp::extension::{Extension, MailParameter};
use quarry_config::{Encryption, SmtpServer};
use quarry_net::{BlockingRuntime, Stream, tls};
use std::cell::Cell;
use std::time::{Duration, Instant};
use tokio_rustls::rustls::ClientConfig;

/// Maximum number of timeouts that opening a connection may take, and the envelope of a message.
const PHASE_TIMEOUTS: u32 = 2;
/// Time that a server has for its reply to a complete message when the service stops. Without the reply,
/// the message would be sent again.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum time for the reply to the last command.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A connection on which messages can be sent one after another.
pub struct Connection {
    runtime: BlockingRuntime,
    session: Session,
    /// Server and encryption.
    description: String,
    timeout: Duration,
    is_usable: bool,
}

impl Connection {
    /// Connects, encrypts the connection and logs in, as the configuration says: each step within
    /// `timeout`, and all within twice that time.
    ///
    /// # Errors
    /// `Unavailable` whatever is wrong, and `Stopped` soon after `is_running` returns false.
    pub fn open(
        server: &SmtpServer,
        timeout: Duration,
        is_running: &dyn Fn() -> bool,
    ) -> Result<Connection, SendError> {
        let step = Cell::new("cannot connect");
        let to_error = |failure: Failure| match failure {
            Failure::Stopped => SendError::Stopped,
            failure => {
                let step = step.get();
                let words = failure.words();
                SendError::Unavailable(one_line(&format!("{server}: {step}: {words}")))
            }
        };
        let runtime = BlockingRuntime::new().map_err(|error| to_error(error.into()))?;
        let opening = open(server, timeout, &step);
        let opened = runtime.run(PHASE_TIMEOUTS * timeout, is_running, opening);
        let (session, is_encrypted) = opened.map_err(to_error)?;
        let encryption = if is_encrypted { "TLS" } else { "no TLS" };
        Ok(Connection {
            runtime,
            session,
            description: format!("{server}, {encryption}"),
            timeout,
            is_usable: true,
        })
    }

    /// Sends a message. The server has `answer_timeout` for its reply to the complete message.
    ///
    /// # Errors
    /// `Stopped` soon after `is_running` returns false.
    pub fn send(
        &mut self,
        envelope: &Envelope,
        message: &[u8],
        answer_timeout: Duration,
        is_running: &dyn Fn() -> bool,
    ) -> Result<Receipt, SendError> {
        let mut options = Vec::new();
        let mut addresses = envelope.from().into_iter().chain(envelope.to());
        let is_ascii = addresses.all(|address| address.to_string().is_ascii());
        if !is_ascii {
            let info = &self.session.server_info;
            if !info.supports_feature(Extension::SmtpUtfEight) {
                return Err(SendError::Permanent(
                    "the server does not support addresses that are not ASCII".to_owned(),
                ));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        let sender = Mail::new(envelope.from().cloned(), options);
        let session = &mut self.session;
        let outcome = self.runtime.run(self.timeout, is_running, async {
            session.command(sender).await
        });
        if let Err(failure) = outcome {
            let error = self.end(&failure, is_running);
            // A server that refuses the sender refuses every message, unless this one alone has
            // options.
            return Err(match error {
                SendError::Permanent(text) if is_ascii => {
                    SendError::Unavailable(format!("the server refuses the sender: {text}"))
                }
                error => error,
            });
        }
        let session = &mut self.session;
        let outcome = self
            .runtime
            .run(PHASE_TIMEOUTS * self.timeout, is_running, async {
                for recipient in envelope.to() {
                    let recipient = Rcpt::new(recipient.clone(), Vec::new());
                    session.command(recipient).await?;
                }
                session.command(Data).await
            });
        outcome.map_err(|failure| self.end(&failure, is_running))?;
        // One write with the end of the message: for an end on its own, a server that delays its
        // acknowledgements makes each mail wait 40 ms (Nagle's algorithm).
        let content = content(&String::from_utf8_lossy(message));
        let stopped_at = Cell::new(None);
        let may_wait_for_reply = || {
            if !is_running() && stopped_at.get().is_none() {
                stopped_at.set(Some(Instant::now()));
            }
            stopped_at
                .get()
                .is_none_or(|stop: Instant| stop.elapsed() < STOP_TIMEOUT)
        };
        let session = &mut self.session;
        let time = self.timeout + answer_timeout;
        let outcome = self.runtime.run(time, &may_wait_for_reply, async {
            session.command_with(content, answer_timeout).await
        });
        let reply = outcome.map_err(|failure| self.end(&failure, is_running))?;
        Ok(Receipt {
            server: self.description.clone(),
            answer: one_line(&words(&reply)),
        })
    }

    /// Returns the error of a failed command. After a reply of the server, the connection is reset;
    /// without one it is lost.
    fn end(&mut self, failure: &Failure, is_running: &dyn Fn() -> bool) -> SendError {
        self.is_usable = failure.is_usable() && self.reset(is_running);
        let text = one_line(&failure.words());
        match failure {
            Failure::Stopped => SendError::Stopped,
            failure if failure.is_permanent() => SendError::Permanent(text),
            _ => SendError::Temporary(text),
        }
    }

    fn reset(&mut self, is_running: &dyn Fn() -> bool) -> bool {
        let session = &mut self.session;
        let outcome = self.runtime.run(self.timeout, is_running, async {
            session.command(Rset).await
        });
        outcome.is_ok()
    }

    /// Whether another message can be sent.
    pub fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Says goodbye.
    pub fn close(mut self) {
        let session = &mut self.session;
        // The server has all messages; its answer does not matter.
        let _ = self.runtime.run(QUIT_TIMEOUT, &|| true, async {
            session.command(Quit).await
        });
    }
}

/// Starts a session, and returns it and whether it is encrypted. Sets `step` to what fails.
async fn open(
    server: &SmtpServer,
    timeout: Duration,
    step: &Cell<&'static str>,
) -> Result<(Session, bool), Failure> {
    let host = server.host.as_str();
    let tcp = quarry_net::connect(host, server.port, timeout).await?;
    let mut stream: Box<dyn Stream> = Box::new(tcp);
    let mut is_encrypted = server.encryption == Encryption::Implicit;
    if is_encrypted {
        stream = encrypt(host, tls_config(server)?, stream, timeout).await?;
    }
    let mut session = Session::start(stream, timeout).await?;
    if !is_encrypted {
        let is_offered = session.server_info.supports_feature(Extension::StartTls);
        if is_offered {
            step.set("STARTTLS failed");
            session = session.start_tls(host, tls_config(server)?).await?;
            is_encrypted = true;
        } else if server.encryption == Encryption::Required {
            step.set("STARTTLS");
            return Err(Failure::Lost(
                "the server does not offer it, and the password is not sent without it".to_owned(),
            ));
        }
    }
    if let Some(user) = &server.user {
        step.set("the login failed");
        let password = password::load(
            server.password.as_deref(),
            server.password_file.as_deref(),
            "mail_password_file",
        );
        let password = password.map_err(Failure::Lost)?;
        let credentials = Credentials::new(user.clone(), password);
        session.log_in(&credentials).await?;
    }
    Ok((session, is_encrypted))
}

/// Returns how the connection is encrypted. A password is sent only to a server whose certificate
/// was verified, or to this machine.
fn tls_config(server: &SmtpServer) -> Result<ClientConfig, Failure> {
    let config = match server.encryption {
        Encryption::Opportunistic => tls::unverified(),
        Encryption::Implicit | Encryption::Required => tls::verified(tls::system_roots()),
    };
    config.map_err(|error| Failure::Lost(format!("TLS: {error}")))
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

#[cfg(test)]
mod tests {
    use super::content;

    #[test]
    fn lines_with_dots_do_not_end_a_message() {
        assert_eq!(content("a\r\n.\r\nb\r\n"), "a\r\n..\r\nb\r\n.\r\n");
        assert_eq!(content(".a\r\n\r\n.."), "..a\r\n\r\n...\r\n.\r\n");
    }
}
