//! A mail server that does what a test tells it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A message that the server has accepted.
#[derive(Clone, Debug)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    /// Head and body.
    pub data: String,
}

impl Received {
    /// Returns the value of a header that is on one line.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (head, _) = self.data.split_once("\r\n\r\n").unwrap();
        head.split("\r\n")
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// How the server answers.
#[derive(Clone, Debug)]
pub struct Answers {
    pub greeting: &'static str,
    /// The extensions that it offers.
    pub extensions: &'static [&'static str],
    pub sender: &'static str,
    /// The answer to a sender with the parameter SMTPUTF8.
    pub utf8_sender: &'static str,
    /// The answer to each recipient, by a part of the command.
    pub recipients: Vec<(&'static str, &'static str)>,
    /// The answer to the end of a message; empty closes the connection without one.
    pub message: &'static str,
    /// The wait before that answer.
    pub delay: Duration,
    /// The command at which the connection is closed; `.` is the end of a message.
    pub drop_at: &'static str,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers {
            greeting: "220 ready",
            extensions: &[],
            sender: "250 ok",
            utf8_sender: "250 ok",
            recipients: Vec::new(),
            message: "250 queued as 1",
            delay: Duration::ZERO,
            drop_at: "",
        }
    }
}

#[derive(Default)]
struct State {
    answers: Answers,
    received: Vec<Received>,
    commands: Vec<String>,
    connections: usize,
}

/// A server on a free port, until the end of the process.
#[derive(Clone)]
pub struct MailServer {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl MailServer {
    /// Starts a server.
    pub fn start() -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = MailServer {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        let state = Arc::clone(&server.state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                // A client that goes away ends its conversation.
                std::thread::spawn(move || drop(serve(&stream, &state)));
            }
        });
        server
    }

    /// Returns the value of the key `mail`.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// Returns the value of the key `mail` with a login.
    pub fn url_with_login(&self, host: &str) -> String {
        format!("smtp://me:secret@{host}:{}", self.port)
    }

    /// Changes the answers.
    pub fn answer(&self, change: impl FnOnce(&mut Answers)) {
        change(&mut self.state.lock().unwrap().answers);
    }

    /// Takes the messages that it has accepted.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.lock().unwrap().received)
    }

    /// Returns the number of accepted messages.
    pub fn count(&self) -> usize {
        self.state.lock().unwrap().received.len()
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.state.lock().unwrap().connections
    }

    /// Returns the commands of all connections.
    pub fn commands(&self) -> Vec<String> {
        self.state.lock().unwrap().commands.clone()
    }
}

fn serve(stream: &TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    let answers = || state.lock().unwrap().answers.clone();
    state.lock().unwrap().connections += 1;
    write!(out, "{}\r\n", answers().greeting)?;
    let mut mail = Received {
        from: String::new(),
        to: Vec::new(),
        data: String::new(),
    };
    while let Some(line) = lines.next().transpose()? {
        state.lock().unwrap().commands.push(line.clone());
        let verb = line.split_whitespace().next().unwrap_or_default();
        if verb.eq_ignore_ascii_case(answers().drop_at) {
            return Ok(());
        }
        let answer = match verb.to_uppercase().as_str() {
            "EHLO" => {
                for extension in answers().extensions {
                    write!(out, "250-{extension}\r\n")?;
                }
                "250 8BITMIME"
            }
            "AUTH" => "235 welcome",
            "MAIL" => {
                mail.from.clone_from(&line);
                mail.to.clear();
                if line.ends_with("SMTPUTF8") {
                    answers().utf8_sender
                } else {
                    answers().sender
                }
            }
            "RCPT" => {
                mail.to.push(line.clone());
                let answers = answers();
                let known = answers
                    .recipients
                    .iter()
                    .find(|(part, _)| line.contains(part));
                known.map_or("250 ok", |(_, answer)| answer)
            }
            "DATA" => {
                write!(out, "354 go on\r\n")?;
                mail.data.clear();
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    mail.data.push_str(line.strip_prefix('.').unwrap_or(&line));
                    mail.data.push_str("\r\n");
                }
                let answers = answers();
                std::thread::sleep(answers.delay);
                if answers.message.is_empty() {
                    return Ok(());
                }
                if answers.message.starts_with('2') {
                    state.lock().unwrap().received.push(mail.clone());
                }
                answers.message
            }
            "QUIT" => {
                write!(out, "221 bye\r\n")?;
                return Ok(());
            }
            _ => "250 ok",
        };
        write!(out, "{answer}\r\n")?;
    }
    Ok(())
}

impl MailServer {
    /// Returns the messages that it has accepted.
    pub fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }
}
