//! Data folders for the program as a process, and requests of their administrator.

use quarry::actions::accounts::account;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{Clock, SystemClock};
use quarry::domain::ids::UserId;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::store::projects;
use quarry::store::{Store, StoreLocation};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The API key of the administrator.
pub const KEY: &str = "an-administrators-key";

/// Prepares a data directory with the API on, a project, and an API key of the administrator.
pub fn prepare(place: impl Into<StoreLocation>) {
    let store = Store::open(place).unwrap();
    prepare_store(&store);
    store.close();
}

/// Prepares a store that the service has created.
pub fn prepare_store(store: &Store) {
    let now = SystemClock.now();
    let outcome = store.write::<_, quarry::actions::ActionError>(move |db| {
        quarry::actions::administration::settings::update(db, Setting::RestApiEnabled, "1")?;
        let trackers: Vec<_> = db
            .catalogue()
            .trackers
            .iter()
            .map(|tracker| tracker.id)
            .collect();
        let project = Project {
            name: "one".to_owned(),
            identifier: "one".to_owned(),
            is_public: true,
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            trackers: trackers.clone(),
            created_on: now,
            updated_on: now,
            ..Project::default()
        };
        projects::insert(db, &project)?;
        account::set_key(db, UserId(1), KEY)
    });
    outcome.unwrap();
}

/// Creates an issue. Returns `None` if the service ends before the response is complete.
pub fn post(address: &str, body: &str) -> Option<(u16, String)> {
    send(address, "POST", "/issues.json", body)
}

/// Sends a request of the administrator and returns status and body. Returns `None` if the service
/// ends before the response is complete.
pub fn send(address: &str, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .ok()?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\nContent-Type: application/json\r\n"
    );
    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse::<usize>().ok()).flatten()
    });
    (length == Some(body.len())).then(|| (status, body.to_owned()))
}
