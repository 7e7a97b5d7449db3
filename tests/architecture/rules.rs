//! The rules, each a function from source files to messages about violations.

use super::layers::LAYERS;
use super::source::{Outline, Source};
use std::collections::{BTreeMap, BTreeSet};

/// The layers that handle requests.
const REQUEST_LAYERS: &[&str] = &["http", "api", "oauth", "web"];
/// Crates that only some modules may name.
const GUARDED: &[&str] = &[
    "rusqlite",
    "tokio_postgres",
    "mysql",
    "tantivy",
    "axum",
    "quick_xml",
    "serde_json",
    "anyhow",
    "comrak",
    "ammonia",
    "hl_lite",
    "image",
];
/// The only module that may name the database engine and use its SQL.
const ENGINE: &str = "src/store/engine/";
/// The only module that may connect to foreign databases.
const SOURCE: &str = "src/import/source/";
/// How variables with secrets, and with their digests, are called.
const SECRETS: &[&str] = &[
    "secret",
    "digest",
    "stored",
    "verifier",
    "challenge",
    "token",
    "access_token",
    "refresh_token",
    "code",
];
/// Module names that do not name their content.
const EMPTY_NAMES: &[&str] = &[
    "util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "service",
    "services", "base", "core", "types",
];
/// SQL keywords that differ between SQLite and PostgreSQL.
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
/// Maximum number of lines of a file in `src`.
pub const MAX_LINES: usize = 400;
/// Maximum number of lines of a file with tests, and of the exceptions in [`LONG_FILES`].
pub const MAX_LONG_LINES: usize = 500;
/// Files of `src` that may be longer than [`MAX_LINES`]: a division would separate what is read
/// together.
const LONG_FILES: &[&str] = &[
    "src/api/time_entries.rs",
    "src/domain/query/dates.rs",
    "src/http/request/authentication.rs",
    "src/http/request/context.rs",
    "src/http/server/limits/logins.rs",
    "src/store/administration/custom_fields.rs",
    "src/store/engine/connection.rs",
    "src/store/lib.rs",
];

/// Returns the module of a file.
fn layer_of(path: &str) -> &str {
    let inside = path.trim_start_matches("src/");
    inside
        .split('/')
        .next()
        .unwrap_or(inside)
        .trim_end_matches(".rs")
}

/// Returns the Rust files that are not tests, with their outlines.
pub fn outlines_outside_tests(files: &[Source]) -> Vec<(&Source, Outline)> {
    let outlines: Vec<(&Source, Outline)> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs"))
        .map(|file| (file, file.outline()))
        .collect();
    let for_tests: BTreeSet<String> = outlines
        .iter()
        .flat_map(|(file, outline)| files_for_tests(file, outline))
        .collect();
    outlines
        .into_iter()
        .filter(|(file, _)| !for_tests.contains(&file.path))
        .collect()
}

/// Returns all violations in these files.
pub fn violations(files: &[Source]) -> Vec<String> {
    let outlines: Vec<(&Source, Outline)> = files
        .iter()
        .filter(|file| file.path.ends_with(".rs"))
        .map(|file| (file, file.outline()))
        .collect();
    let for_tests: BTreeSet<String> = outlines
        .iter()
        .flat_map(|(file, outline)| files_for_tests(file, outline))
        .collect();
    let mut found = Vec::new();
    for (file, outline) in &outlines {
        let is_test = for_tests.contains(&file.path) || file.path.starts_with("tests/");
        if file.path.starts_with("src/") {
            layers(file, outline, &mut found);
            crates(file, outline, is_test, &mut found);
            words(
                &file.path,
                outline
                    .texts
                    .iter()
                    .map(|(text, line)| (text.as_str(), *line)),
                &mut found,
            );
            names(file, outline, &mut found);
            if !is_test {
                deadlines(file, &mut found);
                comparisons(file, &mut found);
            }
        }
        bundles(file, outline, &mut found);
        length(file, &mut found);
    }
    for file in files.iter().filter(|file| file.path.ends_with(".sql")) {
        let lines = file
            .text
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        words(&file.path, lines.zip(1..), &mut found);
    }
    found.dedup();
    found
}

