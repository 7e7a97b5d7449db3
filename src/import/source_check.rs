//! Checks that a repeated import reads the same Redmine as the first one.
//!
//! Another Redmine would delete everything that it does not have itself.

use super::convert::parse_timestamp;
use super::error::ImportError;
use super::field::{Row, to_integer};
use super::source::{Limit, Source};
use quarry_store::{Store, imported};

/// Tables whose rows have a creation time, which nobody edits.
const TABLES: [&str; 2] = ["users", "projects"];
/// Maximum number of rows compared per table.
const MAX_ROWS: usize = 10_000;

/// Fails when rows have the ids of imported ones, but none of them the same creation time.
pub fn check(source: &mut Source, store: &Store) -> Result<(), ImportError> {
    let mut equal = 0;
    let mut different = 0;
    for table in TABLES {
        if !source.has_column(table, "created_on") {
            continue;
        }
        let ours = store.read(|db| imported::created_on(db, table))?;
        let columns = ["id", "created_on"];
        for cells in source.page(table, &columns, "id", None, Limit::Rows(MAX_ROWS))? {
            let created_on = Row {
                columns: &columns,
                cells: &cells,
            }
            .text("created_on")
            .ok()
            .and_then(|text| parse_timestamp(&text));
            match (
                to_integer(&cells[0]).and_then(|id| ours.get(&id)),
                created_on,
            ) {
                // Compared by the second: the source may have moved to an engine that stores no
                // fractions.
                (Some(ours), Some(theirs)) if *ours / 1_000_000 == theirs / 1_000_000 => equal += 1,
                (Some(_), Some(_)) => different += 1,
                _ => {}
            }
        }
    }
    if equal == 0 && different > 0 {
        Err(ImportError::OtherSource)
    } else {
        Ok(())
    }
}
