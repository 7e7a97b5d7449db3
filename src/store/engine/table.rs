//! A table, as needed to copy it between two databases.

/// A table of the schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The names of its columns, sorted.
    pub columns: Vec<String>,
}

/// A part of a SQLite schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaObject {
    /// `table`, `index`, `trigger` or `view`.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// A column that refers to another table.
pub struct Reference {
    pub table: String,
    pub column: String,
    /// The table that it refers to.
    pub parent: String,
    /// The column of that table.
    pub key: String,
}

/// A column as the schema declares it.
pub struct ColumnType {
    pub table: String,
    pub column: String,
    /// The type.
    pub declared: String,
    /// Whether the column must have a value.
    pub is_required: bool,
    /// The position in the primary key, from 1; 0 for other columns.
    pub key_position: i64,
}

/// The foreign keys that are suspended.
pub struct ForeignKeys(pub(super) Vec<String>);

impl Table {
    /// Returns the columns as a list in SQL.
    pub fn column_list(&self) -> String {
        let quoted: Vec<String> = self
            .columns
            .iter()
            .map(|name| format!("\"{name}\""))
            .collect();
        quoted.join(", ")
    }

    /// Returns the query of all rows.
    pub fn select(&self) -> String {
        format!("SELECT {} FROM {}", self.column_list(), self.name)
    }
}