fn layers(file: &Source, outline: &Outline, found: &mut Vec<String>) {
    let Some(layer) = LAYERS
        .iter()
        .find(|layer| layer.name == layer_of(&file.path))
    else {
        found.push(format!(
            "{}: the table of layers does not know where this belongs",
            file.path
        ));
        return;
    };
    for path in outline
        .paths
        .iter()
        .filter(|path| path.parts[0] == "crate" && path.parts.len() > 1)
    {
        let target = path.parts[1].as_str();
        let known = LAYERS.iter().any(|layer| layer.name == target);
        let may = layer.name == target
            || layer
                .imports
                .iter()
                .any(|import| *import == "*" || starts_with(&path.parts[1..], import));
        if known && !may {
            found.push(format!(
                "{}:{}: {} may not import {}",
                file.path,
                path.line,
                layer.name,
                path.parts[1..].join("::")
            ));
        }
        let own = file
            .module()
            .get(1)
            .filter(|_| layer.name == "api")
            .cloned();
        if let (Some(own), Some(other)) = (own, path.parts.get(2))
            && target == "api"
            && own != *other
            // The prelude has names of other layers alone, `admin_routes` verbs of any resource.
            && !["prelude", "admin_routes"].contains(&other.as_str())
            && path
                .parts
                .get(3)
                .is_none_or(|part| !describes_resource(part))
        {
            found.push(format!(
                "{}:{}: api::{own} may import the view of api::{other}, not the rest of it",
                file.path, path.line
            ));
        }
    }
}

/// Returns whether a resource of the API may share an item of this name with others: its module
/// `view`, or what a resource of one file has in its place.
fn describes_resource(name: &str) -> bool {
    name == "view"
        || name == "ViewContext"
        || name.starts_with("write_")
        || name.starts_with("parse_")
}

fn starts_with(parts: &[String], import: &str) -> bool {
    let mut parts = parts.iter();
    import
        .split("::")
        .all(|wanted| parts.next().is_some_and(|part| part == wanted))
}

