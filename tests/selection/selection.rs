//! Which tests run on PostgreSQL, too.

use crate::log::{Engine, Log, Test};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What every test costs in addition to its own time, in milliseconds: a database is copied and dropped.
const FIXED_COST: u64 = 150;

/// Tests that together execute every fragment of the statements.
pub struct Selection {
    /// Their names, in order.
    pub tests: Vec<String>,
    /// Number of missing fragments.
    pub fragment_count: usize,
}

/// Returns the fragments of statements that must be executed on PostgreSQL, each with a statement that has
/// it: all that a test has executed on SQLite that can also run there.
pub fn required_fragments(log: &Log) -> BTreeMap<String, &str> {
    log.fragments(Engine::Sqlite, |test| test.is_portable)
}

/// Returns those that no test has executed on PostgreSQL: neither a test of PostgreSQL alone, which
/// `log` has, nor one of those that were selected before.
pub fn missing_fragments<'l>(log: &'l Log, executed: &Log) -> BTreeMap<String, &'l str> {
    let own = log.fragments(Engine::Postgres, |_| true);
    let selected = executed.fragments(Engine::Postgres, |_| true);
    let mut fragments = required_fragments(log);
    fragments.retain(|fragment, _| !own.contains_key(fragment) && !selected.contains_key(fragment));
    fragments
}

/// Selects tests that were not executed on PostgreSQL until every missing fragment is covered; the next
/// one is always the one that adds most for its time.
pub fn select(log: &Log, executed: &Log) -> Selection {
    let missing = missing_fragments(log, executed);
    let missing: Vec<&String> = missing.keys().collect();
    let indexes: HashMap<&str, usize> = missing
        .iter()
        .enumerate()
        .map(|(index, fragment)| (fragment.as_str(), index))
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
            candidate
                .fragments
                .retain(|fragment| left.contains(fragment));
        }
        candidates.retain(|candidate| !candidate.fragments.is_empty());
        let best = candidates.iter().max_by(|a, b| a.compare(b));
        let Some(best) = best else { break };
        left.retain(|fragment| !best.fragments.contains(fragment));
        tests.push(best.name.to_owned());
    }
    tests.sort();
    Selection {
        tests,
        fragment_count: missing.len(),
    }
}

/// A test that may be selected.
struct Candidate<'l> {
    name: &'l str,
    cost: u64,
    /// The fragments that it adds.
    fragments: BTreeSet<usize>,
}

impl<'l> Candidate<'l> {
    fn new(log: &Log, name: &'l str, test: &Test, indexes: &HashMap<&str, usize>) -> Candidate<'l> {
        let fragments = log.fragments_of(test);
        Candidate {
            name,
            cost: FIXED_COST + test.duration(),
            fragments: fragments
                .iter()
                .filter_map(|fragment| indexes.get(fragment.as_str()).copied())
                .collect(),
        }
    }

    /// Compares what is added for the time; names break ties, so that the selection is stable.
    fn compare(&self, other: &Candidate<'_>) -> std::cmp::Ordering {
        let gain = |candidate: &Candidate<'_>, cost: u64| candidate.fragments.len() as u64 * cost;
        gain(self, other.cost)
            .cmp(&gain(other, self.cost))
            .then_with(|| other.name.cmp(self.name))
    }
}
