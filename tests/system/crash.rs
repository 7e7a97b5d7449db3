//! The real program is killed repeatedly during writes: it must restart with everything that it has
//! acknowledged, and with an index that agrees with the store.

use quarry_world::data_folder::{self, KEY, prepare};
use quarry_world::environment::{rounds, seed};
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::wait::{TIMEOUT, until};
use serde_json::json;
use std::sync::Mutex;
use std::time::Duration;

/// Number of kills in all rounds; `QUARRY_KILLS=1000 cargo test --test system crash` tries more.
const KILLS: u64 = 100;
const WRITERS: usize = 4;
/// Minimum number of writes that are acknowledged before a kill.
const EACH_ROUND: usize = 11;

/// What the service has acknowledged.
#[derive(Clone, Debug)]
enum Acknowledged {
    /// The response to a request for this path contains the text.
    Text(String, String),
    /// Nothing is at this path.
    Deleted(String),
}

/// Kills the service when it is dropped: then the writers end, also if the test panics.
struct KilledOnDrop<'s>(&'s mut Service);

impl Drop for KilledOnDrop<'_> {
    fn drop(&mut self) {
        self.0.kill();
    }
}

#[test]
fn acknowledged_writes_survive_kills() {
    let kills = rounds("QUARRY_KILLS", KILLS);
    let seed = seed();
    let folder = tempfile::tempdir().unwrap();
    let serve = || {
        let mut command = quarry(&["serve", "--log", "warn", "--data"]);
        Service::start(command.arg(folder.path()))
    };
    let first = serve();
    first.terminate();
    assert!(first.ended().0.success());
    prepare(folder.path());
    let acknowledged = Mutex::new(Vec::new());
    for round in 0..kills {
        let mut service = serve();
        let address = service.address.clone();
        let before = acknowledged.lock().unwrap().len();
        std::thread::scope(|threads| {
            let _killed = KilledOnDrop(&mut service);
            for writer in 0..WRITERS {
                let address = address.clone();
                let acknowledged = &acknowledged;
                threads.spawn(move || {
                    write_until_it_dies(&address, &format!("r{round}w{writer}"), acknowledged)
                });
            }
            // The kill comes at a different moment of the writes in each round.
            std::thread::sleep(Duration::from_millis(20 + 17 * ((seed + round) % 9)));
            until(TIMEOUT, "enough is written", || {
                acknowledged.lock().unwrap().len() >= before + EACH_ROUND
            });
        });
    }
    let service = serve();
    let report = message(&run(folder.path(), &["index", "verify"]));
    let acknowledged = acknowledged.into_inner().unwrap();
    let header = format!("X-Service-API-Key: {KEY}");
    let lost: Vec<&Acknowledged> = acknowledged
        .iter()
        .filter(|written| match written {
            Acknowledged::Text(path, text) => {
                let (status, body) = service.get(path, &[&header]);
                status != 200 || !body.contains(text)
            }
            Acknowledged::Deleted(path) => service.get(path, &[&header]).0 != 404,
        })
        .collect();
    println!(
        "{kills} kills, {} acknowledged writes, {} lost; {report}",
        acknowledged.len(),
        lost.len()
    );
    assert!(lost.is_empty(), "{lost:?}");
    service.terminate();
    assert!(service.ended().0.success());
    let doctor = run(folder.path(), &["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let names = [
        "index-differs",
        "files-missing",
        "files-changed",
        "counters",
    ];
    let findings = report["findings"].as_array().unwrap();
    for finding in findings {
        let name = finding["name"].as_str().unwrap();
        assert!(!names.contains(&name), "{finding}");
        assert_ne!(finding["severity"], "error", "{finding}");
    }
}

/// Creates issues with notes, time entries and wiki pages, and deletes some issues.
fn write_until_it_dies(address: &str, name: &str, acknowledged: &Mutex<Vec<Acknowledged>>) {
    for n in 0..10_000 {
        let word = format!("{name}n{n}x");
        if write_once(address, &word, acknowledged).is_none() {
            return;
        }
    }
}

/// Returns `None` once the service has ended.
fn write_once(address: &str, word: &str, acknowledged: &Mutex<Vec<Acknowledged>>) -> Option<()> {
    let keep = |path: &str, text: &str| {
        let written = Acknowledged::Text(path.to_owned(), text.to_owned());
        acknowledged.lock().unwrap().push(written);
    };
    let succeeds = |method, path: &str, body| -> Option<serde_json::Value> {
        let (status, body) = send(address, method, path, body)?;
        assert!(
            (200..300).contains(&status),
            "{method} {path}: {status} {body}"
        );
        Some(serde_json::from_str(&body).unwrap_or_default())
    };
    let issue = json!({"issue": {"project_id": "one", "subject": word}});
    let created = succeeds("POST", "/issues.json", issue)?;
    let id = created["issue"]["id"].as_i64().unwrap();
    let path = format!("/issues/{id}.json");
    if id % 5 == 0 {
        // Whether it exists is not certain until the answer.
        succeeds("DELETE", &path, json!({}))?;
        let deleted = Acknowledged::Deleted(path);
        acknowledged.lock().unwrap().push(deleted);
        return Some(());
    }
    keep(&path, word);
    let note = format!("note-of-{word}");
    succeeds("PUT", &path, json!({"issue": {"notes": note}}))?;
    keep(&format!("{path}?include=journals"), &note);
    let entry =
        json!({"time_entry": {"issue_id": id, "hours": 1, "comments": word, "activity_id": 1}});
    if let (201, entry) = send(address, "POST", "/time_entries.json", entry)? {
        let entry: serde_json::Value = serde_json::from_str(&entry).unwrap();
        let entry = &entry["time_entry"]["id"];
        keep(&format!("/time_entries/{entry}.json"), word);
    }
    let wiki = format!("/projects/one/wiki/{word}.json");
    succeeds("PUT", &wiki, json!({"wiki_page": {"text": note}}))?;
    keep(&wiki, &note);
    Some(())
}

fn send(address: &str, method: &str, path: &str, body: serde_json::Value) -> Option<(u16, String)> {
    data_folder::send(address, method, path, &body.to_string())
}
