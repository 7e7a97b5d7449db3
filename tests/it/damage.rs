//! Whatever becomes of the index, the real program makes it whole again: its folder is removed, cut short, altered and exchanged before
//! the start; the store is an older copy; the disk is full. Under the running service it goes on answering, unless files are changed
//! that are mapped into memory: these may end it, and the restart heals.

use crate::cli::process::{Service, answer, quarry, run, told};
use crate::crash::{KEY, post, prepare};
use crate::waiting::{PATIENCE, until};
use quarry::domain::kind::Kind;
use quarry::store::{Store, changes};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What can be done to an index.
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

/// What changes files of segments where they are, which the running service has mapped into memory.
const IN_PLACE: [Damage; 3] = [Damage::CutShort, Damage::Emptied, Damage::Altered];

/// A data folder with some issues, and the index of another one.
struct Place {
    folder: tempfile::TempDir,
    other: tempfile::TempDir,
    written: usize,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap(), other: tempfile::tempdir().unwrap(), written: 0 };
        for folder in [&place.folder, &place.other] {
            let first = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(folder.path()));
            first.terminate();
            assert!(first.ended().0.success());
            prepare(folder.path());
        }
        let other = Service::start(quarry(&["serve", "--log", "off", "--data"]).arg(place.other.path()));
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

    /// Writes an issue and finds all of them.
    fn write(&mut self, service: &Service) {
        assert_eq!(write(&service.address, "rocket"), 201);
        self.written += 1;
        assert_eq!(healed(service, "rocket", self.written), self.written);
    }

    fn damage(&self, damage: Damage) {
        let index = self.index();
        let generation = index.join(fs::read_to_string(index.join("CURRENT")).unwrap().trim());
        let files: Vec<PathBuf> = fs::read_dir(&generation).unwrap().map(|entry| entry.unwrap().path()).collect();
        let data = files.iter().filter(|path| path.extension().is_some_and(|ending| ending != "json" && ending != "lock"));
        let rewrite = |change: &dyn Fn(Vec<u8>) -> Vec<u8>| {
            for path in data.clone() {
                // Written into the file that is there, as a failing disk does, not put in its place.
                // The service may give a file up at the same moment.
                if let Ok(bytes) = fs::read(path) {
                    fs::write(path, change(bytes)).unwrap();
                }
            }
        };
        match damage {
            Damage::Removed => remove(&index),
            Damage::GenerationRemoved => remove(&generation),
            Damage::FilesRemoved => data.clone().for_each(|path| drop(fs::remove_file(path))),
            Damage::CutShort => rewrite(&|bytes| bytes[..bytes.len() / 2].to_vec()),
            Damage::Emptied => rewrite(&|_| Vec::new()),
            Damage::Altered => rewrite(&|mut bytes| {
                let middle = bytes.len() / 3;
                // The service may have begun a file at the same moment.
                if let Some(byte) = bytes.get_mut(middle) {
                    *byte ^= 1;
                }
                bytes
            }),
            Damage::MetaAltered => fs::write(generation.join("meta.json"), "{\"segments\":[").unwrap(),
            Damage::CurrentAltered => fs::write(index.join("CURRENT"), "seven").unwrap(),
            Damage::Foreign => {
                remove(&index);
                copy(&self.other.path().join("index"), &index);
            }
        }
    }
}

/// Removes a folder in which the service may be making files.
fn remove(folder: &Path) {
    for _ in 0..100 {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => {}
            outcome => return outcome.unwrap(),
        }
    }
    panic!("{} is filled faster than it can be emptied", folder.display());
}

#[test]
fn an_index_that_was_damaged_is_whole_after_the_start() {
    let mut place = Place::new();
    for damage in EVERY {
        let service = place.start();
        place.write(&service);
        service.terminate();
        assert!(service.ended().0.success());
        place.damage(damage);
        let service = place.start();
        assert_eq!(healed(&service, "rocket", place.written), place.written, "{damage:?}");
        assert_eq!(healed(&service, "stranger", 0), 0, "{damage:?}");
        told(&run(place.folder.path(), &["index", "verify"]));
        service.terminate();
        assert!(service.ended().0.success(), "{damage:?}");
    }
}

#[test]
fn an_index_that_is_damaged_under_the_service_becomes_whole() {
    let mut place = Place::new();
    let service = place.start();
    place.write(&service);
    for damage in EVERY.into_iter().filter(|damage| !IN_PLACE.contains(damage)) {
        place.damage(damage);
        // Everything else is answered meanwhile, and what is written now is not lost.
        for _ in 0..5 {
            let (status, _) = service.ask("/issues/1.json", &[&key()]);
            assert_eq!(status, 200, "{damage:?}");
            place.write(&service);
        }
        until(PATIENCE, &format!("{damage:?} is healed"), || run(place.folder.path(), &["index", "verify"]).status.success());
        assert_eq!(healed(&service, "rocket", place.written), place.written, "{damage:?}");
    }
    service.terminate();
    assert!(service.ended().0.success());
    // What the service left behind is sound.
    let service = place.start();
    assert_eq!(healed(&service, "rocket", place.written), place.written);
}

