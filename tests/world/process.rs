//! The program as a process: start, requests over a socket, shutdown.

use crate::html_lines;
use crate::target_folder;
use crate::wait::{TIMEOUT, until};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread::JoinHandle;

/// Returns the program with these arguments and a clean environment, except for the password of
/// `admin`.
pub fn quarry(arguments: &[&str]) -> Command {
    let mut command = Command::new(target_folder::program());
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUARRY_"))
    {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .env("QUARRY_ADMIN_PASSWORD", "adminadmin")
        .env(
            "STATEMENT_LOG_TEST",
            std::thread::current().name().unwrap_or_default(),
        )
        .stdin(Stdio::null());
    command
}

/// Returns a command that runs a script of the shell, in which `"$0" "$@"` is the program.
pub fn through_shell(script: &str, program: &Command) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a command on this data directory and waits for it.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    quarry(arguments)
        .arg("--data")
        .arg(folder)
        .output()
        .unwrap()
}

/// Returns the output; asserts success.
#[track_caller]
pub fn message(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone())
        .unwrap()
        .trim_end()
        .to_owned()
}

/// A service in its own process, killed on drop.
pub struct Service {
    child: Child,
    output: BufReader<ChildStdout>,
    /// Reads the log while the service runs, which would wait once the pipe is full.
    log: Option<JoinHandle<String>>,
    /// Output before it listened.
    pub printed: Vec<String>,
    /// The address.
    pub address: String,
}

impl Service {
    /// Starts the service on a free port and waits until it listens.
    pub fn start(command: &mut Command) -> Service {
        Service::start_at(command, "127.0.0.1:0")
    }

    /// Starts the service at this address and waits until it listens.
    pub fn start_at(command: &mut Command, listen: &str) -> Service {
        let mut child = command
            .args(["--listen", listen])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            log
        });
        let mut service = Service {
            child,
            output,
            log: Some(log),
            printed: Vec::new(),
            address: String::new(),
        };
        while service.address.is_empty() {
            let mut line = String::new();
            if service.output.read_line(&mut line).unwrap() == 0 {
                let log = service.log.take().unwrap().join().unwrap();
                panic!("the service ended before it listened: {log}");
            }
            match line.trim_end().strip_prefix("listening on ") {
                Some(url) => {
                    let address = url.trim_start_matches("https://");
                    service.address = address.trim_start_matches("http://").to_owned();
                }
                None => service.printed.push(line.trim_end().to_owned()),
            }
        }
        service
    }

    /// Returns the id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a GET request with these headers and returns status and body.
    pub fn get(&self, path: &str, headers: &[&str]) -> (u16, String) {
        response(self.send(path, headers))
    }

    /// Sends a request whose response can be read with [`response`].
    pub fn send(&self, path: &str, headers: &[&str]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let headers: String = headers
            .iter()
            .map(|header| format!("{header}\r\n"))
            .collect();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n",
            self.address
        )
        .unwrap();
        stream
    }

    /// Sends a form with these cookies and returns status, head and body.
    pub fn post(&self, path: &str, cookies: &str, body: &str) -> (u16, String, String) {
        let form = "application/x-www-form-urlencoded";
        self.post_body(path, cookies, form, body.as_bytes())
    }

    /// The same with a body of any type.
    pub fn post_body(
        &self,
        path: &str,
        cookies: &str,
        content_type: &str,
        body: &[u8],
    ) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {cookies}\r\n",
            self.address
        );
        let form = format!(
            "Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        write!(stream, "{head}{form}").unwrap();
        stream.write_all(body).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (
            head.split(' ').nth(1).unwrap().parse().unwrap(),
            head.to_owned(),
            comparable(head, body),
        )
    }

    /// Kills it at once, like a power cut.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let killed = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(killed.success());
    }

    /// Waits until it accepts no more connections.
    pub fn takes_no_connection(&self) {
        until(TIMEOUT, "it takes no connection any more", || {
            TcpStream::connect(&self.address).is_err()
        });
    }

    /// Waits until it has ended and returns exit status and log.
    pub fn ended(mut self) -> (ExitStatus, String) {
        until(TIMEOUT, "the service ends", || {
            self.child.try_wait().unwrap().is_some()
        });
        let mut printed = String::new();
        self.output.read_to_string(&mut printed).unwrap();
        assert_eq!(printed, "");
        let log = self.log.take().unwrap().join().unwrap();
        (self.child.wait().unwrap(), log)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a response to its end and returns status and body.
pub fn response(mut stream: TcpStream) -> (u16, String) {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (
        head.split(' ').nth(1).unwrap().parse().unwrap(),
        comparable(head, body),
    )
}

/// Returns a body whose HTML is on one line.
fn comparable(head: &str, body: &str) -> String {
    match head.contains("content-type: text/html") {
        true => html_lines::join(body),
        false => body.to_owned(),
    }
}
