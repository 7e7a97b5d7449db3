//! What an import did: counts by table, what was wrong, and what was left behind.

use serde::Serialize;
use std::collections::BTreeMap;

/// What became of the rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Taken for the first time.
    pub taken: u64,
    /// As they were.
    pub unchanged: u64,
    /// Changed in the source, and here accordingly.
    pub updated: u64,
    /// Changed or gone in the source, but edited here: ours stayed.
    pub kept: u64,
    /// Gone from the source, and from here.
    pub removed: u64,
    /// Of a sort that has no place here.
    pub skipped: u64,
    /// Not usable.
    pub broken: u64,
}

impl Counts {
    /// Whether anything was written.
    pub fn is_changed(&self) -> bool {
        self.taken + self.updated + self.removed > 0
    }
}

/// Something to be said about one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The table of the source, and what of it if not all.
    pub table: String,
    /// The number of the row; of its owner where rows have none.
    pub id: i64,
    /// What became of it: `broken`, `in part`, `kept ours` or `removed`.
    pub outcome: &'static str,
    /// Why.
    pub reason: String,
}

/// Rows that were left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Left {
    /// The table, and which of its rows if not all.
    pub what: String,
    /// How many.
    pub rows: u64,
    /// Why.
    pub reason: &'static str,
}

/// What became of the contents of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Files {
    /// Copied, and their digests agree.
    pub copied: u64,
    /// Not there.
    pub missing: u64,
    /// There, but with another digest.
    pub wrong: u64,
}

/// Everything that an import did.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Where it came from.
    pub source: String,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Counts by table, in their order.
    pub tables: Vec<(String, Counts)>,
    /// What became of the contents of files, if they were asked for.
    pub files: Option<Files>,
    /// Rows that were left behind.
    pub left: Vec<Left>,
    /// Columns that have no place here, and in how many rows there is something in them.
    pub columns_left: Vec<(String, u64)>,
    /// Tables and columns that this version of Redmine does not have.
    pub missing: Vec<String>,
    /// What else is to be known, each a sentence.
    pub said: Vec<String>,
    /// What was wrong with which rows.
    pub problems: Vec<Problem>,
}

impl Report {
    /// The counts of a table.
    pub fn of(&mut self, label: &str) -> &mut Counts {
        let place = self.tables.iter().position(|(known, _)| known == label).unwrap_or_else(|| {
            self.tables.push((label.to_owned(), Counts::default()));
            self.tables.len() - 1
        });
        &mut self.tables[place].1
    }

    /// All counts together.
    pub fn total(&self) -> Counts {
        self.tables.iter().fold(Counts::default(), |sum, (_, counts)| Counts {
            taken: sum.taken + counts.taken,
            unchanged: sum.unchanged + counts.unchanged,
            updated: sum.updated + counts.updated,
            kept: sum.kept + counts.kept,
            removed: sum.removed + counts.removed,
            skipped: sum.skipped + counts.skipped,
            broken: sum.broken + counts.broken,
        })
    }

    /// Says something about a row.
    pub fn problem(&mut self, table: &str, id: i64, outcome: &'static str, reason: impl Into<String>) {
        self.problems.push(Problem { table: table.to_owned(), id, outcome, reason: reason.into() });
    }

    /// Rows that were left behind, by what they are.
    pub fn leave(&mut self, left: BTreeMap<String, u64>, reason: &'static str) {
        self.left.extend(left.into_iter().map(|(what, rows)| Left { what, rows, reason }));
    }

    /// Adds what a first pass wrote to what a second one, which begins anew, has seen.
    pub fn after(mut self, first: &Report) -> Report {
        for (label, before) in &first.tables {
            let counts = self.of(label);
            counts.unchanged = counts.unchanged.saturating_sub(before.taken + before.updated);
            counts.taken += before.taken;
            counts.updated += before.updated;
            counts.removed += before.removed;
        }
        self.problems.extend(first.problems.iter().filter(|problem| problem.outcome == "removed").cloned());
        self
    }
}
