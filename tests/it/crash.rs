//! The real program is killed repeatedly during writes: it must restart with every issue for which
//! it returned 201, and with an index that agrees with the store.

use crate::cli::process::{Service, message, quarry, run};
use crate::wait::until;
use quarry::actions::accounts;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::{Clock, SystemClock};
use quarry::domain::ids::UserId;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::domain::projects::project::Project;
use quarry::store::projects;
use quarry::store::{Store, StoreLocation};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

const ROUNDS: u64 = 20;
const WRITERS: usize = 4;
/// Minimum number of issues that each round writes.
const EACH_ROUND: usize = 11;
pub const KEY: &str = "an-administrators-key";

#[test]
fn acknowledged_writes_survive_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let first = Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(folder.path()));
    first.terminate();
    assert!(first.ended().0.success());
    prepare(folder.path());
    let kept = Mutex::new(Vec::new());
    for round in 0..ROUNDS {
        let mut service =
            Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(folder.path()));
        std::thread::scope(|threads| {
            for writer in 0..WRITERS {
                let address = service.address.clone();
                let kept = &kept;
                threads.spawn(move || {
                    write_until_it_dies(&address, &format!("r{round}w{writer}"), kept)
                });
            }
            // The kill comes at a different moment of the writes in each round.
            std::thread::sleep(Duration::from_millis(60 + 37 * (round % 9)));
            until(Duration::from_secs(30), "enough is written", || {
                kept.lock().unwrap().len() >= (round as usize + 1) * EACH_ROUND
            });
            service.kill();
        });
    }
    let service = Service::start(quarry(&["serve", "--log", "warn", "--data"]).arg(folder.path()));
    let report = message(&run(folder.path(), &["index", "verify"]));
    let kept = kept.into_inner().unwrap();
    let mut missing = 0;
    for (id, word) in &kept {
        let header = format!("X-Service-API-Key: {KEY}");
        let (status, body) = service.get(&format!("/issues/{id}.json"), &[&header]);
        missing += usize::from(status != 200 || !body.contains(word.as_str()));
    }
    println!(
        "{ROUNDS} kills, {} issues answered 201, {missing} missing; {report}",
        kept.len()
    );
    assert_eq!(missing, 0);
    service.terminate();
    assert!(service.ended().0.success());
}

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
        quarry::actions::settings::update(db, Setting::RestApiEnabled, "1")?;
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
        accounts::set_key(db, UserId(1), KEY)
    });
    outcome.unwrap();
}

fn write_until_it_dies(address: &str, name: &str, kept: &Mutex<Vec<(i64, String)>>) {
    for n in 0..10_000 {
        let word = format!("{name}n{n}x");
        let body = json!({"issue": {"project_id": "one", "subject": word}}).to_string();
        let Some((201, response)) = post(address, &body) else {
            return;
        };
        let issue: serde_json::Value = serde_json::from_str(&response).unwrap();
        kept.lock()
            .unwrap()
            .push((issue["issue"]["id"].as_i64().unwrap(), word));
    }
}

/// Returns `None` if the service ends before the response is complete.
pub fn post(address: &str, body: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .ok()?;
    let head = format!(
        "POST /issues.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-API-Key: {KEY}\r\nContent-Type: application/json\r\n"
    );
    write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    body.ends_with('}').then(|| (status, body.to_owned()))
}
