//! Selects the tests that run on PostgreSQL, too, from the log of the statements that each test has
//! executed on SQLite, and checks afterwards that all of them were executed (CONTRIBUTING 2.1).
//!
//! ```text
//! quarry-test-selection select target/statements/sqlite target/statements/postgres
//! quarry-test-selection check target/statements/sqlite target/statements/postgres
//! ```
//!
//! `select` prints the names of few and fast tests that together execute every statement that was not
//! yet executed on PostgreSQL, a name a line. `check` fails with the statements that were executed on
//! SQLite alone.

mod fragments;
mod log;
mod selection;

use log::Log;
use std::path::Path;
use std::process::ExitCode;

/// Maximum number of characters of a statement in a message.
const MAX_TEXT: usize = 300;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["select", sqlite, postgres] => select(Path::new(sqlite), Path::new(postgres)),
        ["check", sqlite, postgres] => check(Path::new(sqlite), Path::new(postgres)),
        _ => Err(
            "usage: quarry-test-selection select|check LOG-OF-SQLITE LOG-OF-POSTGRES".to_owned(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn select(sqlite: &Path, postgres: &Path) -> Result<(), String> {
    let log = Log::load(sqlite)?;
    let executed = Log::load(postgres)?;
    let selection = selection::select(&log, &executed);
    eprintln!(
        "{} of {} tests execute {} fragments of statements on PostgreSQL",
        selection.tests.len(),
        log.tests.len(),
        selection.fragment_count,
    );
    for test in selection.tests {
        println!("{test}");
    }
    Ok(())
}

/// Returns at most the beginning of a statement.
fn shortened(statement: &str) -> String {
    statement.chars().take(MAX_TEXT).collect()
}

fn check(sqlite: &Path, postgres: &Path) -> Result<(), String> {
    let log = Log::load(sqlite)?;
    if log.tests.is_empty() {
        return Err(format!("{}: no statement is logged", sqlite.display()));
    }
    let executed = Log::load(postgres)?;
    let required = selection::required_fragments(&log);
    let missing: Vec<String> = selection::missing_fragments(&log, &executed)
        .iter()
        .map(|(fragment, statement)| format!("{fragment}\n    of {}", shortened(statement)))
        .collect();
    if missing.is_empty() {
        println!(
            "all {} fragments of statements were executed on PostgreSQL",
            required.len()
        );
        return Ok(());
    }
    Err(format!(
        "{} fragments of statements were executed on SQLite alone:\n{}\nWhere only SQLite executes a statement, \
         its tests say so with only_on_sqlite!",
        missing.len(),
        missing.join("\n")
    ))
}
