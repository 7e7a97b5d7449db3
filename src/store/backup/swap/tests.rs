//! Swaps that are complete, fail, or are interrupted at each move.

use super::*;

/// A data folder whose `secret`, `files` and database are replaced, and which gets a `quarry.toml`.
fn folder() -> (tempfile::TempDir, Swap) {
    let folder = tempfile::tempdir().unwrap();
    let staging = folder.path().join(RESTORING);
    std::fs::create_dir(&staging).unwrap();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let swap = Swap {
        aside: Some("before-restore-x".to_owned()),
        former: names(&["secret", "files", "quarry.sqlite3-wal", "quarry.sqlite3"]),
        restored: names(&["files", "secret", "quarry.toml", "quarry.sqlite3"]),
    };
    for (parent, names, text) in [
        (folder.path(), &swap.former, "former"),
        (&staging, &swap.restored, "restored"),
    ] {
        for name in names {
            if name == "files" {
                std::fs::create_dir(parent.join(name)).unwrap();
                std::fs::write(parent.join(name).join("x"), text).unwrap();
            } else {
                std::fs::write(parent.join(name), text).unwrap();
            }
        }
    }
    (folder, swap)
}

/// Returns the entries of the data folder with their contents, without the staging folder.
fn entries(folder: &Path) -> Vec<(String, String)> {
    let names = files::names(folder).unwrap().into_iter();
    names
        .filter(|name| name != RESTORING)
        .map(|name| {
            let path = folder.join(&name);
            let path = if path.is_dir() { path.join("x") } else { path };
            (name, std::fs::read_to_string(path).unwrap_or_default())
        })
        .collect()
}

fn fail(path: &Path) -> BackupError {
    BackupError::File(path.display().to_string(), std::io::Error::other("planted"))
}

/// A move that fails from the call with this index on, `failures` times.
fn failing(after: usize, failures: usize) -> impl FnMut(&Path, &Path) -> Result<(), BackupError> {
    let mut calls = 0;
    move |from, to| {
        calls += 1;
        if (after + 1..=after + failures).contains(&calls) {
            return Err(fail(from));
        }
        files::rename(from, to)
    }
}

#[test]
fn complete_swap_keeps_former_entries_and_leaves_no_marker() {
    let (folder, swap) = folder();
    swap.run(folder.path(), &mut files::rename).unwrap();
    let names: Vec<_> = entries(folder.path());
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(
        names
            .iter()
            .all(|(name, text)| name == "before-restore-x" || text == "restored")
    );
    let former = entries(&folder.path().join("before-restore-x"));
    assert_eq!(former.len(), 4);
    assert!(former.iter().all(|(_, text)| text == "former"));
    assert!(check_complete(folder.path()).is_ok());
}

#[test]
fn failed_move_is_undone_wherever_it_happens() {
    for index in 0..8 {
        let (folder, swap) = folder();
        let before = entries(folder.path());
        let error = swap.run(folder.path(), &mut failing(index, 1)).unwrap_err();
        assert!(matches!(error, BackupError::File(..)), "{index} {error}");
        assert_eq!(entries(folder.path()), before, "{index}");
        assert_eq!(
            files::names(&folder.path().join(RESTORING)).unwrap().len(),
            4
        );
    }
}

#[test]
fn interrupted_swap_refuses_to_open_and_is_undone_by_the_next_restore() {
    for index in 0..8 {
        let (folder, swap) = folder();
        let before = entries(folder.path());
        // What a killed process leaves: every move from this one on is missing, and nothing is undone.
        let error = swap
            .run(folder.path(), &mut failing(index, usize::MAX - 10))
            .unwrap_err();
        // Nothing had to be undone before the first move.
        if index > 0 {
            assert!(
                matches!(&error, BackupError::HalfSwapped { state, .. } if state.contains("before-restore-x has the former secret")),
                "{index} {error}"
            );
            let refused = check_complete(folder.path()).unwrap_err().to_string();
            assert!(refused.contains("quarry restore"), "{refused}");
            assert!(refused.contains("before-restore-x"), "{refused}");
            // The staging folder is deleted when the process ends by itself.
            if index % 2 == 0 {
                files::remove(&folder.path().join(RESTORING)).unwrap();
            }
            assert!(undo_interrupted(folder.path()).unwrap(), "{index}");
        }
        assert_eq!(entries(folder.path()), before, "{index}");
        assert!(!undo_interrupted(folder.path()).unwrap());
        assert!(check_complete(folder.path()).is_ok());
    }
}

#[test]
fn interrupted_undo_is_completed_by_the_next_one() {
    for index in 0..7 {
        let (folder, swap) = folder();
        let before = entries(folder.path());
        // All moves but the last one were made.
        swap.run(folder.path(), &mut failing(7, 100)).unwrap_err();
        let undone = swap.undo(folder.path(), &mut failing(index, 100));
        assert!(undone.is_err(), "{index}");
        assert!(undo_interrupted(folder.path()).unwrap());
        assert_eq!(entries(folder.path()), before, "{index}");
    }
}

#[test]
fn marker_with_paths_is_refused() {
    for line in [
        "aside ../x",
        "aside before-restore-x/../..",
        "former ../../etc",
        "restored thesis.tex",
        "other files",
        "files",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{HEADER}\n{line}\n");
        std::fs::write(folder.path().join(MARKER), text).unwrap();
        assert!(undo_interrupted(folder.path()).is_err(), "{line}");
        assert!(check_complete(folder.path()).is_err(), "{line}");
    }
}

#[test]
fn existing_subfolder_is_not_reused() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(free_aside(folder.path(), "t"), "before-restore-t");
    for name in ["before-restore-t", "before-restore-t-2"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    assert_eq!(free_aside(folder.path(), "t"), "before-restore-t-3");
}
