//! The real program restores its index after damage: removed, truncated, altered or foreign files
//! before startup, a restored older store, a full disk. At runtime it keeps serving requests,
//! except that changed memory-mapped files may crash it; the restart recovers.

use quarry::domain::index_feed::kind::Kind;
use quarry::store::Store;
use quarry::store::transaction::changes;
use quarry_world::data_folder::{KEY, post, prepare};
use quarry_world::process::{Service, message, quarry, response, run, through_shell};
use quarry_world::wait::{TIMEOUT, until, until_removed};
use serde_json::json;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Kinds of damage to an index.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    Removed,
    GenerationRemoved,
    FilesRemoved,
    CutShort,
    Emptied,
    Altered,
    MetaAltered,
    CurrentAltered,
    Foreign,
}

const EVERY: [Damage; 9] = [
    Damage::Removed,
    Damage::GenerationRemoved,
    Damage::FilesRemoved,
    Damage::CutShort,
    Damage::Emptied,
    Damage::Altered,
    Damage::MetaAltered,
    Damage::CurrentAltered,
    Damage::Foreign,
];

/// Kinds of damage that change segment files in place, which the running service has memory-mapped.
const IN_PLACE: [Damage; 3] = [Damage::CutShort, Damage::Emptied, Damage::Altered];

/// A data directory with some issues, and the index of another one.
struct Place {
    folder: tempfile::TempDir,
    other: tempfile::TempDir,
    written: usize,
}

impl Place {
    fn new() -> Place {
        let place = Place {
            folder: tempfile::tempdir().unwrap(),
            other: tempfile::tempdir().unwrap(),
            written: 0,
        };
        for folder in [&place.folder, &place.other] {
            let first =
                Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
            first.terminate();
            assert!(first.ended().0.success());
            prepare(folder.path());
        }
        let other =
            Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(place.other.path()));
        assert_eq!(write(&other.address, "stranger"), 201);
        assert_eq!(found(&other, "stranger"), Some(1));
        other.terminate();
        assert!(other.ended().0.success());
        place
    }

    fn start(&self) -> Service {
        Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(self.folder.path()))
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    /// Creates an issue and asserts that all issues are found.
    fn write(&mut self, service: &Service) {
        assert_eq!(write(&service.address, "rocket"), 201);
        self.written += 1;
        assert_eq!(healed(service, "rocket", self.written), self.written);
    }

    fn damage(&self, damage: Damage) {
        let index = self.index();
        let generation = index.join(fs::read_to_string(index.join("CURRENT")).unwrap().trim());
        let files: Vec<PathBuf> = fs::read_dir(&generation)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        let data = files.iter().filter(|path| {
            path.extension()
                .is_some_and(|ending| ending != "json" && ending != "lock")
        });
        let rewrite = |change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
            for path in data.clone() {
                // Written in place, like a failing disk, not replaced.
                // The service may delete a file at the same moment.
                if let Ok(bytes) = fs::read(path) {
                    fs::write(path, change(bytes)).unwrap();
                }
            }
        };
        match damage {
            Damage::Removed => until_removed(&index),
            Damage::GenerationRemoved => until_removed(&generation),
            Damage::FilesRemoved => data.clone().for_each(|path| drop(fs::remove_file(path))),
            Damage::CutShort => rewrite(&|bytes| bytes[..bytes.len() / 2].to_vec()),
            Damage::Emptied => rewrite(&|_| Vec::new()),
            Damage::Altered => rewrite(&|mut bytes| {
                let middle = bytes.len() / 3;
                // The service may create a file at the same moment.
                if let Some(byte) = bytes.get_mut(middle) {
                    *byte ^= 1;
                }
                bytes
            }),
            Damage::MetaAltered => {
                fs::write(generation.join("meta.json"), "{\"segments\":[").unwrap()
            }
            Damage::CurrentAltered => fs::write(index.join("CURRENT"), "seven").unwrap(),
            Damage::Foreign => {
                until_removed(&index);
                copy(&self.other.path().join("index"), &index);
            }
        }
    }
}

