//! Is this the Redmine that moved in before? Another one would take away everything that it does not have itself.

use super::error::ImportError;
use super::field::{Row, whole};
use super::judge::instant;
use super::source::{Limit, Source};
use crate::store::{Store, imported};

/// Tables whose rows say when they were made, which nobody changes.
const TABLES: [&str; 2] = ["users", "projects"];
/// How many rows are looked at.
const LOOKED_AT: usize = 10_000;

/// Fails when rows have the same numbers, but not one of them was made at the same time.
pub fn check(source: &mut Source, store: &Store) -> Result<(), ImportError> {
    let (mut same, mut others) = (0, 0);
    for table in TABLES {
        if !source.has(table, "created_on") {
            continue;
        }
        let ours = store.read(|db| imported::made_on(db, table))?;
        let columns = ["id", "created_on"];
        for cells in source.page(table, &columns, "id", None, Limit::Rows(LOOKED_AT))? {
            let made_on = Row { columns: &columns, cells: &cells }.text("created_on").ok().and_then(|text| instant(&text));
            match (whole(&cells[0]).and_then(|id| ours.get(&id)), made_on) {
                // To the second: a database may have moved to another kind in between, which keeps no parts of one.
                (Some(ours), Some(theirs)) if *ours / 1_000_000 == theirs / 1_000_000 => same += 1,
                (Some(_), Some(_)) => others += 1,
                _ => {}
            }
        }
    }
    if same == 0 && others > 0 { Err(ImportError::Other) } else { Ok(()) }
}
