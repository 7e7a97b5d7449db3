//! The rules, each a function from what there is to sentences about what offends.

use super::source::{Outline, Source};
use std::collections::{BTreeMap, BTreeSet};

/// A room, what it may import of ours, and which of the guarded crates it may name.
pub struct Room {
    /// Its name.
    pub name: &'static str,
    /// Rooms, or parts of rooms, that it may import. `*` is everything.
    pub imports: &'static [&'static str],
    /// Guarded crates that it may name.
    pub crates: &'static [&'static str],
}

const fn room(name: &'static str, imports: &'static [&'static str], crates: &'static [&'static str]) -> Room {
    Room { name, imports, crates }
}

/// The table of README and design, in the order of the layers.
pub const ROOMS: &[Room] = &[
    room("config", &["domain"], &[]),
    room("telemetry", &["config"], &[]),
    room("domain", &[], &[]),
    room("markup", &["domain::ids"], &[]),
    room("wire", &["domain::ids"], &["quick_xml", "serde_json"]),
    room("store", &["domain"], &["rusqlite", "serde_json"]),
    room("search", &["domain", "store", "markup"], &["tantivy"]),
    room("actions", &["domain", "store", "markup"], &[]),
    room("app", &["config", "domain", "store", "search"], &[]),
    room("http", &["config", "domain", "markup", "wire", "store", "search", "actions", "app"], &["axum"]),
    room("api", &["domain", "markup", "wire", "store", "search", "actions", "app", "http"], &["axum"]),
    room("oauth", &["domain", "markup", "wire", "store", "search", "actions", "app", "http"], &["axum"]),
    room("web", &["domain", "markup", "wire", "store", "search", "actions", "app", "http"], &["axum"]),
    room("import", &["domain", "store", "actions"], &["rusqlite", "postgres", "mysql", "serde_json"]),
    room("jobs", &["*"], &[]),
    room("cli", &["*"], &["anyhow", "serde_json"]),
    room("main", &["*"], &["anyhow"]),
    room("lib", &["*"], &["axum"]),
];

/// Crates that may be named in some rooms only.
const GUARDED: &[&str] = &["rusqlite", "postgres", "mysql", "tantivy", "axum", "quick_xml", "serde_json", "anyhow"];
/// The one folder in which the database engine may be named, and its own words used.
const ENGINE: &str = "src/store/engine/";
/// The one folder in which foreign databases are spoken to.
const SOURCE: &str = "src/import/source/";
/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] =
    &["util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "service", "services", "base", "core", "types"];
/// Words that SQLite understands and PostgreSQL does not, or differently.
const SQLITE_WORDS: &[&str] = &[
    "insert or",
    "replace into",
    "rowid",
    "json_each",
    "json_extract",
    "strftime",
    "julianday",
    "unixepoch",
    "datetime(",
    "ifnull",
    "iif(",
    "group_concat",
    "glob",
    "autoincrement",
    "pragma",
    "collate nocase",
    "sqlite_master",
    "last_insert_rowid",
    "instr(",
    "vacuum",
];
/// The longest file, in lines.
pub const LONGEST: usize = 400;
/// Files that are longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// The room in which a file lies.
fn room_of(path: &str) -> &str {
    let inside = path.trim_start_matches("src/");
    inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
}

/// Everything that offends in these files.
pub fn offences(files: &[Source]) -> Vec<String> {
    let outlines: Vec<(&Source, Outline)> =
        files.iter().filter(|file| file.path.ends_with(".rs")).map(|file| (file, file.outline())).collect();
    let for_tests: BTreeSet<String> = outlines.iter().flat_map(|(file, outline)| files_for_tests(file, outline)).collect();
    let mut found = Vec::new();
    for (file, outline) in &outlines {
        let is_test = for_tests.contains(&file.path) || file.path.starts_with("tests/");
        if file.path.starts_with("src/") {
            layers(file, outline, &mut found);
            crates(file, outline, is_test, &mut found);
            words(&file.path, outline.texts.iter().map(|(text, line)| (text.as_str(), *line)), &mut found);
            names(file, outline, &mut found);
        }
        length(file, &mut found);
    }
    for file in files.iter().filter(|file| file.path.ends_with(".sql")) {
        let lines = file.text.lines().map(|line| line.split("--").next().unwrap_or_default());
        words(&file.path, lines.zip(1..), &mut found);
    }
    found.dedup();
    found
}

fn layers(file: &Source, outline: &Outline, found: &mut Vec<String>) {
    let Some(room) = ROOMS.iter().find(|room| room.name == room_of(&file.path)) else {
        found.push(format!("{}: the table of rooms does not know where this belongs", file.path));
        return;
    };
    for path in outline.paths.iter().filter(|path| path.parts[0] == "crate" && path.parts.len() > 1) {
        let target = path.parts[1].as_str();
        let known = ROOMS.iter().any(|room| room.name == target);
        let may = room.name == target || room.imports.iter().any(|import| *import == "*" || starts_with(&path.parts[1..], import));
        if known && !may {
            found.push(format!("{}:{}: {} may not import {}", file.path, path.line, room.name, path.parts[1..].join("::")));
        }
        let resources = (file.path.strip_prefix("src/api/").and_then(|rest| rest.split_once('/')), path.parts.get(2));
        if let (Some((own, _)), Some(other)) = resources
            && target == "api"
            && own != other
            && path.parts.get(3).is_none_or(|part| part != "view")
        {
            found.push(format!("{}:{}: api::{own} may import api::{other}::view, not the rest of it", file.path, path.line));
        }
    }
}

fn starts_with(parts: &[String], import: &str) -> bool {
    let mut parts = parts.iter();
    import.split("::").all(|wanted| parts.next().is_some_and(|part| part == wanted))
}

fn crates(file: &Source, outline: &Outline, is_test: bool, found: &mut Vec<String>) {
    let room = ROOMS.iter().find(|room| room.name == room_of(&file.path));
    for path in &outline.paths {
        let name = path.parts[0].as_str();
        // A test may look at bytes and bodies with whatever is at hand.
        let guarded = GUARDED.contains(&name) && !is_test && !path.in_test;
        let engine = ["rusqlite", "postgres", "mysql"].contains(&name) && !speaks_to_engines(&file.path);
        let placed = room.is_some_and(|room| room.crates.contains(&name)) && !engine;
        if guarded && !placed {
            found.push(format!("{}:{}: {name} has no place in {}", file.path, path.line, room_of(&file.path)));
        }
    }
}

fn speaks_to_engines(path: &str) -> bool {
    path.starts_with(ENGINE) || path.starts_with(SOURCE)
}

fn words<'t>(path: &str, texts: impl Iterator<Item = (&'t str, usize)>, found: &mut Vec<String>) {
    if speaks_to_engines(path) {
        return;
    }
    for (text, line) in texts {
        let text = text.to_lowercase().replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        for word in SQLITE_WORDS.iter().filter(|word| stands_in(&text, word)) {
            found.push(format!("{path}:{line}: {word:?} is understood by SQLite alone"));
        }
    }
}

