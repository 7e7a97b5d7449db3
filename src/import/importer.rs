//! One pass over all tables: reads rows in batches, converts them, and writes those that are new or
//! have changed. Rows with ids are in `rows`, sets of rows that belong to an owner in `sets`.
//!
//! Invariant: a row that was edited here since the last import is never written.

use super::convert::{self, RowError};
use super::error::ImportError;
use super::field::{FieldContext, Row};
use super::id_map::{IdMap, RefTarget};
use super::progress::Progress;
use super::removal::{MissingRows, remove_missing};
use super::report::Report;
use super::source::Source;
use super::table_mapping::TableMapping;
use super::tables;
use super::write::{Outcome, PendingWrite, write};
use quarry_store::imported::{RowDigests, Target, TargetRows};
use quarry_store::{Store, Value, imported};
use std::collections::{BTreeMap, HashMap, HashSet};

mod filter;
mod rows;
mod sets;

/// Number of rows read and written at once.
const BATCH: usize = 2000;

/// State of a pass.
pub struct Importer<'a> {
    source: &'a mut Source,
    store: &'a Store,
    mode: Mode,
    progress: &'a mut dyn Progress,
    report: &'a mut Report,
    ids: IdMap,
    has_conflicts: bool,
}

/// What a pass does with the data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Writes to it.
    Write,
    /// Only finds out what would be written.
    DryRun,
    /// Only finds out what would be written to an empty folder: an import would replace the default
    /// data in this one.
    DryRunFromEmpty,
}

/// The table that is being imported.
struct CurrentTable {
    mapping: &'static TableMapping,
    target: Target,
    columns: Vec<&'static str>,
    before: HashMap<i64, RowDigests>,
    seen: HashSet<i64>,
    /// Rows that are skipped, by what they are.
    skipped: BTreeMap<String, u64>,
    rows_read: u64,
}

impl CurrentTable {
    /// Counts rows that are skipped.
    fn skip(&mut self, label: String, rows: u64) {
        *self.skipped.entry(label).or_default() += rows;
    }
}

