//! The log of statements that tests have executed, as `src/store/engine/statement_log.rs` writes it.

use crate::fragments::fragments;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Modules whose tests have no records in PostgreSQL, or start other programs that do not know where
/// the records are.
const NOT_ON_POSTGRES: [&str; 4] = ["postgres::", "chromium::", "python", "packaging::"];

/// The engine that has executed a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// What a test has executed.
#[derive(Default)]
pub struct Test {
    /// Indexes of statements.
    sqlite: BTreeSet<usize>,
    postgres: BTreeSet<usize>,
    /// Time of the first and of the last new statement, in milliseconds.
    times: Option<(u64, u64)>,
    /// Whether it can run on PostgreSQL.
    pub is_portable: bool,
}

impl Test {
    /// Returns about how long it has taken, in milliseconds.
    pub fn duration(&self) -> u64 {
        self.times.map_or(0, |(first, last)| last - first)
    }

    fn statements(&self, engine: Engine) -> &BTreeSet<usize> {
        match engine {
            Engine::Sqlite => &self.sqlite,
            Engine::Postgres => &self.postgres,
        }
    }
}

/// The log of one run.
#[derive(Default)]
pub struct Log {
    /// The tests by their names.
    pub tests: BTreeMap<String, Test>,
    statements: Vec<String>,
    indexes: HashMap<String, usize>,
}

impl Log {
    /// Loads the files of all processes of a run; without the folder, an empty log.
    pub fn load(folder: &Path) -> Result<Log, String> {
        if !folder.exists() {
            return Ok(Log::default());
        }
        let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut lines = Vec::new();
        let mut sqlite_only = HashSet::new();
        let mut portable = HashSet::new();
        for entry in std::fs::read_dir(folder).map_err(problem)? {
            let path = entry.map_err(problem)?.path();
            let text = std::fs::read_to_string(&path).map_err(problem)?;
            let texts = text.lines().map(str::to_owned);
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("portable") => portable.extend(texts),
                Some("sqlite-only") => sqlite_only.extend(texts),
                _ => lines.extend(texts),
            }
        }
        let mut log = Log::default();
        for line in &lines {
            log.add_line(line, &portable);
        }
        for (name, test) in &mut log.tests {
            let is_excluded = NOT_ON_POSTGRES.iter().any(|module| name.contains(module));
            test.is_portable = !is_excluded && !sqlite_only.contains(name);
        }
        Ok(log)
    }

    /// Adds an engine, a test, a time, a store and a statement. Leaves out what SQLite executes in every
    /// run, for a store in none of the `portable` folders, and a line that a killed process has not
    /// finished.
    fn add_line(&mut self, line: &str, portable: &HashSet<String>) {
        let mut fields = line.splitn(5, '\t');
        let (Some(engine), Some(test), Some(time), Some(store), Some(statement)) = (
            fields.next(),
            fields.next(),
            fields.next().and_then(|time| time.parse().ok()),
            fields.next(),
            fields.next(),
        ) else {
            return;
        };
        let folder = Path::new(store).parent().and_then(Path::to_str);
        if engine == "sqlite" && folder.is_none_or(|folder| !portable.contains(folder)) {
            return;
        }
        let index = match self.indexes.get(statement) {
            Some(index) => *index,
            None => {
                self.statements.push(statement.to_owned());
                self.indexes
                    .insert(statement.to_owned(), self.statements.len() - 1);
                self.statements.len() - 1
            }
        };
        let test = self.tests.entry(test.to_owned()).or_default();
        let (first, last) = test.times.unwrap_or((time, time));
        test.times = Some((first.min(time), last.max(time)));
        match engine {
            "sqlite" => test.sqlite.insert(index),
            _ => test.postgres.insert(index),
        };
    }

    /// Returns the fragments of the statements of an engine that certain tests have executed, each with a
    /// statement that has it.
    pub fn fragments(
        &self,
        engine: Engine,
        is_counted: impl Fn(&Test) -> bool,
    ) -> BTreeMap<String, &str> {
        let tests = self.tests.values().filter(|test| is_counted(test));
        let statements: BTreeSet<usize> = tests
            .flat_map(|test| test.statements(engine).iter().copied())
            .collect();
        let mut found = BTreeMap::new();
        for index in statements {
            let statement = self.statements[index].as_str();
            for fragment in fragments(statement) {
                found.entry(fragment).or_insert(statement);
            }
        }
        found
    }

    /// Returns the fragments of the statements that one test has executed on SQLite.
    pub fn fragments_of(&self, test: &Test) -> BTreeSet<String> {
        let statements = test.sqlite.iter();
        statements
            .flat_map(|index| fragments(&self.statements[*index]))
            .collect()
    }
}