#[test]
fn an_index_whose_files_are_changed_under_the_service_is_whole_after_a_restart() {
    let mut place = Place::new();
    for damage in IN_PLACE {
        // Few commits, so that nothing is merged, which would make new files of what is damaged.
        let mut service = place.start();
        place.write(&service);
        place.damage(damage);
        // A search may end the service.
        if let Ok(mut stream) = TcpStream::connect(&service.address) {
            let _ = write!(stream, "GET /search.json?q=rocket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{}\r\n\r\n", key());
            let _ = stream.read_to_end(&mut Vec::new());
        }
        service.kill();
        let service = place.start();
        assert_eq!(healed(&service, "rocket", place.written), place.written, "{damage:?}");
        told(&run(place.folder.path(), &["index", "verify"]));
        service.terminate();
        assert!(service.ended().0.success(), "{damage:?}");
    }
}

#[test]
fn an_index_that_knows_more_than_an_older_copy_of_the_store_is_made_anew() {
    let mut place = Place::new();
    let service = place.start();
    place.write(&service);
    service.terminate();
    assert!(service.ended().0.success());
    let backup = tempfile::tempdir().unwrap();
    fs::copy(place.folder.path().join("quarry.sqlite3"), backup.path().join("copy")).unwrap();
    let service = place.start();
    for _ in 0..3 {
        assert_eq!(write(&service.address, "forgotten"), 201);
    }
    assert_eq!(healed(&service, "forgotten", 3), 3);
    service.terminate();
    assert!(service.ended().0.success());
    fs::copy(backup.path().join("copy"), place.folder.path().join("quarry.sqlite3")).unwrap();
    // The copy goes on by itself until its changes have larger numbers than those that the index knows.
    let store = Store::open(place.folder.path()).unwrap();
    for _ in 0..20 {
        store.write(|db| changes::record(db, Kind::News, 1i64)).unwrap();
    }
    store.close();
    let service = place.start();
    assert_eq!(healed(&service, "forgotten", 0), 0);
    assert_eq!(healed(&service, "rocket", 1), 1);
    told(&run(place.folder.path(), &["index", "verify"]));
}

#[test]
fn a_full_disk_is_told_of_and_survived() {
    let place = Place::new();
    // No file may grow beyond 2 MiB; the system's signal about it is not the end of the program.
    let mut limited = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"";
    limited
        .args(["-c", script, env!("CARGO_BIN_EXE_quarry"), "serve", "--log", "off", "--data"])
        .arg(place.folder.path())
        .stdin(Stdio::null());
    let service = Service::start(&mut limited);
    let text = "word ".repeat(40_000);
    let mut kept = 0;
    let refused = loop {
        let body = format!(r#"{{"issue":{{"project_id":"one","subject":"rocket","description":"{text}"}}}}"#);
        match post(&service.address, &body).unwrap() {
            (201, _) => kept += 1,
            refused => break refused,
        }
        assert!(kept < 100, "the disk is never full");
    };
    assert_eq!(refused.0, 507, "{refused:?}");
    assert!(refused.1.contains("{\"errors\":[\"The disk of the service is full"), "{refused:?}");
    // It goes on answering.
    assert_eq!(service.ask("/issues.json?limit=1", &[&key()]).0, 200);
    assert!(found(&service, "rocket").is_some());
    service.terminate();
    assert!(service.ended().0.success());
    let service = place.start();
    assert_eq!(healed(&service, "rocket", kept), kept);
    assert_eq!(write(&service.address, "afterwards"), 201);
    assert_eq!(healed(&service, "afterwards", 1), 1);
    told(&run(place.folder.path(), &["index", "verify"]));
}

fn key() -> String {
    format!("X-Service-API-Key: {KEY}")
}

/// Writes an issue of this subject; the status.
fn write(address: &str, subject: &str) -> u16 {
    post(address, &format!(r#"{{"issue":{{"project_id":"one","subject":"{subject}"}}}}"#)).unwrap().0
}

/// How many issues have the word; `None` while the index is not ready, which must be said as it should be.
fn found(service: &Service, word: &str) -> Option<usize> {
    let (status, body) = service.ask(&format!("/search.json?q={word}&limit=1"), &[&key()]);
    if status == 503 {
        let (_, xml) = answer(service.send(&format!("/search.xml?q={word}"), &[&key()]));
        assert!(body.contains("{\"errors\":[\"The search index is being built"), "{body}");
        assert!(xml.contains("<errors type=\"array\"><error>The search index is being built") || xml.contains("<results"), "{xml}");
        return None;
    }
    assert_eq!(status, 200, "{body}");
    let answer: serde_json::Value = serde_json::from_str(&body).unwrap();
    Some(usize::try_from(answer["total_count"].as_i64().unwrap()).unwrap())
}

/// Asks until so many are found; how many were found at last.
fn healed(service: &Service, word: &str, wanted: usize) -> usize {
    let begun = Instant::now();
    loop {
        match found(service, word) {
            Some(count) if count == wanted || begun.elapsed() > PATIENCE => return count,
            _ => assert!(begun.elapsed() < 2 * PATIENCE, "the index is not ready"),
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