impl<'a> Importer<'a> {
    /// Returns the state at the start of a pass.
    pub fn new(
        source: &'a mut Source,
        store: &'a Store,
        mode: Mode,
        progress: &'a mut dyn Progress,
        report: &'a mut Report,
    ) -> Importer<'a> {
        Importer {
            source,
            store,
            mode,
            progress,
            report,
            ids: IdMap::default(),
            has_conflicts: false,
        }
    }

    /// Imports every table, then deletes what is no longer in the source. Returns whether another
    /// pass may be able to write rows that failed, because rows that conflicted with them have been
    /// updated or deleted since.
    pub fn import_all(mut self) -> Result<bool, ImportError> {
        self.ids
            .set_publicity_permission(tables::roles::has_publicity_permission(self.source)?);
        self.ids
            .set_statuses(tables::issues::statuses(self.source)?);
        self.ids
            .set_priorities(tables::issues::priorities(self.source)?);
        self.ids
            .set_membership_roles(tables::members::role_ids(self.source)?);
        let mut missing = Vec::new();
        for mapping in tables::all() {
            missing.extend(self.import_table(mapping)?);
        }
        let is_any_removed =
            remove_missing(self.store, missing, self.mode != Mode::Write, self.report)?;
        Ok(self.has_conflicts && (is_any_removed || self.report.total().updated > 0))
    }

    /// Adds rows that were processed. Fails if the import is cancelled.
    fn advance(&mut self, rows: u64) -> Result<(), ImportError> {
        self.progress.advance(rows);
        if self.progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        Ok(())
    }

    fn import_table(
        &mut self,
        mapping: &'static TableMapping,
    ) -> Result<Option<MissingRows>, ImportError> {
        let before = self
            .store
            .read(|db| imported::list_digests(db, mapping.label))?;
        if mapping.target_rows == TargetRows::Row {
            let existing = match self.mode {
                Mode::DryRunFromEmpty => HashSet::new(),
                Mode::Write | Mode::DryRun => self.store.read(|db| mapping.existing_ids(db))?,
            };
            self.ids
                .set_table(mapping.table, existing, before.keys().copied());
        }
        if !self.is_in_source(mapping) {
            return Ok(None);
        }
        let columns = mapping
            .source_columns()
            .into_iter()
            .filter(|name| self.source.has_column(mapping.source, name))
            .collect();
        let mut table = CurrentTable {
            mapping,
            target: mapping.target(),
            columns,
            before,
            seen: HashSet::new(),
            skipped: BTreeMap::new(),
            rows_read: 0,
        };
        let rows = self.source.count(mapping.source)?;
        self.progress.start(mapping.label, rows);
        match mapping.target_rows {
            TargetRows::Row | TargetRows::Columns => self.import_rows(&mut table)?,
            TargetRows::OwnedBy(_) => self.import_sets(&mut table)?,
        }
        self.progress.finish();
        if rows > table.rows_read {
            // A database that Redmine has written has no such rows.
            let label = format!("{} without an id in {}", mapping.source, mapping.key);
            table.skip(label, rows - table.rows_read);
        }
        self.report.counts(mapping.label).skipped += table.skipped.values().sum::<u64>();
        self.report
            .add_left_behind(table.skipped, "is of a kind that Quarry does not support");
        let missing = table
            .before
            .into_iter()
            .filter(|(key, _)| !table.seen.contains(key))
            .collect();
        Ok(Some(MissingRows {
            mapping,
            target: table.target,
            rows: missing,
        }))
    }

    /// Whether the source has the table and its required columns; reports those that it does not
    /// have.
    fn is_in_source(&mut self, mapping: &TableMapping) -> bool {
        if !self.source.has_table(mapping.source) {
            self.report.add_missing(mapping.source.to_owned());
            return false;
        }
        for column in mapping.source_columns() {
            if !self.source.has_column(mapping.source, column) && !mapping.is_auxiliary(column) {
                let name = format!("{}.{column}", mapping.source);
                self.report.add_missing(name);
            }
        }
        let required = mapping
            .fields
            .iter()
            .filter(|field| field.fallback.needs_column())
            .map(|field| field.from);
        std::iter::once(mapping.key)
            .chain(required)
            .all(|name| self.source.has_column(mapping.source, name))
    }

    /// Fails unless the row that the key refers to was imported.
    fn check_owner(&self, mapping: &TableMapping, key: i64) -> Result<(), RowError> {
        let Some(owner) = mapping.owner else {
            return Ok(());
        };
        convert::check_target(self.ids.target(owner, key), owner, key)
            .map_err(|error| error.in_column(mapping.key))
    }

    /// Converts the columns of a row and reports what is wrong with them; returns `None` when the
    /// row is rejected.
    fn convert_values(
        &mut self,
        table: &CurrentTable,
        row: &Row<'_>,
        key: i64,
        id: i64,
    ) -> Option<Vec<Value>> {
        let mapping = table.mapping;
        let mut warnings = Vec::new();
        let mut values = Vec::with_capacity(mapping.fields.len());
        for field in mapping.fields {
            let context = FieldContext {
                row: *row,
                field,
                ids: &self.ids,
                secrets: self.store.secrets(),
            };
            match convert::convert(&context, &mut warnings) {
                Ok(value) => values.push(value),
                Err(error) => {
                    self.report_rejected(table, key, id, error);
                    return None;
                }
            }
        }
        for reason in warnings {
            self.report
                .add_problem(mapping.label, id, "in part", reason);
        }
        Some(values)
    }

    /// Reports a rejected row. A row that was imported before its owner was deleted here is only
    /// counted.
    fn report_rejected(&mut self, table: &CurrentTable, key: i64, id: i64, error: RowError) {
        match error {
            RowError::Broken(reason) => self.report_broken(table.mapping, id, reason),
            RowError::KeepLocal(reason) => {
                self.report.counts(table.mapping.label).kept += 1;
                if !table.before.contains_key(&key) {
                    self.report
                        .add_problem(table.mapping.label, id, "kept ours", reason);
                }
            }
        }
    }

    fn report_broken(&mut self, mapping: &TableMapping, id: i64, reason: String) {
        self.report.counts(mapping.label).broken += 1;
        self.report.add_problem(mapping.label, id, "broken", reason);
    }

    /// Returns what is to be written; `None` when the source has not changed since the last import.
    fn pending_write(
        &mut self,
        table: &CurrentTable,
        key: i64,
        rows: Vec<Vec<Value>>,
    ) -> Option<PendingWrite> {
        let mapping = table.mapping;
        let digest = mapping.source_digest(&rows);
        let before = table.before.get(&key).copied();
        let exists = mapping.target_rows != TargetRows::Row
            || matches!(
                self.ids.target(mapping.table, key),
                RefTarget::Imported | RefTarget::Unrelated
            );
        if before.is_some_and(|before| before.source == digest) {
            let counts = self.report.counts(mapping.label);
            if exists {
                counts.unchanged += 1
            } else {
                counts.kept += 1
            }
            return None;
        }
        Some(PendingWrite {
            key,
            rows,
            source_digest: digest,
            our_digest: digest,
            before,
            exists,
        })
    }

    fn write_batch(
        &mut self,
        table: &CurrentTable,
        batch: Vec<PendingWrite>,
    ) -> Result<(), ImportError> {
        let mapping = table.mapping;
        let outcomes = write(
            self.store,
            mapping,
            &table.target,
            batch,
            self.mode != Mode::Write,
        )?;
        for (key, outcome) in outcomes {
            if mapping.target_rows == TargetRows::Row
                && matches!(outcome, Outcome::Taken | Outcome::Updated)
            {
                self.ids.insert(mapping.table, key);
            }
            match outcome {
                Outcome::Taken => self.report.counts(mapping.label).taken += 1,
                Outcome::Updated => self.report.counts(mapping.label).updated += 1,
                Outcome::Kept(reason) => {
                    self.report.counts(mapping.label).kept += 1;
                    self.report
                        .add_problem(mapping.label, key, "kept ours", reason);
                }
                Outcome::Failed(reason) => {
                    self.has_conflicts = true;
                    self.report_broken(mapping, key, reason);
                }
            }
        }
        Ok(())
    }
}