fn crates(file: &Source, outline: &Outline, is_test: bool, found: &mut Vec<String>) {
    let layer = LAYERS
        .iter()
        .find(|layer| layer.name == layer_of(&file.path));
    for path in &outline.paths {
        let name = path.parts[0].as_str();
        // Tests may use any crate to inspect bytes and bodies.
        let guarded = GUARDED.contains(&name) && !is_test && !path.in_test;
        let engine = ["rusqlite", "tokio_postgres", "mysql"].contains(&name)
            && !speaks_to_engines(&file.path);
        let placed = layer.is_some_and(|layer| layer.crates.contains(&name)) && !engine;
        if guarded && !placed {
            found.push(format!(
                "{}:{}: {name} has no place in {}",
                file.path,
                path.line,
                layer_of(&file.path)
            ));
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
        let text = text
            .to_lowercase()
            .replace('\\', " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for word in SQLITE_WORDS.iter().filter(|word| stands_in(&text, word)) {
            found.push(format!(
                "{path}:{line}: {word:?} is understood by SQLite alone"
            ));
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether the text has the word, not only as a part of another word.
fn stands_in(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_word);
        let after =
            word.ends_with(is_word) && text[at + word.len()..].chars().next().is_some_and(is_word);
        !before && !after
    })
}

/// Secrets are compared by `subtle`, in a time that does not depend on where they differ. Of what
/// is stored, `store` looks up keyed digests.
fn comparisons(file: &Source, found: &mut Vec<String>) {
    if !file.path.starts_with("src/actions/accounts/oauth/") && !file.path.starts_with("src/oauth/")
    {
        return;
    }
    for (line, number) in file.text.lines().zip(1..) {
        let code = line.split("//").next().unwrap_or_default();
        let sides = [" == ", " != "]
            .into_iter()
            .filter_map(|operator| code.split_once(operator));
        let mut operands = sides
            .flat_map(|(left, right)| {
                [
                    left.split_whitespace().last(),
                    right.split_whitespace().next(),
                ]
            })
            .flatten();
        if operands.any(is_name_of_secret) {
            found.push(format!(
                "{}:{number}: secrets are compared with `ct_eq`",
                file.path
            ));
        }
    }
}

/// Returns whether the last name of an operand is that of a secret.
fn is_name_of_secret(operand: &str) -> bool {
    let name = operand
        .split(|c: char| !is_word(c))
        .rfind(|part| !part.is_empty());
    name.is_some_and(|name| SECRETS.contains(&name))
}

/// Requests read through `App::read`, which has a deadline.
fn deadlines(file: &Source, found: &mut Vec<String>) {
    if !REQUEST_LAYERS.contains(&layer_of(&file.path)) {
        return;
    }
    for (line, number) in file.text.lines().zip(1..) {
        if line.contains("store.read(") || line.contains("store.read_until(") {
            found.push(format!(
                "{}:{number}: a request reads through `App::read`, which has a deadline",
                file.path
            ));
        }
    }
}

fn names(file: &Source, outline: &Outline, found: &mut Vec<String>) {
    let declared = outline.modules.iter().map(|(name, _, _)| name.clone());
    for name in file
        .module()
        .into_iter()
        .chain(declared)
        .collect::<BTreeSet<_>>()
    {
        if EMPTY_NAMES.contains(&name.as_str()) {
            found.push(format!("{}: {name} does not name its content", file.path));
        }
    }
}

/// One `let` binds one value; a pattern takes apart only a tuple that exists.
fn bundles(file: &Source, outline: &Outline, found: &mut Vec<String>) {
    for line in &outline.bundled_bindings {
        found.push(format!(
            "{}:{line}: bind one value with each `let`",
            file.path
        ));
    }
}

fn length(file: &Source, found: &mut Vec<String>) {
    let lines = file.text.lines().count();
    let is_test = file.path.starts_with("tests/") || file.path.ends_with("/tests.rs");
    let limit = if is_test || LONG_FILES.contains(&file.path.as_str()) {
        MAX_LONG_LINES
    } else {
        MAX_LINES
    };
    if lines > limit {
        found.push(format!(
            "{}: {lines} lines are more than {limit}",
            file.path
        ));
    }
}

/// Returns the files of the test-only modules that a file declares.
fn files_for_tests(file: &Source, outline: &Outline) -> Vec<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = if file.path.ends_with("/mod.rs") || file.path.ends_with("/lib.rs") {
        folder
    } else {
        file.path.trim_end_matches(".rs")
    };
    let tests = outline.modules.iter().filter(|(_, test, _)| *test);
    tests
        .map(|(name, _, named)| {
            named
                .as_ref()
                .map_or(format!("{below}/{name}.rs"), |named| {
                    format!("{folder}/{named}")
                })
        })
        .collect()
}

/// Returns the modules of the table under the heading "Modules" of `docs/architecture.md` with
/// their imports, from lines such as ``| `store` | the records | `domain` |``.
pub fn modules_of_document(document: &str) -> BTreeMap<String, Vec<String>> {
    let section = document
        .lines()
        .skip_while(|line| line.trim_end() != "## Modules")
        .skip(1);
    let table = section
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .skip(2);
    let modules = table.filter_map(|line| {
        let columns: Vec<&str> = line.trim().trim_matches('|').split('|').collect();
        let [name, _, imports] = columns[..] else {
            return None;
        };
        let imports = match imports.trim() {
            "nothing" => Vec::new(),
            "everything" => vec!["*".to_owned()],
            list => list.split(',').map(unquoted).collect(),
        };
        Some((unquoted(name), imports))
    });
    modules.collect()
}

fn unquoted(cell: &str) -> String {
    cell.trim().trim_matches('`').to_owned()
}

/// Returns the modules of these files.
pub fn modules_of_files(files: &[Source]) -> BTreeSet<String> {
    files
        .iter()
        .filter(|file| file.path.starts_with("src/"))
        .map(|file| layer_of(&file.path).to_owned())
        .collect()
}