#[test]
fn damaged_index_is_rebuilt_at_startup() {
    let mut place = Place::new();
    for damage in EVERY {
        let service = place.start();
        place.write(&service);
        service.terminate();
        assert!(service.ended().0.success());
        place.damage(damage);
        let service = place.start();
        assert_eq!(
            healed(&service, "rocket", place.written),
            place.written,
            "{damage:?}"
        );
        assert_eq!(healed(&service, "stranger", 0), 0, "{damage:?}");
        message(&run(place.folder.path(), &["index", "verify"]));
        service.terminate();
        assert!(service.ended().0.success(), "{damage:?}");
    }
}

#[test]
fn index_damaged_at_runtime_is_rebuilt() {
    let mut place = Place::new();
    let service = place.start();
    place.write(&service);
    for damage in EVERY
        .into_iter()
        .filter(|damage| !IN_PLACE.contains(damage))
    {
        place.damage(damage);
        // Other requests are served meanwhile, and writes are not lost.
        for _ in 0..5 {
            let (status, _) = service.get("/issues/1.json", &[&key()]);
            assert_eq!(status, 200, "{damage:?}");
            place.write(&service);
        }
        until(TIMEOUT, &format!("{damage:?} is healed"), || {
            run(place.folder.path(), &["index", "verify"])
                .status
                .success()
        });
        assert_eq!(
            healed(&service, "rocket", place.written),
            place.written,
            "{damage:?}"
        );
    }
    service.terminate();
    assert!(service.ended().0.success());
    // The files that the service left behind are valid.
    let service = place.start();
    assert_eq!(healed(&service, "rocket", place.written), place.written);
}

fn database_files(data: &Place) -> [Vec<u8>; 2] {
    ["", "-wal"]
        .map(|end| fs::read(data.folder.path().join(format!("quarry.sqlite3{end}"))).unwrap())
}

#[test]
fn second_service_is_refused_after_the_index_was_removed() {
    let mut place = Place::new();
    let service = place.start();
    place.write(&service);
    place.damage(Damage::Removed);
    assert_eq!(healed(&service, "rocket", 1), 1);
    let before = database_files(&place);
    let second = run(
        place.folder.path(),
        &["serve", "--log", "off", "--listen", "127.0.0.1:0"],
    );
    let reason =
        "another service uses it; stop that service first, or specify another folder with --data";
    let sentence = format!(
        "quarry: the data folder {} cannot be opened: {reason}\n",
        place.folder.path().display()
    );
    assert_eq!(
        (
            String::from_utf8_lossy(&second.stderr).into_owned(),
            second.status.code()
        ),
        (sentence, Some(1))
    );
    // Commands detect the service, too, and leave the integrity check and the epoch to it.
    message(&run(place.folder.path(), &["user", "list"]));
    assert!(database_files(&place) == before, "nothing was written");
    place.write(&service);
    service.terminate();
    assert!(service.ended().0.success());
    let again = place.start();
    assert_eq!(healed(&again, "rocket", 2), 2);
}

#[test]
fn index_changed_at_runtime_is_rebuilt_after_restart() {
    let mut place = Place::new();
    for damage in IN_PLACE {
        // Few commits, so that no merge replaces the damaged files.
        let mut service = place.start();
        place.write(&service);
        place.damage(damage);
        // A search may crash the service, and then the request or its response breaks off.
        if let Ok(mut stream) = TcpStream::connect(&service.address) {
            let _ = write!(
                stream,
                "GET /search.json?q=rocket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}\r\n\r\n",
                key()
            );
            let _ = stream.read_to_end(&mut Vec::new());
        }
        service.kill();
        let service = place.start();
        assert_eq!(
            healed(&service, "rocket", place.written),
            place.written,
            "{damage:?}"
        );
        message(&run(place.folder.path(), &["index", "verify"]));
        service.terminate();
        assert!(service.ended().0.success(), "{damage:?}");
    }
}