/// Whether the word stands in the text, not as a part of another word.
fn stands_in(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_word);
        let after = word.ends_with(is_word) && text[at + word.len()..].chars().next().is_some_and(is_word);
        !before && !after
    })
}

fn names(file: &Source, outline: &Outline, found: &mut Vec<String>) {
    let declared = outline.modules.iter().map(|(name, _, _)| name.clone());
    for name in file.module().into_iter().chain(declared).collect::<BTreeSet<_>>() {
        if EMPTY_NAMES.contains(&name.as_str()) {
            found.push(format!("{}: {name} says nothing about what is inside", file.path));
        }
    }
}

fn length(file: &Source, found: &mut Vec<String>) {
    let lines = file.text.lines().count();
    if lines > LONGEST && !LONG_FILES.iter().any(|(path, _)| *path == file.path) {
        found.push(format!("{}: {lines} lines are more than {LONGEST}", file.path));
    }
}

/// The files of the modules that a file declares for tests alone.
fn files_for_tests(file: &Source, outline: &Outline) -> Vec<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = if file.path.ends_with("/mod.rs") { folder } else { file.path.trim_end_matches(".rs") };
    let tests = outline.modules.iter().filter(|(_, test, _)| *test);
    tests.map(|(name, _, named)| named.as_ref().map_or(format!("{below}/{name}.rs"), |named| format!("{folder}/{named}"))).collect()
}

/// The rooms that the map in the README names, each with what it says behind the arrow: lines such as
/// `  store/    What is remembered?   ← domain`.
pub fn rooms_of_map(readme: &str) -> BTreeMap<String, Vec<String>> {
    let map = readme.split("```").find(|block| block.lines().any(|line| line.trim_end() == "src/")).unwrap_or_default();
    let entries = map.lines().skip_while(|line| line.trim_end() != "src/").skip(1).take_while(|line| line.starts_with("  "));
    let rooms = entries.filter(|line| !line.starts_with("   ")).filter_map(|line| {
        let name = line.split_whitespace().next()?.trim_end_matches('/').trim_end_matches(".rs");
        let imports = line.split_once('←').map_or("", |(_, imports)| imports);
        Some((name.to_owned(), imports.split_whitespace().map(|import| import.replace("everything", "*")).collect()))
    });
    rooms.collect()
}

/// The rooms in which these files lie.
pub fn rooms_of_files(files: &[Source]) -> BTreeSet<String> {
    files.iter().filter(|file| file.path.starts_with("src/")).map(|file| room_of(&file.path).to_owned()).collect()
}
