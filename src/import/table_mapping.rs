//! How a table of the source maps to one of ours: the rows and columns to read, and what must be
//! indexed again.

use super::field::{ColumnType, Field, FieldContext};
use quarry_domain::index_feed::kind::Kind;
use quarry_store::imported;
use quarry_store::imported::{Target, TargetRows};
use quarry_store::{Read, StoreError, Value, Write};
use std::collections::HashSet;

/// A table of the source, or some of its rows or columns, and what becomes of it.
pub struct TableMapping {
    /// Name in reports, under which the digests of rows are stored too: the table, and which part
    /// of it if not all.
    pub label: &'static str,
    pub source: &'static str,
    /// Another table of the source with rows of the same kind; a row of it wins over its duplicate
    /// in the first table.
    pub extra_source: Option<&'static str>,
    /// Column with the id of the row, of the row that is patched, or of the owner.
    pub key: &'static str,
    /// Table of ours that the key refers to, unless it is the one that is written.
    pub owner: Option<&'static str>,
    /// Which rows are read.
    pub row_filter: RowFilter,
    /// Table of ours.
    pub table: &'static str,
    /// Which rows of our table are written.
    pub target_rows: TargetRows,
    /// The columns.
    pub fields: &'static [Field],
    /// Column of which one row of the source has several values.
    pub multi_value: Option<MultiValue>,
    /// Number of leading columns that identify a row among those of its owner.
    pub key_columns: usize,
    /// Further columns of a new row, with their values.
    pub insert_defaults: &'static [(&'static str, i64)],
    /// Which record must be indexed again when a row changes.
    pub reindexes: Reindex,
    /// Whether the catalogue (names, rights and settings) depends on this table.
    pub in_catalogue: bool,
    /// Column that is hashed before it is written.
    pub hashed_column: Option<HashedColumn>,
    /// Rows of ours that make way for rows of the source.
    pub provisional: Option<ProvisionalRows>,
}

