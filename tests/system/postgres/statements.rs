//! Every statement of the store is understood by both engines.

use quarry::store::{Server, Store, StoreLocation};
use quarry_world::cluster::Cluster;
use std::path::{Path, PathBuf};

#[path = "../../architecture/source.rs"]
#[allow(dead_code, reason = "the rules of the architecture need the rest")]
mod source;

/// Words that statements begin with.
const VERBS: [&str; 5] = [
    "SELECT ",
    "INSERT INTO ",
    "UPDATE ",
    "DELETE FROM ",
    "WITH ",
];
/// The store has at least this many complete statements.
const MIN_STATEMENTS: usize = 450;

/// A string literal that begins like a statement, with the place where it begins.
struct Statement {
    location: String,
    sql: String,
}

/// Returns the statements in the source files below a folder, without those of the engines.
fn statements(folder: &Path, found: &mut Vec<Statement>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("engine") {
            statements(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = source::Source {
                path: path.display().to_string(),
                text: std::fs::read_to_string(&path).unwrap(),
            };
            found.extend(file.outline().texts.into_iter().filter_map(|(text, line)| {
                let is_statement = VERBS
                    .iter()
                    .any(|verb| text.starts_with(verb) && text.len() > verb.len());
                is_statement.then(|| Statement {
                    location: format!("{}:{line}", file.path),
                    sql: unescaped(&text),
                })
            }));
        }
    }
}

/// Returns the value of a literal: lines that are continued are joined.
fn unescaped(literal: &str) -> String {
    let lines: Vec<&str> = literal.split("\\\n").collect();
    let mut value = String::new();
    for (index, line) in lines.iter().enumerate() {
        value.push_str(if index == 0 { line } else { line.trim_start() });
    }
    value.replace("\\\"", "\"")
}

#[test]
fn each_statement_is_understood_by_both_engines() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let database = cluster.create_database(None);
    let sqlite = Store::open(folders[0].path()).unwrap();
    let postgres = Store::open(StoreLocation {
        folder: folders[1].path().to_owned(),
        server: Some(Server::parse(&cluster.url(&database), None, 5).unwrap()),
        files: None,
        backs_up_before_upgrade: false,
    })
    .unwrap();
    let mut found = Vec::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    statements(&sources, &mut found);

    let mut complete = 0;
    let mut differences = Vec::new();
    for Statement { location, sql } in found {
        let check = |store: &Store| store.read(|db| db.check_statement(&sql));
        match (check(&sqlite), check(&postgres)) {
            (Ok(()), Ok(())) => complete += 1,
            (Ok(()), Err(error)) => {
                differences.push(format!("{location}: PostgreSQL: {error}: {sql}"))
            }
            (Err(error), Ok(())) => differences.push(format!("{location}: SQLite: {error}: {sql}")),
            // The beginning of a statement, or a part of one.
            (Err(_), Err(_)) => {}
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(
        complete >= MIN_STATEMENTS,
        "only {complete} statements were found"
    );
    sqlite.close();
    postgres.close();
    cluster.drop_database(&database);
}
