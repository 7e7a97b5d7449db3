//! The names of savepoints.
//!
//! Invariant: no two savepoints of a transaction have the same name. The release of one and the next
//! one are sent together; if they are not executed, a rollback to the same name would undo what was
//! kept. A rollback to a savepoint that was never set fails, and with it the transaction.

use crate::engine::StatementError;

/// The savepoints of a transaction.
#[derive(Default)]
pub struct Savepoints {
    /// How many were set.
    count: usize,
    /// Those that are not released, each with its name in the transaction.
    open: Vec<(String, String)>,
}

impl Savepoints {
    /// Adds a savepoint. Returns its name in the transaction.
    pub fn add(&mut self, name: &str) -> String {
        let unique_name = format!("{name}_{}", self.count);
        self.count += 1;
        self.open.push((name.to_owned(), unique_name.clone()));
        unique_name
    }

    /// Takes the last savepoint with this name, and those after it, which a panic has left. Returns
    /// its name in the transaction.
    pub fn take(&mut self, name: &str) -> Result<String, StatementError> {
        while let Some((last, unique_name)) = self.open.pop() {
            if last == name {
                return Ok(unique_name);
            }
        }
        Err(StatementError::Engine(format!(
            "there is no savepoint {name}"
        )))
    }
}
