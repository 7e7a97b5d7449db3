//! How a column of the source maps to one of ours, and what happens when its value is missing or
//! invalid.

use super::id_map::IdMap;
use super::source::Cell;
use quarry_store::Value;
use quarry_store::data_folder::secrets::Secrets;

/// A column of the source and the column that it becomes.
#[derive(Clone, Copy)]
pub struct Field {
    /// Name in the source.
    pub from: &'static str,
    /// Name here.
    pub to: &'static str,
    /// Type of the value.
    pub column_type: ColumnType,
    /// Value when the source has none.
    pub fallback: Fallback,
    /// Other columns of the source that the conversion reads.
    pub also_reads: &'static [&'static str],
}

/// Converts a row of the source to the value of one column.
pub type Conversion = fn(&FieldContext<'_>) -> Result<Value, String>;

/// Type of a column of the source.
#[derive(Clone, Copy)]
pub enum ColumnType {
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// A number.
    Float,
    /// A text.
    Text,
    /// A date and time, in UTC.
    Timestamp,
    /// A date.
    Date,
    /// A YAML document, stored as JSON.
    Yaml,
    /// The id of a row in this table of ours.
    Ref(&'static str),
    /// The id of a row in the table that belongs to the type name in another column.
    PolymorphicRef(&'static str, &'static [(&'static str, &'static str)]),
    /// A value with a conversion of its own.
    Custom(Conversion),
}

/// Value of a column when the source has none.
///
/// An invalid value is reported and replaced by the fallback too, unless the variant rejects the
/// row.
#[derive(Clone, Copy)]
pub enum Fallback {
    /// The row is rejected.
    RejectRow,
    /// NULL.
    Null,
    /// NULL, but an invalid value rejects the row.
    NullOrReject,
    /// This integer.
    Int(i64),
    /// This text.
    Text(&'static str),
    /// The id that the function returns, which is reported; without one, the row is rejected.
    Default(fn(&FieldContext<'_>) -> Option<i64>),
}

impl Fallback {
    /// Whether the source must have the column.
    pub const fn needs_column(self) -> bool {
        matches!(self, Fallback::RejectRow | Fallback::Default(_))
    }
}

impl Field {
    /// Sets the name of the column here.
    pub const fn to(self, to: &'static str) -> Field {
        Field { to, ..self }
    }

    /// Rejects the row when the value is invalid; a missing value is still allowed.
    pub const fn strict(self) -> Field {
        Field {
            fallback: Fallback::NullOrReject,
            ..self
        }
    }

    /// Replaces a reference to a row that does not exist by a default.
    pub const fn or_default(self, default: fn(&FieldContext<'_>) -> Option<i64>) -> Field {
        Field {
            fallback: Fallback::Default(default),
            ..self
        }
    }

    /// Sets a conversion of its own.
    pub const fn custom(self, convert: Conversion) -> Field {
        Field {
            column_type: ColumnType::Custom(convert),
            ..self
        }
    }

    /// Sets the other columns that the conversion reads.
    pub const fn also_reads(self, also_reads: &'static [&'static str]) -> Field {
        Field { also_reads, ..self }
    }
}

/// Returns a column without which the row is rejected.
pub const fn required(from: &'static str, column_type: ColumnType) -> Field {
    Field {
        from,
        to: from,
        column_type,
        fallback: Fallback::RejectRow,
        also_reads: &[],
    }
}

/// Returns a column that may be NULL.
pub const fn optional(from: &'static str, column_type: ColumnType) -> Field {
    Field {
        from,
        to: from,
        column_type,
        fallback: Fallback::Null,
        also_reads: &[],
    }
}

/// Returns a column with an integer as its default.
pub const fn with_default(from: &'static str, column_type: ColumnType, default: i64) -> Field {
    Field {
        from,
        to: from,
        column_type,
        fallback: Fallback::Int(default),
        also_reads: &[],
    }
}

/// Returns a text column with a default.
pub const fn text(from: &'static str, default: &'static str) -> Field {
    Field {
        from,
        to: from,
        column_type: ColumnType::Text,
        fallback: Fallback::Text(default),
        also_reads: &[],
    }
}

/// A row of the source.
#[derive(Clone, Copy)]
pub struct Row<'r> {
    /// Names of the columns that were read.
    pub columns: &'r [&'static str],
    /// Values in the same order.
    pub cells: &'r [Cell],
}

impl<'r> Row<'r> {
    /// Returns the value of a column; NULL when there is no such column.
    pub fn cell(&self, column: &str) -> &'r Cell {
        let index = self.columns.iter().position(|name| *name == column);
        index
            .and_then(|index| self.cells.get(index))
            .unwrap_or(&Cell::Null)
    }

    /// Returns a column as text; NULL is the empty text.
    pub fn text(&self, column: &str) -> Result<String, String> {
        match self.cell(column) {
            Cell::Null => Ok(String::new()),
            Cell::Text(text) => Ok(text.clone()),
            Cell::Int(number) => Ok(number.to_string()),
            Cell::Real(number) => Ok(number.to_string()),
            Cell::Bytes(_) => Err("is not UTF-8".to_owned()),
        }
    }

    /// Returns a column as an integer, if it is one.
    pub fn integer(&self, column: &str) -> Option<i64> {
        to_integer(self.cell(column))
    }
}

/// Returns a value as an integer, if it is one.
pub fn to_integer(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Int(number) => Some(*number),
        Cell::Text(text) => text.trim().parse().ok(),
        Cell::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => Some(*number as i64),
        _ => None,
    }
}

/// What the conversion of a column may read.
pub struct FieldContext<'a> {
    /// The row of the source.
    pub row: Row<'a>,
    /// The column.
    pub field: &'a Field,
    /// Ids of the rows that can be referred to.
    pub ids: &'a IdMap,
    /// The secrets of the data folder.
    pub secrets: &'a Secrets,
}

/// Converts the first column of a row. References can refer to project 1 only.
#[cfg(test)]
pub fn convert_row<T>(convert: fn(&FieldContext<'_>) -> T, row: &[(&'static str, Cell)]) -> T {
    let folder = tempfile::tempdir().unwrap();
    let secrets = Secrets::load_or_create(folder.path()).unwrap();
    let mut ids = IdMap::default();
    ids.insert("projects", 1);
    let (columns, cells): (Vec<&'static str>, Vec<Cell>) = row.iter().cloned().unzip();
    let field = optional(columns[0], ColumnType::Text);
    convert(&FieldContext {
        row: Row {
            columns: &columns,
            cells: &cells,
        },
        field: &field,
        ids: &ids,
        secrets: &secrets,
    })
}
