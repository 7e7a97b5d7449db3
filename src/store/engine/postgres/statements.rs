//! The prepared statements of a connection.

use std::collections::HashMap;
use tokio_postgres::Statement;

/// Maximum number of prepared statements. Beyond it, the least recently used half is closed.
const MAX_STATEMENTS: usize = 256;

/// Prepared statements by their portable text.
#[derive(Default)]
pub(super) struct Statements {
    /// Each with the value of `uses` at its last use.
    by_text: HashMap<String, (Statement, u64)>,
    uses: u64,
}

impl Statements {
    /// Returns the statement if it is prepared.
    pub fn get(&mut self, sql: &str) -> Option<Statement> {
        self.uses += 1;
        let (statement, last_use) = self.by_text.get_mut(sql)?;
        *last_use = self.uses;
        Some(statement.clone())
    }

    /// Adds a statement.
    pub fn insert(&mut self, sql: &str, statement: Statement) {
        if self.by_text.len() >= MAX_STATEMENTS {
            let mut uses: Vec<u64> = self
                .by_text
                .values()
                .map(|(_, last_use)| *last_use)
                .collect();
            uses.sort_unstable();
            let median = uses.get(uses.len() / 2).copied().unwrap_or_default();
            self.by_text.retain(|_, (_, last_use)| *last_use >= median);
        }
        self.by_text.insert(sql.to_owned(), (statement, self.uses));
    }
}
