//! Which rows of which of our tables there are: what a reference may lead to.

use std::collections::{HashMap, HashSet};

/// The numbers of the rows, by table.
#[derive(Default)]
pub struct Known(HashMap<&'static str, HashSet<i64>>);

impl Known {
    /// Sets the numbers of a table.
    pub fn set(&mut self, table: &'static str, numbers: HashSet<i64>) {
        self.0.insert(table, numbers);
    }

    /// Adds one.
    pub fn add(&mut self, table: &'static str, number: i64) {
        self.0.entry(table).or_default().insert(number);
    }

    /// Whether there is such a row.
    pub fn has(&self, table: &str, number: i64) -> bool {
        self.0.get(table).is_some_and(|numbers| numbers.contains(&number))
    }
}