#[test]
fn index_ahead_of_a_restored_store_is_rebuilt() {
    let mut place = Place::new();
    let service = place.start();
    place.write(&service);
    service.terminate();
    assert!(service.ended().0.success());
    let backup = tempfile::tempdir().unwrap();
    fs::copy(
        place.folder.path().join("quarry.sqlite3"),
        backup.path().join("copy"),
    )
    .unwrap();
    let service = place.start();
    for _ in 0..3 {
        assert_eq!(write(&service.address, "forgotten"), 201);
    }
    assert_eq!(healed(&service, "forgotten", 3), 3);
    service.terminate();
    assert!(service.ended().0.success());
    fs::copy(
        backup.path().join("copy"),
        place.folder.path().join("quarry.sqlite3"),
    )
    .unwrap();
    // The copy is written to until its change numbers exceed those of the index.
    let store = Store::open(place.folder.path()).unwrap();
    for _ in 0..20 {
        store
            .write(|db| changes::record(db, Kind::News, 1i64))
            .unwrap();
    }
    store.close();
    let service = place.start();
    assert_eq!(healed(&service, "forgotten", 0), 0);
    assert_eq!(healed(&service, "rocket", 1), 1);
    message(&run(place.folder.path(), &["index", "verify"]));
}

#[test]
fn full_disk_is_reported_and_survived() {
    let place = Place::new();
    // Files are limited to 2 MiB; the program must survive the signal about it.
    let mut program = quarry(&["serve", "--log", "off", "--data"]);
    program.arg(place.folder.path());
    let script = "trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"";
    let service = Service::start(&mut through_shell(script, &program));
    let text = "word ".repeat(40_000);
    let mut kept = 0;
    let rejected = loop {
        let body =
            json!({"issue": {"project_id": "one", "subject": "rocket", "description": text}})
                .to_string();
        match post(&service.address, &body).unwrap() {
            (201, _) => kept += 1,
            rejected => break rejected,
        }
        assert!(kept < 100, "the disk is never full");
    };
    assert_eq!(rejected.0, 507, "{rejected:?}");
    assert!(
        rejected
            .1
            .contains("{\"errors\":[\"The disk of the service is full"),
        "{rejected:?}"
    );
    // The service keeps serving requests.
    assert_eq!(service.get("/issues.json?limit=1", &[&key()]).0, 200);
    assert!(found(&service, "rocket").is_some());
    service.terminate();
    assert!(service.ended().0.success());
    let service = place.start();
    assert_eq!(healed(&service, "rocket", kept), kept);
    assert_eq!(write(&service.address, "afterwards"), 201);
    assert_eq!(healed(&service, "afterwards", 1), 1);
    message(&run(place.folder.path(), &["index", "verify"]));
}

fn key() -> String {
    format!("X-Service-API-Key: {KEY}")
}

/// Creates an issue with this subject and returns the status.
fn write(address: &str, subject: &str) -> u16 {
    post(
        address,
        &json!({"issue": {"project_id": "one", "subject": subject}}).to_string(),
    )
    .unwrap()
    .0
}

/// Returns the number of issues with the word, or `None` while the index is not ready, which must
/// be reported correctly.
fn found(service: &Service, word: &str) -> Option<usize> {
    let (status, body) = service.get(&format!("/search.json?q={word}&limit=1"), &[&key()]);
    if status == 503 {
        let (_, xml) = response(service.send(&format!("/search.xml?q={word}"), &[&key()]));
        assert!(
            body.contains("{\"errors\":[\"The search index is being built"),
            "{body}"
        );
        assert!(
            xml.contains("<errors type=\"array\"><error>The search index is being built")
                || xml.contains("<results"),
            "{xml}"
        );
        return None;
    }
    assert_eq!(status, 200, "{body}");
    let response: serde_json::Value = serde_json::from_str(&body).unwrap();
    Some(usize::try_from(response["total_count"].as_i64().unwrap()).unwrap())
}

/// Polls until so many are found and returns the last number.
fn healed(service: &Service, word: &str, expected: usize) -> usize {
    let begun = Instant::now();
    loop {
        match found(service, word) {
            Some(count) if count == expected || begun.elapsed() > TIMEOUT => return count,
            _ => assert!(begun.elapsed() < 2 * TIMEOUT, "the index is not ready"),
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}
