//! Which tests run on PostgreSQL, too.

use crate::log::{Engine, Log, Test};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What every test costs beside its own time, in milliseconds: a database is copied and dropped.
const FIXED_COST: u64 = 150;

/// Tests that together execute every part of a statement.
pub struct Selection {
    /// Their names, in order.
    pub tests: Vec<String>,
    /// Number of missing parts.
    pub part_count: usize,
}

/// Returns the parts of statements that must be executed on PostgreSQL, each with a statement that has
/// it: all that a test has executed on SQLite that can also run there.
pub fn required_parts(log: &Log) -> BTreeMap<String, &str> {
    log.parts(Engine::Sqlite, |test| test.is_portable)
}

/// Returns those that no test has executed on PostgreSQL: neither a test of PostgreSQL alone, which
/// `log` has, nor one of those that were selected before.
pub fn missing_parts<'l>(log: &'l Log, executed: &Log) -> BTreeMap<String, &'l str> {
    let own = log.parts(Engine::Postgres, |_| true);
    let selected = executed.parts(Engine::Postgres, |_| true);
    let mut parts = required_parts(log);
    parts.retain(|part, _| !own.contains_key(part) && !selected.contains_key(part));
    parts
}

/// Selects tests that were not executed on PostgreSQL until every missing part is covered; the next
/// one is always the one that adds most for its time.
pub fn select(log: &Log, executed: &Log) -> Selection {
    let missing = missing_parts(log, executed);
    let missing: Vec<&String> = missing.keys().collect();
    let indexes: HashMap<&str, usize> = missing
        .iter()
        .enumerate()
        .map(|(index, part)| (part.as_str(), index))
        .collect();
    let mut candidates: Vec<Candidate> = log
        .tests
        .iter()
        .filter(|(name, test)| test.is_portable && !executed.tests.contains_key(*name))
        .map(|(name, test)| Candidate::new(log, name, test, &indexes))
        .collect();
    let mut tests = Vec::new();
    let mut left: BTreeSet<usize> = (0..missing.len()).collect();
    while !left.is_empty() {
        for candidate in &mut candidates {
            candidate.parts.retain(|part| left.contains(part));
        }
        candidates.retain(|candidate| !candidate.parts.is_empty());
        let best = candidates.iter().max_by(|a, b| a.compare(b));
        let Some(best) = best else { break };
        left.retain(|part| !best.parts.contains(part));
        tests.push(best.name.to_owned());
    }
    tests.sort();
    Selection {
        tests,
        part_count: missing.len(),
    }
}

/// A test that may be selected.
struct Candidate<'l> {
    name: &'l str,
    cost: u64,
    /// The parts that it adds.
    parts: BTreeSet<usize>,
}

impl<'l> Candidate<'l> {
    fn new(log: &Log, name: &'l str, test: &Test, indexes: &HashMap<&str, usize>) -> Candidate<'l> {
        let parts = log.parts_of(test);
        Candidate {
            name,
            cost: FIXED_COST + test.duration(),
            parts: parts
                .iter()
                .filter_map(|part| indexes.get(part.as_str()).copied())
                .collect(),
        }
    }

    /// Compares what is added for the time; names break ties, so that the selection is stable.
    fn compare(&self, other: &Candidate<'_>) -> std::cmp::Ordering {
        let gain = |candidate: &Candidate<'_>, cost: u64| candidate.parts.len() as u64 * cost;
        gain(self, other.cost)
            .cmp(&gain(other, self.cost))
            .then_with(|| other.name.cmp(self.name))
    }
}
