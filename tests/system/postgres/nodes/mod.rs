//! Several nodes over one database, as processes of the real program.

mod consistency;
mod freshness;
mod guesses;
mod jobs;
mod rights;
mod secret;
mod set_up;

use quarry::store::{Server, Store, StoreLocation};
use quarry_world::cluster::Cluster;
use quarry_world::data_folder::{KEY, prepare};
use quarry_world::process::{Service, message, quarry};
use quarry_world::wait::{TIMEOUT, until};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

/// The log filter of the nodes: without requests and audit events, which would fill the pipe,
/// because it is not read before the end of a test.
const LOG: &str = "info,quarry_http::server::log=warn,audit=error";

/// A database, and the data folders of two nodes with the same secret.
pub struct Nodes {
    cluster: &'static Cluster,
    database: String,
    folders: [tempfile::TempDir; 2],
}

impl Nodes {
    /// Creates an empty database; `None` if PostgreSQL is not installed.
    pub fn empty() -> Option<Nodes> {
        let cluster = Cluster::shared()?;
        let nodes = Nodes {
            database: cluster.create_database(None),
            cluster,
            folders: [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()],
        };
        let secret = hex::encode([7u8; 32]);
        for folder in &nodes.folders {
            std::fs::write(folder.path().join("secret"), &secret).unwrap();
        }
        Some(nodes)
    }

    /// Creates a database with the administrator, a project, the REST API on, and starts two nodes.
    pub fn start_two() -> Option<(Nodes, Node, Node)> {
        let nodes = Nodes::empty()?;
        let first = nodes.start(0);
        prepare(nodes.location());
        let second = nodes.start(1);
        Some((nodes, first, second))
    }

    pub fn folder(&self, index: usize) -> &Path {
        self.folders[index].path()
    }

    pub fn url(&self) -> String {
        self.cluster.url(&self.database)
    }

    pub fn location(&self) -> StoreLocation {
        StoreLocation {
            folder: self.folder(0).to_owned(),
            server: Some(Server::parse(&self.url(), None, 5).unwrap()),
            files: None,
            backs_up_before_upgrade: false,
        }
    }

    /// Opens the store, as a command does while nodes are running.
    pub fn store(&self) -> Store {
        Store::open_secondary(self.location()).unwrap()
    }

    /// Connects to the database.
    pub fn sql(&self) -> ::postgres::Client {
        self.cluster.connect(&self.database).unwrap()
    }

    /// Returns the command that starts a node in this folder.
    pub fn serve(&self, folder: &Path) -> std::process::Command {
        let mut command = quarry(&["serve", "--log", LOG, "--store", &self.url(), "--data"]);
        command.arg(folder);
        command
    }

    /// Starts the node of this folder.
    pub fn start(&self, index: usize) -> Node {
        Node(Service::start(&mut self.serve(self.folder(index))))
    }

    /// Runs a command on the data folder of a node.
    pub fn run(&self, index: usize, arguments: &[&str]) -> std::process::Output {
        quarry(arguments)
            .args(["--store", &self.url(), "--data"])
            .arg(self.folder(index))
            .output()
            .unwrap()
    }

    /// Asserts that the index of each node has what the store has.
    pub fn assert_indexes_agree(&self) {
        for index in 0..2 {
            until(TIMEOUT, "the index has every change", || {
                self.run(index, &["index", "verify"]).status.success()
            });
            message(&self.run(index, &["index", "verify"]));
        }
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.cluster.drop_database(&self.database);
    }
}

/// A running node.
pub struct Node(pub Service);

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    #[track_caller]
    pub fn assert_status(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    #[track_caller]
    pub fn assert_success(self) -> Answer {
        assert!((200..300).contains(&self.status), "{self:?}");
        self
    }

    /// Returns the cookie with this name.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let start = format!("{name}=");
        let cookies = self.head.lines().filter_map(|line| {
            let (field, value) = line.split_once(": ")?;
            (field.eq_ignore_ascii_case("set-cookie")).then_some(value)
        });
        cookies
            .filter_map(|cookie| cookie.split(';').next())
            .find(|cookie| cookie.starts_with(&start))
            .map(str::to_owned)
    }

    /// Returns where the response redirects to.
    pub fn location(&self) -> &str {
        let field = self.head.lines().find_map(|line| {
            let (field, value) = line.split_once(": ")?;
            (field.eq_ignore_ascii_case("location")).then_some(value)
        });
        field.unwrap_or_default()
    }

    /// Returns the value of a hidden field.
    #[track_caller]
    pub fn field(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let (_, rest) = self
            .body
            .split_once(&start)
            .unwrap_or_else(|| panic!("{self:?}"));
        rest.split('"').next().unwrap().replace("&amp;", "&")
    }
}

impl Node {
    /// Sends a request with these header lines.
    pub fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        send(&self.0.address, method, path, headers, body)
    }

    /// Sends a request to the API with the key of the administrator.
    pub fn api(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.api_as(KEY, method, path, body)
    }

    /// Sends a request to the API with this key.
    pub fn api_as(&self, key: &str, method: &str, path: &str, body: &Value) -> Answer {
        let key = format!("X-Service-API-Key: {key}");
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        self.send(
            method,
            path,
            &[&key, "Content-Type: application/json"],
            &body,
        )
    }

    /// Returns the status of a request to the API with this key.
    pub fn status(&self, key: &str, path: &str) -> u16 {
        self.api_as(key, "GET", path, &Value::Null).status
    }

    /// Loads a page with these cookies.
    pub fn page(&self, path: &str, cookies: &str) -> Answer {
        self.send("GET", path, &[&format!("Cookie: {cookies}")], "")
    }

    /// Sends a form with these cookies.
    pub fn form(&self, path: &str, cookies: &str, fields: &str) -> Answer {
        let cookies = format!("Cookie: {cookies}");
        let form = "Content-Type: application/x-www-form-urlencoded";
        self.send("POST", path, &[&cookies, form], fields)
    }

    /// Loads the form of the login. Returns its cookie and its token.
    pub fn login_form(&self) -> (String, String) {
        let form = self.send("GET", "/login", &[], "").assert_status(200);
        let cookie = form.cookie("quarry_login").unwrap();
        (cookie, form.field("authenticity_token"))
    }

    /// Sends the form of the login.
    pub fn log_in(&self, login: &str, password: &str) -> Answer {
        let (cookie, token) = self.login_form();
        let fields = format!("authenticity_token={token}&username={login}&password={password}");
        self.form("/login", &cookie, &fields)
    }

    /// Logs in and returns the cookie of the session.
    pub fn session(&self, login: &str, password: &str) -> String {
        let answer = self.log_in(login, password).assert_status(303);
        answer.cookie("quarry_session").unwrap()
    }

    /// Creates an issue in the project and returns its id.
    pub fn create_issue(&self, project: &str, subject: &str) -> i64 {
        let body = serde_json::json!({"issue": {"project_id": project, "subject": subject}});
        let answer = self.api("POST", "/issues.json", &body).assert_status(201);
        answer.json()["issue"]["id"].as_i64().unwrap()
    }

    /// Stops the node and returns its log.
    pub fn stop(self) -> String {
        self.0.terminate();
        let (status, log) = self.0.ended();
        assert!(status.success(), "{log}");
        log
    }
}

/// Sends a request on a connection of its own.
pub fn send(address: &str, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let headers: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    Answer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}
