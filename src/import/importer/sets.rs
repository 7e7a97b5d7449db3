//! Imports a table whose rows have no ids here: all rows of an owner are written together.

use super::filter::{is_selected, missing_inherited_role};
use super::{BATCH, CurrentTable, Importer};
use crate::convert::RowError;
use crate::error::ImportError;
use crate::field::{ColumnType, Fallback, Field, FieldContext, Row, to_integer};
use crate::source::Limit;
use crate::table_mapping::MultiValue;
use crate::write::PendingWrite;
use quarry_store::Value;
use std::collections::BTreeMap;

/// The rows of ours by owner.
type Sets = BTreeMap<i64, Vec<Vec<Value>>>;

impl Importer<'_> {
    /// Imports the sets of rows of a table, a batch of owners at a time.
    pub(super) fn import_sets(&mut self, table: &mut CurrentTable) -> Result<(), ImportError> {
        let mapping = table.mapping;
        let extra_source = mapping
            .extra_source
            .filter(|name| self.source.has_table(name));
        let tables: Vec<&'static str> = extra_source.into_iter().chain([mapping.source]).collect();
        let mut rows_by_owner: BTreeMap<i64, usize> = BTreeMap::new();
        for name in &tables {
            let owners = self.source.column(name, mapping.key)?;
            for owner in owners.iter().filter_map(to_integer) {
                *rows_by_owner.entry(owner).or_default() += 1;
            }
        }
        let mut after = None;
        for last in batch_ends(&rows_by_owner) {
            let mut sets = BTreeMap::new();
            for name in &tables {
                let rows = self.read_sets(table, name, (after, last), &mut sets)?;
                if *name == mapping.source {
                    table.rows_read += rows;
                    self.advance(rows)?;
                }
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

    /// Reads the rows of some owners from a table, and adds them to the sets of their owners.
    /// Returns the number of rows.
    fn read_sets(
        &mut self,
        table: &mut CurrentTable,
        name: &str,
        (after, last): (Option<i64>, i64),
        sets: &mut Sets,
    ) -> Result<u64, ImportError> {
        let mapping = table.mapping;
        let mut columns = mapping.source_columns();
        columns.retain(|column| self.source.has_column(name, column));
        let page = self
            .source
            .page(name, &columns, mapping.key, after, Limit::UpTo(last))?;
        for cells in &page {
            let row = Row {
                columns: &columns,
                cells,
            };
            self.convert_set_row(table, &row, sets);
        }
        Ok(page.len() as u64)
    }

    /// Converts a row and adds it to the set of its owner.
    fn convert_set_row(&mut self, table: &mut CurrentTable, row: &Row<'_>, sets: &mut Sets) {
        let mapping = table.mapping;
        if !is_selected(table, &self.ids, row) {
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
        if let Some(id) = missing_inherited_role(mapping, &self.ids, row) {
            let reason = format!(
                "it is inherited from {} {id}, which does not exist; the member keeps it as an own role",
                mapping.source
            );
            self.report
                .add_problem(mapping.label, key, "in part", reason);
        }
        let set = sets.entry(key).or_default();
        let rows = match &mapping.multi_value {
            None => vec![values],
            Some(multi_value) => match self.split(multi_value, row) {
                Ok(rows) => rows,
                Err(problem) => {
                    let reason = format!("{} {problem}", multi_value.from);
                    return self.report_broken(mapping, key, reason);
                }
            },
        };
        for row in rows {
            let identity = &row[..mapping.key_columns];
            if !set.iter().any(|existing| existing.starts_with(identity)) {
                set.push(row);
            }
        }
    }

    /// Returns a row of ours for each value of the column that has several.
    fn split(&self, multi_value: &MultiValue, row: &Row<'_>) -> Result<Vec<Vec<Value>>, String> {
        let field = Field {
            from: multi_value.from,
            to: multi_value.to,
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
        (multi_value.split)(&context).map(|values| multi_value.rows(values))
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
    if let Some((last, _)) = rows_by_owner.last_key_value()
        && ends.last() != Some(last)
    {
        ends.push(*last);
    }
    ends
}
