//! A log of the statements that each test executes, from which the tests that also run on PostgreSQL
//! are selected (CONTRIBUTING 2.1). Only test builds have it: feature `statement-log`.
//!
//! `STATEMENT_LOG` names the folder of the log. Each process has a file of its own there, in which a
//! line is an engine, a test, the time since 1970 in milliseconds, a store and a statement, separated
//! by tabs. Literals, the numbers of
//! parameters and the lengths of lists are left out, so that statements that differ only in them are
//! one. A store belongs to the test whose thread has opened it.

use super::DatabaseLocation;
use quarry_domain::clock::{Clock, SystemClock};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The variable with the folder of the log.
const FOLDER: &str = "STATEMENT_LOG";
/// The variable with the name of the test that has started this process.
const TEST: &str = "STATEMENT_LOG_TEST";

static LOG: LazyLock<Option<Mutex<Log>>> =
    LazyLock::new(|| std::env::var_os(FOLDER).map(|folder| Mutex::new(Log::create(folder.into()))));

struct Log {
    file: Option<File>,
    /// The test that each store belongs to.
    tests: HashMap<String, String>,
    /// Hashes of the statements that were logged, with store and test.
    logged: HashSet<u64>,
}

impl Log {
    fn create(folder: PathBuf) -> Log {
        let file = std::fs::create_dir_all(&folder)
            .and_then(|()| File::create(folder.join(format!("{}.log", std::process::id()))));
        if let Err(error) = &file {
            tracing::error!(error = %error, "the log of statements cannot be created");
        }
        Log {
            file: file.ok(),
            tests: HashMap::new(),
            logged: HashSet::new(),
        }
    }

    fn record(&mut self, engine: &str, store: &str, sql: &str) {
        let test = self.tests.get(store).map_or("", String::as_str);
        if !self.logged.insert(hash(&(test, store, sql))) {
            return;
        }
        let text = normalize(sql);
        if self
            .logged
            .insert(hash(&(test, store, &text, "normalized")))
            && let Some(file) = &mut self.file
        {
            // The check fails for a statement that is not in the log.
            let now = SystemClock.now().as_millisecond();
            let _ = writeln!(file, "{engine}\t{test}\t{now}\t{store}\t{text}");
        }
    }
}

/// Notes that the test of this thread has opened the store.
pub fn register(location: &DatabaseLocation) {
    let Some(log) = &*LOG else { return };
    let thread = std::thread::current();
    let test = std::env::var(TEST)
        .ok()
        .or_else(|| thread.name().map(str::to_owned));
    if let Some(test) = test.filter(|test| test.contains("::")) {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.tests.insert(location.name(), test);
    }
}

/// Records that a statement is executed on the store at this location.
pub fn record(engine: &str, store: &str, sql: &str) {
    if let Some(log) = &*LOG {
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.record(engine, store, sql);
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Lists, and the element that stands for them.
const LISTS: [(&str, &str); 6] = [
    ("?, ?", "?"),
    ("?,?", "?"),
    ("0, 0", "0"),
    ("'', ''", "''"),
    ("(?), (?)", "(?)"),
    ("(?),(?)", "(?)"),
];

/// Returns the text in one line, without literals and the numbers of parameters; a list of values or
/// parameters is one of them.
fn normalize(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut characters = sql.chars().peekable();
    let mut last = ' ';
    while let Some(character) = characters.next() {
        let is_in_name = last.is_alphanumeric() || last == '_' || last == '?';
        match character {
            '\'' => {
                while characters.next().is_some_and(|next| next != '\'') {}
                if last != '\'' {
                    text.push_str("''");
                }
            }
            '0'..='9' if last == '?' => continue,
            '0'..='9' if !is_in_name => {
                while characters.next_if(char::is_ascii_digit).is_some() {}
                text.push('0');
            }
            space if space.is_whitespace() => {
                if last != ' ' {
                    text.push(' ');
                }
                last = ' ';
                continue;
            }
            other => text.push(other),
        }
        last = character;
    }
    for (list, element) in LISTS {
        while text.contains(list) {
            text = text.replace(list, element);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn statements_that_differ_in_values_only_are_normalized_alike() {
        let texts = [
            "SELECT a1 FROM b\n  WHERE c = 'x''y' AND d IN (1, 2, 30) AND e = ?12",
            "SELECT a1 FROM b WHERE c = '' AND d IN (4) AND e = ?3",
        ];
        let normalized = "SELECT a1 FROM b WHERE c = '' AND d IN (0) AND e = ?";
        assert_eq!(texts.map(normalize), [normalized; 2]);
    }

    #[test]
    fn lists_of_any_length_are_normalized_alike() {
        assert_eq!(
            normalize("INSERT INTO a VALUES (?1, ?2), (?3, ?4), (?5, ?6)"),
            "INSERT INTO a VALUES (?)"
        );
    }
}
