//! The description of one table: what is read, what it becomes, and who is to know that it changed.

use super::field::{Asked, Field};
use crate::domain::kind::Kind;
use crate::store::imported::{self, Place, Target};
use crate::store::{StoreError, Value};

/// One table of the source and what it becomes.
pub struct Noun {
    /// How it is called in reports, and what its rows are remembered under: the table, and what of it if not all.
    pub label: &'static str,
    /// The table of the source.
    pub source: &'static str,
    /// Another table of the source with rows of the same kind; of two for the same place the first table's counts.
    pub beside: Option<&'static str>,
    /// The column with the number of the row, or of the row that is patched, or of the owner.
    pub key: &'static str,
    /// Our table that the number belongs to, if that is not the one that is written.
    pub owner: Option<&'static str>,
    /// Which rows it is about.
    pub takes: Takes,
    /// Our table.
    pub table: &'static str,
    /// How its rows are found.
    pub place: Place,
    /// The columns.
    pub fields: &'static [Field],
    /// The one column of a set of which a row of the source holds many.
    pub many: Option<Many>,
    /// How many columns of a set, from the first, tell its rows from each other.
    pub members: usize,
    /// What a new row gets besides.
    pub born_with: &'static [(&'static str, i64)],
    /// What can be found by it.
    pub found: Found,
    /// Whether names, rights or settings come from it.
    pub names: bool,
    /// The column that is hashed before it is written.
    pub hashed: Option<Hashed>,
}

/// A column whose value is hashed, which takes too long to do it for rows that have not changed.
#[derive(Clone, Copy)]
pub struct Hashed {
    /// Our column.
    pub to: &'static str,
    /// What tells two values apart, and says nothing about what is inside.
    pub identify: fn(&Value) -> Value,
    /// The value as it is written.
    pub hash: fn(&Value) -> Result<Value, StoreError>,
}

/// A column of which one row of the source holds many values.
pub struct Many {
    /// The column of the source.
    pub from: &'static str,
    /// Ours.
    pub to: &'static str,
    /// The values.
    pub make: fn(&Asked<'_>) -> Result<Vec<Value>, String>,
}

/// Which rows of a table a noun is about.
#[derive(Clone, Copy, PartialEq)]
pub enum Takes {
    /// All.
    All,
    /// Those with one of these texts in the column; the others are counted by their text.
    OneOf(&'static str, &'static [&'static str]),
    /// Those with a yes in the column.
    On(&'static str),
    /// Those without a value in the column.
    Null(&'static str),
    /// Those with a value in the column.
    NotNull(&'static str),
}

/// What can be found by a row.
#[derive(Clone, Copy)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// The record itself.
    Own(Kind),
    /// The record whose number is in this column of ours.
    Of(Kind, &'static str),
    /// The record that the columns `container_kind` and `container_id` name.
    Container,
    /// The record that the columns `customized_type` and `customized_id` name.
    Customized,
}

/// A table whose rows become rows of ours with the same number.
pub const fn rows(source: &'static str, table: &'static str, fields: &'static [Field]) -> Noun {
    Noun {
        label: source,
        source,
        beside: None,
        key: "id",
        owner: None,
        takes: Takes::All,
        table,
        place: Place::Row,
        fields,
        many: None,
        members: 0,
        born_with: &[],
        found: Found::Nothing,
        names: false,
        hashed: None,
    }
}

/// Columns that come to rows of `table` later or from elsewhere.
pub const fn patch(label: &'static str, source: &'static str, key: &'static str, table: &'static str, fields: &'static [Field]) -> Noun {
    let noun = rows(source, table, fields);
    Noun { label, key, owner: Some(table), place: Place::Patch, ..noun }
}

/// Rows without numbers of their own, which hang on a row of `owner`: `key` in the source, `column` here.
pub const fn set(
    (source, key): (&'static str, &'static str),
    (table, column): (&'static str, &'static str),
    owner: &'static str,
    fields: &'static [Field],
) -> Noun {
    let noun = rows(source, table, fields);
    Noun { key, owner: Some(owner), place: Place::Set(column), members: fields.len(), ..noun }
}

impl Noun {
    /// The same under another name.
    pub const fn label(self, label: &'static str) -> Noun {
        Noun { label, ..self }
    }

    /// The same of these rows only.
    pub const fn takes(self, takes: Takes) -> Noun {
        Noun { takes, ..self }
    }

    /// The same, with what can be found by it.
    pub const fn found(self, found: Found) -> Noun {
        Noun { found, ..self }
    }

    /// The same, where names, rights or settings come from it.
    pub const fn names(self) -> Noun {
        Noun { names: true, ..self }
    }

    /// The same, with a column that is hashed before it is written.
    pub const fn hashed(self, hashed: Hashed) -> Noun {
        Noun { hashed: Some(hashed), ..self }
    }

    /// Returns the digest by which these rows of the source are known again.
    pub fn source_digest(&self, rows: &[Vec<Value>]) -> i64 {
        let Some(Hashed { to, identify, .. }) = self.hashed else { return imported::digest(rows) };
        let identified = |row: &Vec<Value>| -> Vec<Value> {
            self.fields.iter().zip(row).map(|(field, value)| if field.to == to { identify(value) } else { value.clone() }).collect()
        };
        imported::digest(&rows.iter().map(identified).collect::<Vec<_>>())
    }

    /// Hashes the column of these rows that is written hashed.
    pub fn hash(&self, rows: &mut [Vec<Value>]) -> Result<(), StoreError> {
        let Some(Hashed { to, hash, .. }) = self.hashed else { return Ok(()) };
        for row in rows {
            for (_, value) in self.fields.iter().zip(row).filter(|(field, _)| field.to == to) {
                *value = hash(value)?;
            }
        }
        Ok(())
    }

    /// The same, with columns that a new row gets besides.
    pub const fn born_with(self, born_with: &'static [(&'static str, i64)]) -> Noun {
        Noun { born_with, ..self }
    }

    /// The columns that are read.
    pub fn reads(&self) -> Vec<&'static str> {
        let mut columns = vec![self.key];
        let mut add = |column| {
            if !columns.contains(&column) {
                columns.push(column);
            }
        };
        for field in self.fields {
            add(field.from);
            field.with.iter().for_each(|column| add(column));
            if let super::field::How::RefBy(column, _) = field.how {
                add(column);
            }
        }
        self.many.iter().for_each(|many| add(many.from));
        match self.takes {
            Takes::All => {}
            Takes::OneOf(column, _) | Takes::On(column) | Takes::Null(column) | Takes::NotNull(column) => add(column),
        }
        columns
    }

    /// The columns that name what a row belongs to, with the names that are known.
    pub fn owners(&self) -> impl Iterator<Item = (&'static str, &'static [(&'static str, &'static str)])> {
        self.fields.iter().filter_map(|field| match field.how {
            super::field::How::RefBy(column, tables) => Some((column, tables)),
            _ => None,
        })
    }

    /// The column that leads to another row of the same kind, and its place.
    pub fn above(&self) -> Option<(&'static str, usize)> {
        let is_own = |field: &Field| matches!(field.how, super::field::How::Ref(table) if table == self.table);
        self.fields.iter().position(is_own).map(|place| (self.fields[place].from, place))
    }

    /// What is written.
    pub fn target(&self) -> Target {
        let columns = self.fields.iter().map(|field| field.to).chain(self.many.iter().map(|many| many.to)).collect();
        Target { table: self.table, place: self.place, columns, born_with: self.born_with }
    }
}
