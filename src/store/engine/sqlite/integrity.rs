//! Checks of the integrity of a file.

use super::Connection;
use crate::engine::StatementError;

impl Connection {
    /// Checks the integrity of the file. Fails with the first problem found.
    pub fn check(&self) -> Result<(), StatementError> {
        self.run_check("PRAGMA quick_check(1000)")
    }

    /// Checks the file thoroughly: also its indexes. Fails with the first problem found. Columns without
    /// a required value are no damage of the file: the checks of values name them.
    pub fn check_thoroughly(&self) -> Result<(), StatementError> {
        self.run_check("PRAGMA integrity_check(1000)")
    }

    fn run_check(&self, pragma: &str) -> Result<(), StatementError> {
        let mut first = None;
        self.for_each_row(pragma, &[], &mut |row| {
            let problem: String = row.next()?;
            if first.is_none() && problem != "ok" && !problem.starts_with("NULL value in ") {
                first = Some(problem);
            }
            Ok(())
        })?;
        first.map_or(Ok(()), |problem| Err(StatementError::Engine(problem)))
    }
}
