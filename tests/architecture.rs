//! The table of rooms in the README, as a test: who may import whom, which crate is named where, how long a file may be, and
//! which words of SQL may be used. It prints the table: `cargo test --test architecture -- --nocapture`.
#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

#[path = "architecture/offences.rs"]
mod offences;
#[path = "architecture/rules.rs"]
mod rules;
#[path = "architecture/source.rs"]
mod source;

use source::Source;
use std::path::Path;

/// Every file below the folder that the rules are about.
fn files(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut waiting) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "sql") {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push(Source { path: name, text: std::fs::read_to_string(path).unwrap() });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

#[test]
fn every_file_is_where_it_belongs() {
    println!("{:<10} {:<75} crates of its own", "room", "may import");
    for room in rules::ROOMS {
        println!("{:<10} {:<75} {}", room.name, room.imports.join(" "), room.crates.join(" "));
    }
    let mut all = files("src");
    assert!(all.len() > 20, "the sources were not found");
    all.extend(files("tests"));
    let offences = rules::offences(&all);
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}

#[test]
fn the_map_in_the_readme_is_the_table() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let map = rules::rooms_of_map(&readme);
    assert_eq!(map.keys().cloned().collect::<std::collections::BTreeSet<_>>(), rules::rooms_of_files(&files("src")));
    for room in rules::ROOMS {
        assert!(map.get(room.name).is_none_or(|imports| imports == room.imports), "{} imports otherwise than its line says", room.name);
    }
}
