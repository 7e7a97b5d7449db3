//! A builder of statements. Text and values are added together, so that no value is ever part of
//! the text.

use crate::engine::Value;
use quarry_domain::values::id_set::IdSet;

/// Sets of at most this size become tables, which can be the outer loop of a plan.
const MAX_TABLE_IDS: usize = 64;

/// A piece of SQL with its values.
#[derive(Debug, Default, Clone, Hash)]
pub struct Sql {
    text: String,
    values: Vec<Value>,
}

impl Sql {
    /// Creates a statement that starts with `text`.
    pub fn new(text: &str) -> Sql {
        Sql {
            text: text.to_owned(),
            values: Vec::new(),
        }
    }

    /// Adds constant text.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Prepends text that may use the values `more`, numbered from [`Sql::next_parameter`] on.
    #[must_use]
    pub fn prefixed_with(mut self, text: &str, more: impl IntoIterator<Item = Value>) -> Sql {
        self.text.insert_str(0, text);
        self.values.extend(more);
        self
    }

    /// Returns the number of the next parameter.
    pub fn next_parameter(&self) -> usize {
        self.values.len() + 1
    }

    /// Adds a value.
    pub fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.text.push_str(&format!("?{}", self.values.len()));
        self
    }

    /// Adds ` ids(?n)`, a table of ids that can follow `IN`.
    pub fn bind_ids(&mut self, ids: &[i64]) -> &mut Self {
        self.push_ids(ids.to_vec())
    }

    /// Like [`Sql::bind_ids`], for an owned list.
    pub fn push_ids(&mut self, ids: Vec<i64>) -> &mut Self {
        self.values.push(Value::Ids(ids));
        self.text.push_str(&format!(" ids(?{})", self.values.len()));
        self
    }

    /// Adds the condition that the column has one of these ids. Few ids become a table; for many
    /// each row is looked up in the set.
    pub fn push_member(&mut self, column: &str, ids: &IdSet) -> &mut Self {
        if ids.len() <= MAX_TABLE_IDS {
            return self.push(column).push(" IN").bind_ids(ids.as_slice());
        }
        let mut bytes = Vec::with_capacity(ids.len() * 8);
        ids.as_slice()
            .iter()
            .for_each(|id| bytes.extend_from_slice(&id.to_be_bytes()));
        self.push("within(")
            .push(column)
            .push(", ")
            .bind(Value::Set(bytes))
            .push(")")
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the values in the order of their parameters.
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}
