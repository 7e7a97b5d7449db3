//! A database with the data folders of its nodes, and a client for requests with binary bodies.

use ::postgres::Client;
use quarry_world::cluster::Cluster;
use quarry_world::process::{Service, message, quarry};
use quarry_world::wait::TIMEOUT;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Output;

/// A database of the shared cluster, and a folder for the data folders of nodes.
pub struct Site {
    pub cluster: &'static Cluster,
    pub database: String,
    pub root: tempfile::TempDir,
}

impl Site {
    /// Creates an empty database; `None` if PostgreSQL is not installed.
    pub fn empty() -> Option<Site> {
        let cluster = Cluster::shared()?;
        Some(Site {
            database: cluster.create_database(None),
            cluster,
            root: tempfile::tempdir().unwrap(),
        })
    }

    /// Creates a database with an administrator and the REST API on. Returns it with the key of the
    /// administrator.
    pub fn initialized(serve: &[&str]) -> Option<(Site, String)> {
        let site = Site::empty()?;
        let service = site.start("a", serve);
        for [name, value] in [["rest_api_enabled", "1"], ["attachment_max_size", "65536"]] {
            message(&site.run("a", &["setting", "set", name, value]));
        }
        let key = message(&site.run("a", &["user", "key", "admin"]));
        drop(service);
        std::fs::create_dir(site.root.path().join("b")).unwrap();
        std::fs::copy(
            site.root.path().join("a/secret"),
            site.root.path().join("b/secret"),
        )
        .unwrap();
        Some((site, key))
    }

    pub fn url(&self) -> String {
        self.cluster.url(&self.database)
    }

    pub fn sql(&self) -> Client {
        self.cluster.connect(&self.database).unwrap()
    }

    /// Returns the first column of the first row.
    pub fn query(&self, sql: &str) -> i64 {
        self.sql().query_one(sql, &[]).unwrap().get(0)
    }

    /// Starts a node with this data folder.
    pub fn start(&self, folder: &str, arguments: &[&str]) -> Service {
        let mut command = quarry(&["serve", "--log", "warn", "--store", &self.url()]);
        command
            .args(arguments)
            .arg("--data")
            .arg(self.root.path().join(folder));
        Service::start(&mut command)
    }

    /// Runs a command with this data folder.
    pub fn run(&self, folder: &str, arguments: &[&str]) -> Output {
        run_on(&self.url(), &self.root.path().join(folder), arguments)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.cluster.drop_database(&self.database);
    }
}

/// Runs a command on a database.
pub fn run_on(url: &str, folder: &Path, arguments: &[&str]) -> Output {
    quarry(arguments)
        .args(["--store", url, "--data"])
        .arg(folder)
        .output()
        .unwrap()
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends a request. Returns `None` when the connection is closed early.
pub fn request(address: &str, line: &str, headers: &[&str], body: &[u8]) -> Option<Response> {
    let mut stream = open(address, line, headers, body).ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let body = bytes.split_off(end + 4);
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.parse().unwrap())
    });
    if length.is_some_and(|length: usize| length != body.len()) {
        return None;
    }
    Some(Response {
        status: head.split(' ').nth(1)?.parse().ok()?,
        head,
        body,
    })
}

/// Sends a request whose response is read from the stream.
pub fn open(
    address: &str,
    line: &str,
    headers: &[&str],
    body: &[u8],
) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    let headers: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    Ok(stream)
}

/// Returns the header with a key of the API.
pub fn key_header(key: &str) -> String {
    format!("X-Redmine-API-Key: {key}")
}

/// Uploads a file. Returns the id of the attachment if the service has answered 201.
pub fn upload(address: &str, key: &str, bytes: &[u8]) -> Option<i64> {
    let headers = [&*key_header(key), "Content-Type: application/octet-stream"];
    let sent = request(
        address,
        "POST /uploads.json?filename=a.bin",
        &headers,
        bytes,
    )?;
    (sent.status == 201).then(|| sent.json()["upload"]["id"].as_i64().unwrap())
}

/// Downloads an attachment with further headers.
pub fn download(address: &str, key: &str, id: i64, headers: &[&str]) -> Option<Response> {
    let key = key_header(key);
    let headers: Vec<&str> = headers.iter().copied().chain([&*key]).collect();
    request(
        address,
        &format!("GET /attachments/download/{id}"),
        &headers,
        b"",
    )
}

/// Returns pseudorandom bytes that depend on the seed.
pub fn noise(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}
