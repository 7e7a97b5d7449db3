//! The report of an import: counts by table, problems, and rows and columns that were left behind.

use serde::Serialize;
use std::collections::BTreeMap;

/// Counts of the rows of a table by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Imported for the first time.
    pub taken: u64,
    /// Unchanged since the last import.
    pub unchanged: u64,
    /// Changed in the source, and updated here.
    pub updated: u64,
    /// Changed or deleted in the source, but edited here: ours was kept.
    pub kept: u64,
    /// Deleted in the source and here.
    pub removed: u64,
    /// Of a kind that is not supported.
    pub skipped: u64,
    /// Invalid.
    pub broken: u64,
}

impl Counts {
    /// Whether anything was written.
    pub fn is_changed(&self) -> bool {
        self.taken + self.updated + self.removed > 0
    }
}

/// A note about one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Label of the table mapping.
    pub table: String,
    /// Id of the row, or of its owner for rows without ids.
    pub id: i64,
    /// The outcome of the row: `broken`, `in part`, `kept ours` or `removed`.
    pub outcome: &'static str,
    /// Why.
    pub reason: String,
}

/// Rows that were left behind: they have no counterpart in Quarry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftBehind {
    /// The table, and which of its rows if not all.
    pub what: String,
    /// Number of rows.
    pub rows: u64,
    /// Why.
    pub reason: &'static str,
}

/// Counts of files by the outcome of copying them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileCounts {
    /// Copied and verified.
    pub copied: u64,
    /// Not found or not readable.
    pub missing: u64,
    /// Copied, but with another digest or size than recorded.
    #[serde(rename = "wrong")]
    pub mismatched: u64,
}

/// The report of an import.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The source, without its password.
    pub source: String,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Counts by table, in the order of import.
    pub tables: Vec<(String, Counts)>,
    /// Counts of files, if they were imported.
    pub files: Option<FileCounts>,
    /// Rows that were left behind.
    pub left: Vec<LeftBehind>,
    /// Columns that were left behind, with the number of rows where they have a value.
    pub columns_left: Vec<(String, u64)>,
    /// Tables and columns that this version of Redmine does not have.
    pub missing: Vec<String>,
    /// Further messages.
    #[serde(rename = "said")]
    pub notes: Vec<String>,
    /// Problems by row.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Returns the report at the start of an import from this source.
    pub fn new(source: &str, dry_run: bool) -> Report {
        Report {
            source: source.to_owned(),
            dry_run,
            ..Report::default()
        }
    }

    /// Adds a table or column that the source does not have, once.
    pub fn add_missing(&mut self, name: String) {
        if !self.missing.contains(&name) {
            self.missing.push(name);
        }
    }

    /// Returns the counts of a table.
    pub fn counts(&mut self, label: &str) -> &mut Counts {
        let index = self
            .tables
            .iter()
            .position(|(table, _)| table == label)
            .unwrap_or_else(|| {
                self.tables.push((label.to_owned(), Counts::default()));
                self.tables.len() - 1
            });
        &mut self.tables[index].1
    }

    /// Returns the sum of all counts.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for (_, counts) in &self.tables {
            total.taken += counts.taken;
            total.unchanged += counts.unchanged;
            total.updated += counts.updated;
            total.kept += counts.kept;
            total.removed += counts.removed;
            total.skipped += counts.skipped;
            total.broken += counts.broken;
        }
        total
    }

    /// Adds a note about a row.
    pub fn add_problem(
        &mut self,
        table: &str,
        id: i64,
        outcome: &'static str,
        reason: impl Into<String>,
    ) {
        self.problems.push(Problem {
            table: table.to_owned(),
            id,
            outcome,
            reason: reason.into(),
        });
    }

    /// Adds rows that were left behind, by table.
    pub fn add_left_behind(&mut self, rows: BTreeMap<String, u64>, reason: &'static str) {
        self.left.extend(
            rows.into_iter()
                .map(|(what, rows)| LeftBehind { what, rows, reason }),
        );
    }

    /// Adds the rows that the first pass wrote, which this report of the second pass has counted as
    /// unchanged.
    pub fn merge_first_pass(mut self, first: &Report) -> Report {
        for (label, before) in &first.tables {
            let counts = self.counts(label);
            counts.unchanged = counts
                .unchanged
                .saturating_sub(before.taken + before.updated);
            counts.taken += before.taken;
            counts.updated += before.updated;
            counts.removed += before.removed;
        }
        self.problems.extend(
            first
                .problems
                .iter()
                .filter(|problem| problem.outcome == "removed")
                .cloned(),
        );
        self
    }
}
