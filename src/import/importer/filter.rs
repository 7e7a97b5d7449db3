//! Decides which rows of the source a mapping reads.

use super::CurrentTable;
use crate::field::{Row, to_integer};
use crate::id_map::IdMap;
use crate::source::Cell;
use crate::table_mapping::{RowFilter, TableMapping};
use crate::tables;

/// Whether the mapping reads this row. A row that no mapping reads is counted as skipped.
pub(super) fn is_selected(table: &mut CurrentTable, ids: &IdMap, row: &Row<'_>) -> bool {
    if !matches_filter(table, ids, row) {
        return false;
    }
    for (column, types) in table.mapping.type_columns() {
        let Ok(type_name) = row.text(column) else {
            continue;
        };
        let is_supported = types.iter().any(|(supported, _)| *supported == type_name);
        if *row.cell(column) != Cell::Null && !is_supported {
            let label = format!("{} with {column} {type_name:?}", table.mapping.source);
            table.skip(label, 1);
            return false;
        }
    }
    true
}

/// Returns the id of the missing role from which a role of a membership is inherited.
pub(super) fn missing_inherited_role(
    mapping: &TableMapping,
    ids: &IdMap,
    row: &Row<'_>,
) -> Option<i64> {
    match mapping.row_filter {
        RowFilter::NotInherited(column) => row.integer(column),
        _ => None,
    }
    .filter(|id| !ids.has_membership_role(*id))
}

fn matches_filter(table: &mut CurrentTable, ids: &IdMap, row: &Row<'_>) -> bool {
    let is_inherited = |column: &str| match row.cell(column) {
        Cell::Null => false,
        cell => to_integer(cell).is_none_or(|id| ids.has_membership_role(id)),
    };
    match table.mapping.row_filter {
        RowFilter::All => true,
        RowFilter::IsTrue(column) => {
            matches!(row.cell(column), Cell::Int(1))
                || row
                    .text(column)
                    .is_ok_and(|text| ["1", "t", "true"].contains(&text.as_str()))
        }
        RowFilter::NotInherited(column) => !is_inherited(column),
        RowFilter::Inherited(column) => is_inherited(column),
        RowFilter::NotNull(column) => *row.cell(column) != Cell::Null,
        RowFilter::In(column, texts) => {
            let text = row.text(column).unwrap_or_default();
            if texts.contains(&text.as_str()) {
                return true;
            }
            if is_first_of_source(table.mapping) && !is_read(table.mapping.source, column, &text) {
                let label = format!("{} with {column} {text:?}", table.mapping.source);
                table.skip(label, 1);
            }
            false
        }
    }
}

/// Whether some mapping of a source table reads the rows with this text in the column.
fn is_read(source: &str, column: &str, text: &str) -> bool {
    let mut mappings = tables::all().filter(|mapping| mapping.source == source);
    mappings.any(|mapping| match mapping.row_filter {
        RowFilter::In(name, texts) => name == column && texts.contains(&text),
        _ => false,
    })
}

/// Whether this is the first mapping of its table, which counts the rows that no mapping reads.
fn is_first_of_source(mapping: &TableMapping) -> bool {
    tables::all()
        .find(|other| other.source == mapping.source)
        .is_some_and(|first| first.label == mapping.label)
}
