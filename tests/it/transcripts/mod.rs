//! What a Redmine answered about this world, and what is answered here after it has moved in: every request that was recorded,
//! in order, writes included. Each file begins with the world as it was.
//!
//! `QUARRY_TRANSCRIPT=06-wiki cargo test --test it transcripts -- --nocapture` prints each difference of one file.

mod compare;
mod decided;
mod replay;

use crate::import::world::{fixture, import};
use decided::Decision;
use replay::replay;

/// A file, and how it must go at least.
struct Floor {
    name: &'static str,
    /// So many cases are equal at least. More is better: raise the number.
    equal: usize,
    /// So many are neither equal nor decided at most. Less is better: lower the number.
    not_yet: usize,
}

const fn floor(name: &'static str, equal: usize, not_yet: usize) -> Floor {
    Floor { name, equal, not_yet }
}

const FLOORS: &[Floor] = &[
    floor("01-auth", 95, 0),
    floor("02-issues-list", 260, 0),
    floor("03-issues-write", 133, 0),
    floor("04-issues-update", 226, 0),
    floor("05-watchers-relations-journals-attachments", 112, 0),
    floor("06-wiki", 98, 0),
    floor("07-projects", 209, 0),
    floor("08-time-entries", 178, 0),
    floor("09-search", 71, 0),
    floor("10-other-resources", 85, 107),
    floor("11-settings", 35, 0),
];

#[test]
fn what_a_redmine_answered_is_answered_here() {
    let (moved_in, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The one file whose content is in the recording.
    let folder = files.path().join("2026/11");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("261120225751_engine-log.txt"), "engine log line\n").unwrap();
    // Exit code 1: the contents of the other files are missing, and that is said.
    let _ = import(moved_in.path(), &fixture(), &["--files", files.path().to_str().unwrap()]);
    let wanted = std::env::var("QUARRY_TRANSCRIPT").ok();
    let (mut below, mut used): (Vec<String>, Vec<&Decision>) = (Vec::new(), Vec::new());
    for Floor { name, equal, not_yet } in FLOORS.iter().filter(|floor| wanted.as_deref().is_none_or(|wanted| floor.name == wanted)) {
        let tally = replay(moved_in.path(), name, wanted.is_some());
        let (left, all) = (tally.not_yet.len(), tally.equal + tally.decided + tally.not_yet.len());
        println!(
            "{name}: {all} replayed, {} equal, {} different as decided, {left} not yet; {} left out",
            tally.equal, tally.decided, tally.left_out
        );
        if left > *not_yet || wanted.is_some() {
            tally.not_yet.iter().for_each(|line| println!("  not yet: {line}"));
        }
        if left > *not_yet {
            below.push(format!("{name}: {left} are not yet equal, {not_yet} were"));
        }
        if tally.equal < *equal {
            below.push(format!("{name}: {} are equal, {equal} were", tally.equal));
        }
        if left < *not_yet || tally.equal > *equal {
            println!("  better than its floor: it can be raised to {} equal and {left} not yet", tally.equal);
        }
        used.extend(tally.used);
    }
    assert!(below.is_empty(), "{below:#?}");
    // A decision that explains nothing any more hides what differs later.
    let idle = decided::ALL.iter().filter(|decision| !used.iter().any(|used| std::ptr::eq(*used, *decision)));
    let idle: Vec<String> = idle.map(|Decision { case, path, reason, .. }| format!("{case} {path}: {reason}")).collect();
    assert!(wanted.is_some() || idle.is_empty(), "these decisions explain nothing: {idle:#?}");
}
