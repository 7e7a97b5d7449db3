//! Commands and replies.

use super::failure::Failure;
use crate::tls;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::commands::{Auth, Ehlo, Starttls};
use lettre::transport::smtp::extension::{ClientId, ServerInfo};
use lettre::transport::smtp::response::Response;
use quarry_net::{BoundedStream, Stream};
use std::fmt::Display;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;

/// Maximum number of bytes of a reply.
const MAX_REPLY: usize = 64 * 1024;
/// Maximum number of questions of a server about a login.
const MAX_CHALLENGES: usize = 10;
/// The code of a question about a login.
const CHALLENGE: u16 = 334;

/// A server that answers commands.
pub struct Session {
    stream: BufReader<BoundedStream<Box<dyn Stream>>>,
    /// What the server offers.
    pub server_info: ServerInfo,
    /// Maximum time for the reply to a command.
    timeout: Duration,
}

impl Session {
    /// Waits for the greeting of a server, and for what it offers.
    pub async fn start(stream: Box<dyn Stream>, timeout: Duration) -> Result<Session, Failure> {
        let mut session = Session::new(stream, timeout);
        session.stream.get_mut().allow(MAX_REPLY, timeout);
        session.read_reply().await?;
        session.greet().await?;
        Ok(session)
    }

    fn new(stream: Box<dyn Stream>, timeout: Duration) -> Session {
        Session {
            stream: BufReader::new(BoundedStream::new(stream)),
            server_info: ServerInfo::default(),
            timeout,
        }
    }

    async fn greet(&mut self) -> Result<(), Failure> {
        let reply = self.command(Ehlo::new(ClientId::default())).await?;
        let info = ServerInfo::from_response(&reply);
        self.server_info = info.map_err(|error| Failure::Lost(error.to_string()))?;
        Ok(())
    }

    /// Encrypts the connection. What the server has sent before is dropped.
    pub async fn start_tls(mut self, host: &str, config: ClientConfig) -> Result<Session, Failure> {
        self.command(Starttls).await?;
        let plain = self.stream.into_inner().into_inner();
        let encrypted = encrypt(host, config, plain, self.timeout).await?;
        let mut session = Session::new(encrypted, self.timeout);
        session.greet().await?;
        Ok(session)
    }

    /// Logs in.
    pub async fn log_in(&mut self, credentials: &Credentials) -> Result<(), Failure> {
        let mechanism = self.server_info.get_auth_mechanism(DEFAULT_MECHANISMS);
        let mechanism = mechanism.ok_or_else(|| {
            Failure::Lost("the server offers no login by PLAIN or LOGIN".to_owned())
        })?;
        let unusable = |error: lettre::transport::smtp::Error| Failure::Lost(error.to_string());
        let start = Auth::new(mechanism, credentials.clone(), None).map_err(unusable)?;
        let mut reply = self.command(start).await?;
        for _ in 0..MAX_CHALLENGES {
            if !reply.has_code(CHALLENGE) {
                return Ok(());
            }
            let answer = Auth::new_from_response(mechanism, credentials.clone(), &reply);
            reply = self.command(answer.map_err(unusable)?).await?;
        }
        Err(Failure::Lost(
            "the server asks again and again about the login".to_owned(),
        ))
    }

    /// Sends a command, and returns the reply if it is positive.
    pub async fn command(&mut self, command: impl Display) -> Result<Response, Failure> {
        self.command_with(command, self.timeout).await
    }

    /// The same with a time for the reply of its own.
    pub async fn command_with(
        &mut self,
        command: impl Display,
        time: Duration,
    ) -> Result<Response, Failure> {
        let stream = self.stream.get_mut();
        stream.allow(MAX_REPLY, self.timeout);
        stream.write_all(command.to_string().as_bytes()).await?;
        stream.flush().await?;
        stream.allow(MAX_REPLY, time);
        self.read_reply().await
    }