/// Rows that are made here as others need them, so that a row of the source with the same id or the
/// same unique columns replaces them.
#[derive(Clone, Copy)]
pub struct ProvisionalRows {
    /// Returns their ids.
    pub ids: fn(&Read<'_>) -> Result<HashSet<i64>, StoreError>,
    /// Deletes those that are in the way of a row with this id and these columns.
    pub make_way: fn(&mut Write<'_>, i64, &[Value]) -> Result<(), StoreError>,
}

/// A column whose value is hashed; too slow to be repeated for rows that have not changed.
#[derive(Clone, Copy)]
pub struct HashedColumn {
    /// Name here.
    pub to: &'static str,
    /// Returns a value that differs when the column has changed, but reveals nothing about it.
    pub identify: fn(&Value) -> Value,
    /// Returns the value to write.
    pub hash: fn(&Value) -> Result<Value, StoreError>,
    /// Writes what must change with it: the id of the row, and the values before and after.
    pub on_update: fn(&mut Write<'_>, i64, &Value, &Value) -> Result<(), StoreError>,
}

/// A column of which one row of the source has several values.
pub struct MultiValue {
    /// Name in the source.
    pub from: &'static str,
    /// Name here.
    pub to: &'static str,
    /// Name of the column here with the position of the value; `None` without one.
    pub position: Option<&'static str>,
    /// Returns the values.
    pub split: fn(&FieldContext<'_>) -> Result<Vec<Value>, String>,
}

impl MultiValue {
    /// Returns the rows of these values, with their positions if they have any.
    pub fn rows(&self, values: Vec<Value>) -> Vec<Vec<Value>> {
        let rows = (1..).zip(values).map(|(index, value)| {
            let position = self.position.map(|_| Value::Int(index));
            std::iter::once(value).chain(position).collect()
        });
        rows.collect()
    }
}

/// Which rows of a table a mapping reads.
#[derive(Clone, Copy, PartialEq)]
pub enum RowFilter {
    /// All rows.
    All,
    /// Rows with one of these texts in the column; the others are counted by their text.
    In(&'static str, &'static [&'static str]),
    /// Rows where the column is true.
    IsTrue(&'static str),
    /// Rows where the column is not NULL.
    NotNull(&'static str),
    /// Rows of roles of memberships that are not inherited, according to the column.
    NotInherited(&'static str),
    /// The other rows of roles of memberships.
    Inherited(&'static str),
}

/// Which record of the search index depends on a row.
#[derive(Clone, Copy)]
pub enum Reindex {
    /// None.
    Nothing,
    /// The row itself.
    Own(Kind),
    /// The record whose id is in this column of ours.
    Parent(Kind, &'static str),
    /// The record in the columns `container_kind` and `container_id`.
    Container,
    /// The record in the columns `customized_type` and `customized_id`.
    Customized,
}

/// Returns a mapping whose rows become rows of ours with the same ids.
pub const fn rows(
    source: &'static str,
    table: &'static str,
    fields: &'static [Field],
) -> TableMapping {
    TableMapping {
        label: source,
        source,
        extra_source: None,
        key: "id",
        owner: None,
        row_filter: RowFilter::All,
        table,
        target_rows: TargetRows::Row,
        fields,
        multi_value: None,
        key_columns: 0,
        insert_defaults: &[],
        reindexes: Reindex::Nothing,
        in_catalogue: false,
        hashed_column: None,
        provisional: None,
    }
}

/// Returns a mapping that sets columns of existing rows of `table`.
pub const fn patch(
    label: &'static str,
    source: &'static str,
    key: &'static str,
    table: &'static str,
    fields: &'static [Field],
) -> TableMapping {
    let mapping = rows(source, table, fields);
    TableMapping {
        label,
        key,
        owner: Some(table),
        target_rows: TargetRows::Columns,
        ..mapping
    }
}

/// Returns a mapping of rows without ids, which belong to a row of `owner`: by `key` in the source,
/// by `column` here.
pub const fn owned_rows(
    (source, key): (&'static str, &'static str),
    (table, column): (&'static str, &'static str),
    owner: &'static str,
    fields: &'static [Field],
) -> TableMapping {
    let mapping = rows(source, table, fields);
    TableMapping {
        key,
        owner: Some(owner),
        target_rows: TargetRows::OwnedBy(column),
        key_columns: fields.len(),
        ..mapping
    }
}

impl TableMapping {
    /// Sets the label.
    pub const fn label(self, label: &'static str) -> TableMapping {
        TableMapping { label, ..self }
    }

    /// Sets which rows are read.
    pub const fn filter(self, row_filter: RowFilter) -> TableMapping {
        TableMapping { row_filter, ..self }
    }

    /// Sets which record must be indexed again when a row changes.
    pub const fn reindexes(self, reindexes: Reindex) -> TableMapping {
        TableMapping { reindexes, ..self }
    }

    /// Makes the catalogue depend on this table.
    pub const fn in_catalogue(self) -> TableMapping {
        TableMapping {
            in_catalogue: true,
            ..self
        }
    }

    /// Sets how many leading columns identify a row among those of its owner.
    pub const fn identified_by(self, key_columns: usize) -> TableMapping {
        TableMapping {
            key_columns,
            ..self
        }
    }

    /// Sets the column that is hashed before it is written.
    pub const fn hashed_column(self, hashed_column: HashedColumn) -> TableMapping {
        TableMapping {
            hashed_column: Some(hashed_column),
            ..self
        }
    }

    /// Sets the rows of ours that make way for rows of the source.
    pub const fn provisional(self, provisional: ProvisionalRows) -> TableMapping {
        TableMapping {
            provisional: Some(provisional),
            ..self
        }
    }

    /// Sets further columns of a new row.
    pub const fn insert_defaults(
        self,
        insert_defaults: &'static [(&'static str, i64)],
    ) -> TableMapping {
        TableMapping {
            insert_defaults,
            ..self
        }
    }

    /// Returns the digest of rows as converted from the source; an equal digest means that they
    /// have not changed.
    pub fn source_digest(&self, rows: &[Vec<Value>]) -> i64 {
        let Some(HashedColumn { to, identify, .. }) = self.hashed_column else {
            return imported::digest(rows);
        };
        let mut rows = rows.to_vec();
        for row in &mut rows {
            for (_, value) in self
                .fields
                .iter()
                .zip(row)
                .filter(|(field, _)| field.to == to)
            {
                *value = identify(value);
            }
        }
        imported::digest(&rows)
    }

    /// Hashes the hashed column of the rows.
    pub fn hash(&self, rows: &mut [Vec<Value>]) -> Result<(), StoreError> {
        let Some(HashedColumn { to, hash, .. }) = self.hashed_column else {
            return Ok(());
        };
        for row in rows {
            for (_, value) in self
                .fields
                .iter()
                .zip(row)
                .filter(|(field, _)| field.to == to)
            {
                *value = hash(value)?;
            }
        }
        Ok(())
    }

    /// Writes what must change with the hashed column.
    pub fn write_hash_change(
        &self,
        db: &mut Write<'_>,
        key: i64,
        before: &[Vec<Value>],
        after: &[Vec<Value>],
    ) -> Result<(), StoreError> {
        let Some(HashedColumn { to, on_update, .. }) = self.hashed_column else {
            return Ok(());
        };
        let before = self.first_value(to, before).unwrap_or(&Value::Null);
        let after = self.first_value(to, after).unwrap_or(&Value::Null);
        on_update(db, key, before, after)
    }

    /// Returns the value of a column in the first row.
    fn first_value<'r>(&self, column: &str, rows: &'r [Vec<Value>]) -> Option<&'r Value> {
        let index = self.fields.iter().position(|field| field.to == column)?;
        rows.first()?.get(index)
    }

    /// Returns the columns of the source that are read.
    pub fn source_columns(&self) -> Vec<&'static str> {
        let mut columns = vec![self.key];
        for field in self.fields {
            columns.push(field.from);
            columns.extend(field.also_reads);
            if let ColumnType::PolymorphicRef(column, _) = field.column_type {
                columns.push(column);
            }
        }
        columns.extend(
            self.multi_value
                .as_ref()
                .map(|multi_value| multi_value.from),
        );
        match self.row_filter {
            RowFilter::All => {}
            RowFilter::In(column, _)
            | RowFilter::IsTrue(column)
            | RowFilter::NotNull(column)
            | RowFilter::NotInherited(column)
            | RowFilter::Inherited(column) => columns.push(column),
        }
        let mut seen = HashSet::new();
        columns.retain(|column| seen.insert(*column));
        columns
    }

    /// Whether a column is only read in addition to others, and may be missing in the source.
    pub fn is_auxiliary(&self, column: &str) -> bool {
        self.fields
            .iter()
            .any(|field| field.also_reads.contains(&column))
    }

    /// Returns the columns with the type names of polymorphic references, each with the supported
    /// names and their tables.
    pub fn type_columns(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static [(&'static str, &'static str)])> {
        self.fields
            .iter()
            .filter_map(|field| match field.column_type {
                ColumnType::PolymorphicRef(column, tables) => Some((column, tables)),
                _ => None,
            })
    }

    /// Returns the source name and the index of the column that refers to another row of the same
    /// table.
    pub fn parent_column(&self) -> Option<(&'static str, usize)> {
        for (index, field) in self.fields.iter().enumerate() {
            if let ColumnType::Ref(table) = field.column_type
                && table == self.table
            {
                return Some((field.from, index));
            }
        }
        None
    }

    /// Returns the ids of our rows, except those that make way for rows of the source.
    pub fn existing_ids(&self, db: &Read<'_>) -> Result<HashSet<i64>, StoreError> {
        let mut ids = imported::ids(db, self.table)?;
        if let Some(provisional) = self.provisional {
            let provisional = (provisional.ids)(db)?;
            ids.retain(|id| !provisional.contains(id));
        }
        Ok(ids)
    }

    /// Returns the target of the write.
    pub fn target(&self) -> Target {
        let columns = self
            .fields
            .iter()
            .map(|field| field.to)
            .chain(self.multi_value.iter().flat_map(|multi_value| {
                [Some(multi_value.to), multi_value.position]
                    .into_iter()
                    .flatten()
            }))
            .collect();
        Target {
            table: self.table,
            rows: self.target_rows,
            columns,
            insert_defaults: self.insert_defaults,
        }
    }
}
