//! One pass over all tables: reads rows in batches, converts them, and writes those that are new or
//! have changed.
//!
//! Invariant: a row that was edited here since the last import is never written.

use super::convert::{self, RowError};
use super::error::ImportError;
use super::field::{ColumnType, Fallback, Field, FieldContext, Row, to_integer};
use super::id_map::{IdMap, RefTarget};
use super::progress::Progress;
use super::removal::{MissingRows, remove_missing};
use super::report::Report;
use super::source::{Cell, Limit, Source};
use super::table_mapping::{RowFilter, TableMapping};
use super::tables;
use super::write::{Outcome, PendingWrite, write};
use crate::store::imported::{RowDigests, Target, TargetRows};
use crate::store::{Store, Value, imported};
use std::collections::{BTreeMap, HashMap, HashSet};

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
            .set_closed_statuses(tables::issues::closed_statuses(self.source)?);
        let mut missing = Vec::new();
        for mapping in tables::all() {
            missing.extend(self.import_table(mapping)?);
        }
        let is_any_removed =
            remove_missing(self.store, missing, self.mode != Mode::Write, self.report)?;
        Ok(self.has_conflicts && (is_any_removed || self.report.total().updated > 0))
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
        let target = mapping.target();
        let seen = HashSet::new();
        let skipped = BTreeMap::new();
        let mut table = CurrentTable {
            mapping,
            target,
            columns,
            before,
            seen,
            skipped,
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
            *table
                .skipped
                .entry(format!(
                    "{} without an id in {}",
                    mapping.source, mapping.key
                ))
                .or_default() += rows - table.rows_read;
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
        let mut add_missing = |missing: String| {
            if !self.report.missing.contains(&missing) {
                self.report.missing.push(missing);
            }
        };
        if !self.source.has_table(mapping.source) {
            add_missing(mapping.source.to_owned());
            return false;
        }
        let is_auxiliary = |name: &&&str| {
            mapping
                .fields
                .iter()
                .any(|field| field.also_reads.contains(*name))
        };
        mapping
            .source_columns()
            .iter()
            .filter(|name| !self.source.has_column(mapping.source, name) && !is_auxiliary(name))
            .for_each(|name| add_missing(format!("{}.{name}", mapping.source)));
        let required = mapping
            .fields
            .iter()
            .filter(|field| matches!(field.fallback, Fallback::RejectRow))
            .map(|field| field.from);
        std::iter::once(mapping.key)
            .chain(required)
            .all(|name| self.source.has_column(mapping.source, name))
    }

    fn import_rows(&mut self, table: &mut CurrentTable) -> Result<(), ImportError> {
        let mut columns = table.columns.clone();
        if !columns.contains(&"id") {
            columns.push("id");
        }
        let id = columns
            .iter()
            .position(|name| *name == "id")
            .unwrap_or_default();
        let mut after = None;
        loop {
            let page = self.source.page(
                table.mapping.source,
                &columns,
                "id",
                after,
                Limit::Rows(BATCH),
            )?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            table.rows_read += page.len() as u64;
            after = to_integer(&last[id]);
            let mut batch = Vec::with_capacity(page.len());
            for cells in &page {
                let row = Row {
                    columns: &columns,
                    cells,
                };
                batch.extend(self.convert_row(table, &row, id));
            }
            self.write_batch(table, batch)?;
            self.progress.advance(page.len() as u64);
            if page.len() < BATCH || after.is_none() {
                return Ok(());
            }
        }
    }

    /// Converts a row; returns `None` when it is skipped, rejected or unchanged.
    fn convert_row(
        &mut self,
        table: &mut CurrentTable,
        row: &Row<'_>,
        id_index: usize,
    ) -> Option<PendingWrite> {
        if !is_selected(table, row) {
            return None;
        }
        let mapping = table.mapping;
        let id = to_integer(&row.cells[id_index]).unwrap_or_default();
        let Some(key) = row.integer(mapping.key) else {
            self.report_broken(mapping, id, format!("{} is missing", mapping.key));
            return None;
        };
        if !table.seen.insert(key) && mapping.target_rows == TargetRows::Columns {
            *table
                .skipped
                .entry(format!(
                    "{} beyond the first with the same {}",
                    mapping.label, mapping.key
                ))
                .or_default() += 1;
            return None;
        }
        if let Err(error) = self.check_owner(mapping, key) {
            self.report_rejected(table, key, id, error);
            return None;
        }
        let values = self.convert_values(table, row, key, id)?;
        if let (Some((from, index)), true) = (
            mapping.parent_column(),
            mapping.target_rows == TargetRows::Columns,
        ) && let Value::Int(parent) = values[index]
            && !self.ids.set_parent(mapping.label, key, parent)
        {
            self.report_broken(mapping, id, format!("{from} forms a cycle"));
            return None;
        }
        self.pending_write(table, key, vec![values])
    }

    fn import_sets(&mut self, table: &mut CurrentTable) -> Result<(), ImportError> {
        let mapping = table.mapping;
        let extra_source = mapping
            .extra_source
            .filter(|name| self.source.has_table(name));
        let tables: Vec<&'static str> = extra_source.into_iter().chain([mapping.source]).collect();
        let mut rows_by_owner: BTreeMap<i64, usize> = BTreeMap::new();
        for name in &tables {
            for owner in self
                .source
                .column(name, mapping.key)?
                .iter()
                .filter_map(to_integer)
            {
                *rows_by_owner.entry(owner).or_default() += 1;
            }
        }
        let mut after = None;
        for last in batch_ends(&rows_by_owner) {
            let mut sets: BTreeMap<i64, Vec<Vec<Value>>> = BTreeMap::new();
            for name in &tables {
                let columns: Vec<&'static str> = mapping
                    .source_columns()
                    .into_iter()
                    .filter(|column| self.source.has_column(name, column))
                    .collect();
                let page =
                    self.source
                        .page(name, &columns, mapping.key, after, Limit::UpTo(last))?;
                let rows = if *name == mapping.source {
                    page.len() as u64
                } else {
                    0
                };
                table.rows_read += rows;
                for cells in &page {
                    self.convert_set_row(
                        table,
                        &Row {
                            columns: &columns,
                            cells,
                        },
                        &mut sets,
                    );
                }
                self.progress.advance(rows);
            }
            let batch: Vec<PendingWrite> = sets
                .into_iter()
                .filter_map(|(key, rows)| self.pending_write(table, key, rows))
                .collect();
            self.write_batch(table, batch)?;
            after = Some(last);
        }
        Ok(())
    }

    /// Converts a row and adds it to the set of its owner.
    fn convert_set_row(
        &mut self,
        table: &mut CurrentTable,
        row: &Row<'_>,
        sets: &mut BTreeMap<i64, Vec<Vec<Value>>>,
    ) {
        let mapping = table.mapping;
        if !is_selected(table, row) {
            return;
        }
        let Some(key) = row.integer(mapping.key) else {
            return;
        };
        let is_first = table.seen.insert(key);
        if let Err(error) = self.check_owner(mapping, key) {
            if is_first || matches!(error, RowError::Broken(_)) {
                self.report_rejected(table, key, key, error);
            }
            return;
        }
        let Some(values) = self.convert_values(table, row, key, key) else {
            return;
        };
        let set = sets.entry(key).or_default();
        let rows = match &mapping.multi_value {
            None => vec![values],
            Some(multi_value) => {
                let from = multi_value.from;
                let to = multi_value.to;
                let field = Field {
                    from,
                    to,
                    column_type: ColumnType::Text,
                    fallback: Fallback::Null,
                    also_reads: &[],
                };
                let context = FieldContext {
                    row: *row,
                    field: &field,
                    ids: &self.ids,
                    secrets: self.store.secrets(),
                };
                match (multi_value.split)(&context) {
                    Ok(values) => multi_value.rows(values),
                    Err(problem) => {
                        return self.report_broken(mapping, key, format!("{from} {problem}"));
                    }
                }
            }
        };
        for row in rows {
            if !set
                .iter()
                .any(|existing| existing[..mapping.key_columns] == row[..mapping.key_columns])
            {
                set.push(row);
            }
        }
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
        let ids = &self.ids;
        let secrets = self.store.secrets();
        let mut convert = |field| {
            convert::convert(
                &FieldContext {
                    row: *row,
                    field,
                    ids,
                    secrets,
                },
                &mut warnings,
            )
        };
        let values: Result<Vec<Value>, RowError> =
            mapping.fields.iter().map(&mut convert).collect();
        match values {
            Ok(values) => {
                warnings.into_iter().for_each(|reason| {
                    self.report
                        .add_problem(mapping.label, id, "in part", reason)
                });
                Some(values)
            }
            Err(error) => {
                self.report_rejected(table, key, id, error);
                None
            }
        }
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

/// Returns the last owner of each batch, such that a batch has about [`BATCH`] rows.
fn batch_ends(rows_by_owner: &BTreeMap<i64, usize>) -> Vec<i64> {
    let mut ends = Vec::new();
    let mut rows = 0;
    for (owner, count) in rows_by_owner {
        rows += count;
        if rows >= BATCH {
            ends.push(*owner);
            rows = 0;
        }
    }
    ends.extend(
        rows_by_owner
            .last_key_value()
            .map(|(owner, _)| *owner)
            .filter(|last| ends.last() != Some(last)),
    );
    ends
}

/// Whether the mapping reads this row. A row that no mapping reads is counted as skipped.
fn is_selected(table: &mut CurrentTable, row: &Row<'_>) -> bool {
    matches_filter(table, row) && {
        let unsupported = table.mapping.type_columns().find_map(|(column, tables)| {
            let type_name = row
                .text(column)
                .ok()
                .filter(|_| *row.cell(column) != Cell::Null)?;
            let is_supported = tables.iter().any(|(supported, _)| *supported == type_name);
            (!is_supported).then(|| format!("{} with {column} {type_name:?}", table.mapping.source))
        });
        if let Some(label) = unsupported {
            *table.skipped.entry(label).or_default() += 1;
            return false;
        }
        true
    }
}

fn matches_filter(table: &mut CurrentTable, row: &Row<'_>) -> bool {
    match table.mapping.row_filter {
        RowFilter::All => true,
        RowFilter::IsTrue(column) => {
            matches!(row.cell(column), Cell::Int(1))
                || row
                    .text(column)
                    .is_ok_and(|text| ["1", "t", "true"].contains(&text.as_str()))
        }
        RowFilter::IsNull(column) => *row.cell(column) == Cell::Null,
        RowFilter::NotNull(column) => *row.cell(column) != Cell::Null,
        RowFilter::In(column, texts) => {
            let text = row.text(column).unwrap_or_default();
            if texts.contains(&text.as_str()) {
                return true;
            }
            let is_read_elsewhere = tables::all().filter(|mapping| mapping.source == table.mapping.source).any(
                |mapping| matches!(mapping.row_filter, RowFilter::In(name, texts) if name == column && texts.contains(&text.as_str())),
            );
            if !is_read_elsewhere && is_first_of_source(table.mapping) {
                *table
                    .skipped
                    .entry(format!("{} with {column} {text:?}", table.mapping.source))
                    .or_default() += 1;
            }
            false
        }
    }
}

/// Whether this is the first mapping of its table, which counts the rows that no mapping reads.
fn is_first_of_source(mapping: &TableMapping) -> bool {
    tables::all()
        .find(|other| other.source == mapping.source)
        .is_some_and(|first| first.label == mapping.label)
}
