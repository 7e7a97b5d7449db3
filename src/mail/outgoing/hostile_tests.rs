//! Tests with servers that break the rules at each step of a conversation.

use super::tests::message;
use super::{SendError, Transport};
use quarry_config::{Encryption, MailConfig, MailServer, SmtpServer};
use quarry_domain::values::mail_address::MailAddress;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_millis(300);
/// The steps at which a server misbehaves: before its greeting, and instead of a reply to these commands.
const STEPS: [&str; 6] = ["", "EHLO", "MAIL", "RCPT", "DATA", "."];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Bytes without an end of the line.
    EndlessLine,
    /// Lines without an end of the reply.
    EndlessReply,
    /// A byte now and then.
    Drip,
    /// Nothing.
    Silence,
    /// The connection is closed.
    End,
}

const KINDS: [Kind; 5] = [
    Kind::EndlessLine,
    Kind::EndlessReply,
    Kind::Drip,
    Kind::Silence,
    Kind::End,
];

impl Kind {
    fn problem(self) -> &'static str {
        match self {
            Kind::EndlessLine | Kind::EndlessReply => "the answer of the server is too long",
            Kind::Drip | Kind::Silence => "the server did not answer in time",
            Kind::End => "the server has closed the connection",
        }
    }

    /// Misbehaves until the client goes away.
    fn misbehave(self, mut stream: &TcpStream) -> io::Result<()> {
        let (block, pause) = match self {
            Kind::EndlessLine => (vec![b'2'; 4096], Duration::ZERO),
            Kind::EndlessReply => (b"250-x\r\n".repeat(500), Duration::ZERO),
            Kind::Drip => (b"2".to_vec(), TIMEOUT / 10),
            Kind::Silence => {
                return io::copy(&mut stream, &mut io::sink()).map(drop);
            }
            Kind::End => return Ok(()),
        };
        loop {
            stream.write_all(&block)?;
            thread::sleep(pause);
        }
    }
}

/// Answers like a server until a step, at which it misbehaves.
fn serve(stream: &TcpStream, kind: Kind, step: &str) -> io::Result<()> {
    if step.is_empty() {
        return kind.misbehave(stream);
    }
    let mut out = stream;
    out.write_all(b"220 ready\r\n")?;
    let mut is_message = false;
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?;
        if is_message && line != "." {
            continue;
        }
        let verb = line.split([' ', '\r']).next().unwrap();
        if verb == step {
            return kind.misbehave(stream);
        }
        is_message = verb == "DATA";
        out.write_all(if is_message {
            b"354 go on\r\n"
        } else {
            b"250 ok\r\n"
        })?;
    }
    Ok(())
}

fn start(kind: Kind, step: &'static str) -> MailConfig {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        // The client ends the conversation by an error here.
        drop(serve(&listener.accept().unwrap().0, kind, step));
    });
    MailConfig {
        server: MailServer::Smtp(SmtpServer {
            host: "127.0.0.1".to_owned(),
            port,
            encryption: Encryption::Opportunistic,
            user: None,
            password: None,
            password_file: None,
        }),
        from: MailAddress::new("Quarry", "quarry@example.org"),
    }
}

#[test]
fn conversation_ends_in_time_at_each_step() {
    thread::scope(|scope| {
        for (kind, step) in KINDS
            .iter()
            .flat_map(|kind| STEPS.map(|step| (*kind, step)))
        {
            scope.spawn(move || {
                let config = start(kind, step);
                let mut transport = Transport::new(&config).with_timeout(TIMEOUT);
                let start = Instant::now();
                let error = transport.send(&message("a", "b")).unwrap_err();
                assert!(
                    error.text().ends_with(kind.problem()),
                    "{kind:?} {step}: {error}"
                );
                // Before a mail was begun, none counts an attempt.
                let is_unavailable = matches!(error, SendError::Unavailable(_));
                assert_eq!(
                    is_unavailable,
                    ["", "EHLO"].contains(&step),
                    "{kind:?} {step}"
                );
                let is_temporary = matches!(error, SendError::Temporary(_));
                assert_eq!(is_temporary, !is_unavailable, "{kind:?} {step}: {error:?}");
                assert!(!transport.is_connected(), "{kind:?} {step}");
                assert!(start.elapsed() < 10 * TIMEOUT, "{kind:?} {step}");
            });
        }
    });
}

#[test]
fn stop_ends_the_conversation_at_each_step() {
    thread::scope(|scope| {
        for step in STEPS {
            scope.spawn(move || {
                let config = start(Kind::Silence, step);
                let mut transport = Transport::new(&config);
                let start = Instant::now();
                let stop = Duration::from_millis(200);
                let outcome = transport.send_while(&message("a", "b"), &|| start.elapsed() < stop);
                assert_eq!(outcome, Err(SendError::Stopped), "{step}");
                transport.close();
                assert!(start.elapsed() < Duration::from_secs(5), "{step}");
            });
        }
    });
}

#[test]
fn message_whose_reply_comes_soon_after_the_stop_is_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let stream = listener.accept().unwrap().0;
        serve_slowly(&stream).unwrap();
    });
    let mut config = start(Kind::End, "");
    if let MailServer::Smtp(server) = &mut config.server {
        server.port = port;
    }
    let mut transport = Transport::new(&config);
    let start = Instant::now();
    let stop = Duration::from_millis(200);
    let outcome = transport.send_while(&message("a", "b"), &|| start.elapsed() < stop);
    assert_eq!(outcome.unwrap().answer, "250 ok");
}

/// Answers like a server that needs half a second for a message.
fn serve_slowly(mut stream: &TcpStream) -> io::Result<()> {
    stream.write_all(b"220 ready\r\n250 ok\r\n250 ok\r\n250 ok\r\n354 go on\r\n")?;
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    while !received.ends_with(b"\r\n.\r\n") {
        let count = stream.read(&mut buffer)?;
        received.extend_from_slice(&buffer[..count]);
    }
    thread::sleep(Duration::from_millis(500));
    stream.write_all(b"250 ok\r\n")
}
