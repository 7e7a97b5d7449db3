//! Replays recorded Redmine requests, writes included, in order, and compares the responses with
//! the recorded ones. Each file starts with a fresh copy of the world.
//!
//! `QUARRY_TRANSCRIPT=06-wiki cargo test --test system transcripts -- --nocapture` prints each
//! difference of one file.

mod compare;
mod decided;
mod replay;

use decided::Decision;
use quarry_world::redmine_import::{fixture, import};
use replay::replay;

/// A file of recorded requests and its limits.
struct Floor {
    name: &'static str,
    /// Minimum number of equal responses. Raise it when more are equal.
    equal: usize,
    /// Maximum number of unexplained differences. Lower it when there are fewer.
    not_yet: usize,
}

const fn floor(name: &'static str, equal: usize, not_yet: usize) -> Floor {
    Floor {
        name,
        equal,
        not_yet,
    }
}

const FLOORS: &[Floor] = &[
    floor("01-auth", 96, 0),
    floor("02-issues-list", 258, 0),
    floor("03-issues-write", 133, 0),
    floor("04-issues-update", 226, 0),
    floor("05-watchers-relations-journals-attachments", 112, 0),
    floor("06-wiki", 98, 0),
    floor("07-projects", 209, 0),
    floor("08-time-entries", 176, 0),
    floor("09-search", 71, 0),
    floor("10-other-resources", 183, 0),
    floor("11-settings", 35, 0),
];

#[test]
fn recorded_redmine_responses_are_reproduced() {
    let moved_in = tempfile::tempdir().unwrap();
    let files = tempfile::tempdir().unwrap();
    // The only file whose content is in the recording.
    let folder = files.path().join("2026/11");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("261120225751_engine-log.txt"),
        "engine log line\n",
    )
    .unwrap();
    // Stands in for a file that is described, but not downloaded.
    std::fs::write(folder.join("261120225751_pixel.png"), "a pixel").unwrap();
    // Exit code 1: the contents of the other files are missing and reported.
    let _ = import(
        moved_in.path(),
        &fixture(),
        &["--files", files.path().to_str().unwrap()],
    );
    let expected = std::env::var("QUARRY_TRANSCRIPT").ok();
    let mut below: Vec<String> = Vec::new();
    let mut used: Vec<&Decision> = Vec::new();
    for Floor {
        name,
        equal,
        not_yet,
    } in FLOORS.iter().filter(|floor| {
        expected
            .as_deref()
            .is_none_or(|expected| floor.name == expected)
    }) {
        let tally = replay(moved_in.path(), name, expected.is_some());
        let left = tally.not_yet.len();
        let all = tally.equal + tally.decided + tally.not_yet.len();
        println!(
            "{name}: {all} replayed, {} equal, {} different as decided, {left} not yet; {} left out",
            tally.equal, tally.decided, tally.left_out
        );
        if left > *not_yet || expected.is_some() {
            tally
                .not_yet
                .iter()
                .for_each(|line| println!("  not yet: {line}"));
        }
        if left > *not_yet {
            below.push(format!("{name}: {left} are not yet equal, {not_yet} were"));
        }
        if tally.equal < *equal {
            below.push(format!("{name}: {} are equal, {equal} were", tally.equal));
        }
        if left < *not_yet || tally.equal > *equal {
            println!(
                "  better than its floor: it can be raised to {} equal and {left} not yet",
                tally.equal
            );
        }
        used.extend(tally.used);
    }
    assert!(below.is_empty(), "{below:#?}");
    // An accepted difference that matches nothing would hide later differences.
    let idle = decided::ALL
        .iter()
        .filter(|decision| !used.iter().any(|used| std::ptr::eq(*used, *decision)));
    let idle: Vec<String> = idle
        .map(
            |Decision {
                 case, path, reason, ..
             }| format!("{case} {path}: {reason}"),
        )
        .collect();
    assert!(
        expected.is_some() || idle.is_empty(),
        "these decisions explain nothing: {idle:#?}"
    );
}
