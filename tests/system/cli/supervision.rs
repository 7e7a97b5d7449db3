//! What the service tells systemd: ready, alive, stopping.

use quarry_world::process::{quarry, response};
use quarry_world::wait::{TIMEOUT, until};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command};

/// What the log says when the watchdog is not told that the service is alive.
const SILENT: &str = "the watchdog is not told";

/// A service in front of a test that plays systemd.
struct Supervised {
    child: Child,
    folder: tempfile::TempDir,
    socket: UnixDatagram,
}

impl Supervised {
    fn start(watchdog: Option<&str>) -> Supervised {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut command = quarry(&["serve", "--listen", "127.0.0.1:0", "--data"]);
        command
            .arg(folder.path().join("data"))
            .env("NOTIFY_SOCKET", &path)
            .stdout(File::create(folder.path().join("out")).unwrap())
            .stderr(File::create(folder.path().join("log")).unwrap());
        if let Some(microseconds) = watchdog {
            command.env("WATCHDOG_USEC", microseconds);
        }
        let child = command.spawn().unwrap();
        Supervised {
            child,
            folder,
            socket,
        }
    }

    /// Returns the next message.
    fn next(&self) -> String {
        let mut buffer = [0; 1024];
        let length = self.socket.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }

    /// Returns the messages that have arrived already.
    fn arrived(&self) -> Vec<String> {
        self.socket.set_nonblocking(true).unwrap();
        let mut messages = Vec::new();
        let mut buffer = [0; 1024];
        loop {
            match self.socket.recv(&mut buffer) {
                Ok(length) => {
                    messages.push(String::from_utf8_lossy(&buffer[..length]).into_owned())
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                    break;
                }
            }
        }
        self.socket.set_nonblocking(false).unwrap();
        messages
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn silences(&self) -> usize {
        self.read("log").matches(SILENT).count()
    }

    /// Returns the address, which is printed before the first message.
    fn address(&self) -> String {
        let out = self.read("out");
        let line = out
            .lines()
            .find_map(|line| line.strip_prefix("listening on http://"));
        line.unwrap().to_owned()
    }

    fn is_healthy(&self) -> bool {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        let head = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        response(stream).0 == 200
    }

    /// Changes the limit of open files; `None` for what the process may have.
    fn limit_files(&self, soft: Option<u32>) {
        let limits = format!("/proc/{}/limits", self.child.id());
        let text = std::fs::read_to_string(Path::new(&limits)).unwrap();
        let row = text.lines().find(|line| line.starts_with("Max open files"));
        let hard = row.unwrap().split_whitespace().nth(4).unwrap();
        let soft = soft.map_or(hard.to_owned(), |soft| soft.to_string());
        let changed = Command::new("prlimit")
            .args(["--pid", &self.child.id().to_string()])
            .arg(format!("--nofile={soft}:{hard}"))
            .status()
            .unwrap();
        assert!(changed.success());
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    fn wait_until_ended(&mut self) {
        until(TIMEOUT, "the service ends", || {
            self.child.try_wait().unwrap().is_some()
        });
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn readiness_and_end_are_announced() {
    let mut service = Supervised::start(None);
    let ready = service.next();
    assert!(service.is_healthy());
    assert_eq!(
        ready,
        format!(
            "READY=1\nSTATUS=listening on http://{}\n",
            service.address()
        )
    );
    service.signal("-TERM");
    assert_eq!(service.next(), "STOPPING=1\nSTATUS=stopping\n");
    service.wait_until_ended();
    assert_eq!(service.arrived(), Vec::<String>::new());
}

#[test]
fn watchdog_is_told_only_what_a_request_has_shown() {
    let mut service = Supervised::start(Some("600000"));
    assert!(service.next().starts_with("READY=1\n"));
    for _ in 0..4 {
        assert_eq!(service.next(), "WATCHDOG=1\n");
    }
    // Without a file descriptor nothing is accepted, while every thread goes on.
    service.limit_files(Some(1));
    until(TIMEOUT, "the service is silent", || service.silences() > 0);
    service.arrived();
    let before = service.silences();
    until(TIMEOUT, "it stays silent", || {
        service.silences() > before + 2
    });
    assert_eq!(service.arrived(), Vec::<String>::new());
    service.limit_files(None);
    assert_eq!(service.next(), "WATCHDOG=1\n");
    assert!(service.is_healthy());
    service.signal("-TERM");
    until(TIMEOUT, "the end is announced", || {
        service.next().starts_with("STOPPING=1\n")
    });
    service.wait_until_ended();
}

#[test]
fn missing_supervisor_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = quarry(&["serve", "--data"]);
    command
        .arg(folder.path())
        .env("NOTIFY_SOCKET", folder.path().join("none"));
    let service = quarry_world::process::Service::start(&mut command);
    assert_eq!(service.get("/healthz", &[]).0, 200);
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success() && log.contains("cannot be told"), "{log}");
}
