//! A statement under construction: text and values grow together, so that no value is ever written into the text.

use super::engine::Value;
use crate::domain::id_set::IdSet;

/// Sets up to this size are tables that can lead a plan.
const LEADING: usize = 64;

/// A piece of SQL with its values.
#[derive(Debug, Default, Clone, Hash)]
pub struct Sql {
    text: String,
    values: Vec<Value>,
}

impl Sql {
    /// A statement that begins with `text`.
    pub fn new(text: &str) -> Sql {
        Sql { text: text.to_owned(), values: Vec::new() }
    }

    /// Adds text that our own code chose.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// The same behind a text that may use the values `more`, by the numbers from [`Sql::next`] on.
    #[must_use]
    pub fn behind(mut self, text: &str, more: impl IntoIterator<Item = Value>) -> Sql {
        self.text.insert_str(0, text);
        self.values.extend(more);
        self
    }

    /// The number of the next value.
    pub fn next(&self) -> usize {
        self.values.len() + 1
    }

    /// Adds a value.
    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.text.push_str(&format!("?{}", self.values.len()));
        self
    }

    /// Adds ` ids(?n)`, a table of ids to stand behind `IN`.
    pub fn bind_ids(&mut self, ids: &[i64]) -> &mut Self {
        self.push_ids(ids.to_vec())
    }

    /// The same with a list that is given away.
    pub fn push_ids(&mut self, ids: Vec<i64>) -> &mut Self {
        self.values.push(Value::Ids(ids));
        self.text.push_str(&format!(" ids(?{})", self.values.len()));
        self
    }

    /// Adds a condition, as one term: the column holds one of these ids. Few ids can lead the plan; many are looked up one by one.
    pub fn member(&mut self, column: &str, ids: &IdSet) -> &mut Self {
        if ids.len() <= LEADING {
            return self.push(column).push(" IN").bind_ids(ids.as_slice());
        }
        let mut bytes = Vec::with_capacity(ids.len() * 8);
        ids.as_slice().iter().for_each(|id| bytes.extend_from_slice(&id.to_be_bytes()));
        self.push("within(").push(column).push(", ").bind(Value::Set(bytes)).push(")")
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values in the order of their numbers.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
