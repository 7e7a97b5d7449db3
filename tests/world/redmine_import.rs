//! Imports of the database that a Redmine has written.

use crate::process::quarry;
use std::path::Path;
use std::process::Output;

/// The database of a Redmine 5.0.4.
pub const FIXTURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../fixtures/redmine/redmine-5.0.4.sqlite3"
);

/// Returns the URL of the fixture.
pub fn fixture() -> String {
    format!("sqlite:{FIXTURE}")
}

/// Runs an import from this database into this data directory.
pub fn import(folder: &Path, database: &str, more: &[&str]) -> Output {
    let mut command = quarry(&["import", "redmine", "--database", database, "--data"]);
    command.arg(folder).args(more).output().unwrap()
}
