//! A table of checkboxes or lists with sticky heads, such as permissions by role.

use super::form_field::Choice;

/// A column.
pub struct MatrixColumn {
    pub label: String,
    /// The page of what the column stands for.
    pub path: Option<String>,
}

/// Rows under a common heading, which can be folded.
pub struct MatrixGroup {
    /// The heading; empty for rows that are not folded.
    pub title: String,
    pub rows: Vec<MatrixRow>,
}

/// A row with one cell for each column.
pub struct MatrixRow {
    pub label: String,
    pub cells: Vec<MatrixCell>,
}

/// A cell.
pub enum MatrixCell {
    /// Does not apply.
    None,
    /// A checkbox.
    Check {
        name: String,
        value: String,
        is_checked: bool,
    },
    /// A list of choices.
    Select {
        name: String,
        value: String,
        choices: Vec<Choice>,
    },
}

/// The table.
pub struct Matrix {
    /// What it is about.
    pub caption: String,
    /// The heading of the column with the labels of rows.
    pub corner: String,
    pub columns: Vec<MatrixColumn>,
    pub groups: Vec<MatrixGroup>,
}
