//! Idle connections use up all file descriptors: the index must survive, and everything must work
//! again after they are closed.

use quarry_world::data_folder::{KEY, prepare};
use quarry_world::process::{Service, message, quarry, run, through_shell};
use quarry_world::wait::{TIMEOUT, until};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

/// Limit of open files for the service.
const DESCRIPTORS: usize = 128;

/// Timeout of a request on a new connection.
const SOON: Duration = Duration::from_secs(2);

/// A persistent connection.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: &str) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        Connection(BufReader::new(stream))
    }

    /// Sends a request; returns `None` if the service has closed the connection.
    fn send(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: {KEY}\r\nContent-Type: application/json\r\n"
        );
        write!(
            self.0.get_mut(),
            "{head}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut line = String::new();
        let mut status = 0;
        let mut length = 0;
        while self.0.read_line(&mut line).ok()? > 0 && line.trim_end() != "" {
            if status == 0 {
                status = line.split(' ').nth(1)?.parse().ok()?;
            } else if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).ok()?;
        (status > 0).then(|| (status, String::from_utf8(body).unwrap()))
    }

    fn write(&mut self, subject: &str) -> bool {
        let body = json!({"issue": {"project_id": "one", "subject": subject}}).to_string();
        self.send("POST", "/issues.json", &body)
            .is_some_and(|(status, _)| status == 201)
    }

    /// Returns the number of issues with the word, or `None` without a response.
    fn found(&mut self, word: &str) -> Option<i64> {
        let (status, body) = self.send("GET", &format!("/search.json?q={word}&limit=1"), "")?;
        let response = serde_json::from_str::<serde_json::Value>(&body)
            .ok()
            .filter(|_| status == 200)?;
        response["total_count"].as_i64()
    }
}

fn connect(address: &str) -> Option<TcpStream> {
    TcpStream::connect_timeout(&address.parse().unwrap(), SOON).ok()
}

/// Returns whether a request on a new connection is answered in time.
fn answers_strangers(address: &str) -> bool {
    let Some(mut stream) = connect(address) else {
        return false;
    };
    stream.set_read_timeout(Some(SOON)).unwrap();
    let mut response = String::new();
    let requested =
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    requested
        .and_then(|()| stream.read_to_string(&mut response))
        .is_ok()
        && response.starts_with("HTTP/1.1 200")
}

/// Returns the current generation of the index and all generations with files.
fn generations(folder: &Path) -> (String, Vec<String>) {
    let index = folder.join("index");
    let names = fs::read_dir(&index)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.filter(|name| name.parse::<u64>().is_ok()).collect();
    (fs::read_to_string(index.join("CURRENT")).unwrap(), names)
}

#[test]
fn index_survives_exhausted_file_descriptors() {
    let folder = tempfile::tempdir().unwrap();
    let first = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
    first.terminate();
    assert!(first.ended().0.success());
    prepare(folder.path());
    let mut program = quarry(&["serve", "--log", "warn", "--data"]);
    program.arg(folder.path());
    let script = format!("ulimit -n {DESCRIPTORS}; exec \"$0\" \"$@\"");
    let service = Service::start(&mut through_shell(&script, &program));
    let mut writer = Connection::open(&service.address);
    assert!(writer.write("before"));
    until(TIMEOUT, "the first issue is found", || {
        writer.found("before") == Some(1)
    });
    let before = generations(folder.path());

    let mut idle = Vec::new();
    while idle.len() < 4 * DESCRIPTORS && answers_strangers(&service.address) {
        idle.extend((0..16).map_while(|_| connect(&service.address)));
    }
    let mut kept = 0;
    for n in 0..20 {
        kept += i64::from(writer.write("meanwhile"));
        if n % 5 == 0 {
            let _ = writer.found("meanwhile");
        }
    }
    assert_eq!(generations(folder.path()), before);

    drop(idle);
    until(TIMEOUT, "an issue is written", || {
        Connection::open(&service.address).write("after")
    });
    until(TIMEOUT, "it is found", || {
        Connection::open(&service.address).found("after") == Some(1)
    });
    assert_eq!(
        Connection::open(&service.address).found("meanwhile"),
        Some(kept)
    );
    assert_eq!(generations(folder.path()), before);
    message(&run(folder.path(), &["index", "verify"]));
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success() && !log.contains("is rebuilt"), "{log}");
}
