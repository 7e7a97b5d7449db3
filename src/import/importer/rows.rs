//! Imports a table whose rows become rows of ours with the same ids, or set columns of them.

use super::filter::is_selected;
use super::{BATCH, CurrentTable, Importer};
use crate::error::ImportError;
use crate::field::{Row, to_integer};
use crate::source::Limit;
use crate::write::PendingWrite;
use quarry_store::Value;
use quarry_store::imported::TargetRows;

/// Maximum id of a row. New rows get greater ones, for which the store and the search index need room.
const MAX_ID: i64 = 1 << 48;

impl Importer<'_> {
    /// Imports the rows of a table in the order of their ids.
    pub(super) fn import_rows(&mut self, table: &mut CurrentTable) -> Result<(), ImportError> {
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
            self.advance(page.len() as u64)?;
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
        if !is_selected(table, &self.ids, row) {
            return None;
        }
        let mapping = table.mapping;
        let id = to_integer(&row.cells[id_index]).unwrap_or_default();
        let Some(key) = row.integer(mapping.key) else {
            self.report_broken(mapping, id, format!("{} is missing", mapping.key));
            return None;
        };
        if !table.seen.insert(key) && mapping.target_rows == TargetRows::Columns {
            let label = format!(
                "{} beyond the first with the same {}",
                mapping.label, mapping.key
            );
            table.skip(label, 1);
            return None;
        }
        if mapping.target_rows == TargetRows::Row && !(1..=MAX_ID).contains(&key) {
            let reason = format!("{} is not between 1 and {MAX_ID}", mapping.key);
            self.report_broken(mapping, id, reason);
            return None;
        }
        if let Err(error) = self.check_owner(mapping, key) {
            self.report_rejected(table, key, id, error);
            return None;
        }
        let values = self.convert_values(table, row, key, id)?;
        if mapping.target_rows == TargetRows::Columns
            && let Some((from, index)) = mapping.parent_column()
            && let Value::Int(parent) = values[index]
            && !self.ids.set_parent(mapping.label, key, parent)
        {
            self.report_broken(mapping, id, format!("{from} forms a cycle"));
            return None;
        }
        self.pending_write(table, key, vec![values])
    }
}