    /// Reads a reply, whose text may be in any character set.
    async fn read_reply(&mut self) -> Result<Response, Failure> {
        let mut text = String::new();
        loop {
            let mut line = Vec::new();
            self.stream.read_until(b'\n', &mut line).await?;
            if !line.ends_with(b"\n") {
                return Err(Failure::Lost(
                    "the server has closed the connection".to_owned(),
                ));
            }
            let line = String::from_utf8_lossy(line.trim_ascii_end());
            text.push_str(&line);
            // A reply without a text need not have the blank before it (RFC 5321, 4.2).
            if line.len() == 3 {
                text.push(' ');
            }
            text.push_str("\r\n");
            if !is_continued(&line) {
                break;
            }
        }
        let reply = text.parse::<Response>().map_err(|_| {
            let answer = text.trim_end();
            Failure::Lost(format!("the answer of the server is not SMTP: {answer}"))
        })?;
        if reply.is_positive() {
            Ok(reply)
        } else {
            Err(Failure::Refused(reply))
        }
    }
}

/// Whether another line of the reply follows this one.
fn is_continued(line: &str) -> bool {
    let Some((code, _)) = line.split_once('-') else {
        return false;
    };
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Encrypts a connection to a host.
pub async fn encrypt(
    host: &str,
    config: ClientConfig,
    stream: Box<dyn Stream>,
    time: Duration,
) -> Result<Box<dyn Stream>, Failure> {
    match timeout(time, tls::encrypt(host, config, stream)).await {
        Ok(encrypted) => encrypted.map_err(Failure::Lost),
        Err(_) => Err(quarry_net::Interruption::Timeout.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::failure::words;
    use super::*;
    use tokio::io::duplex;

    const TIME: Duration = Duration::from_secs(30);

    /// Returns what a session makes of these bytes in place of a reply.
    async fn reply(bytes: &[u8]) -> Result<Response, Failure> {
        let (client, mut server) = duplex(1 << 20);
        server.write_all(bytes).await.unwrap();
        drop(server);
        let mut session = Session::new(Box::new(client), TIME);
        session.stream.get_mut().allow(MAX_REPLY, TIME);
        session.read_reply().await
    }

    async fn problem(bytes: &[u8]) -> String {
        reply(bytes).await.unwrap_err().words()
    }

    #[tokio::test]
    async fn refusal_that_is_not_utf_8_is_permanent() {
        let failure = reply(b"550 5.1.1 Empf\xe4nger unbekannt\r\n")
            .await
            .unwrap_err();
        assert!(failure.is_permanent() && failure.is_usable());
        assert_eq!(failure.words(), "550 5.1.1 Empf\u{fffd}nger unbekannt");
        let failure = reply(b"450-\xe4\r\n450 \xe4\r\n").await.unwrap_err();
        assert!(!failure.is_permanent() && failure.is_usable());
    }

    #[tokio::test]
    async fn enhanced_status_code_of_each_line_is_kept_once() {
        let failure = reply(b"550-5.7.25 no\r\n550 5.7.25 name\r\n")
            .await
            .unwrap_err();
        assert_eq!(failure.words(), "550 5.7.25 no name");
        let reply = reply(b"250-a b\r\n250-a c\r\n250\r\n").await.unwrap();
        assert_eq!(words(&reply), "250 a b a c");
    }

    #[tokio::test]
    async fn lines_that_end_without_a_carriage_return_are_replies() {
        assert_eq!(words(&reply(b"250-a\n250 b\n").await.unwrap()), "250 a b");
    }

    #[tokio::test]
    async fn answers_without_an_end_are_no_replies() {
        let long = "the answer of the server is too long";
        assert_eq!(problem(&vec![b'x'; 2 * MAX_REPLY]).await, long);
        assert_eq!(problem(&b"250-x\r\n".repeat(MAX_REPLY)).await, long);
        let closed = "the server has closed the connection";
        for end in [&b""[..], b"25", b"250 o", b"250-x\r\n", b"250-x\r\n250 "] {
            assert_eq!(problem(end).await, closed);
        }
        let foreign = "the answer of the server is not SMTP: SSH-2.0";
        assert_eq!(problem(b"SSH-2.0\r\n").await, foreign);
    }
}
