//! Rows that refer to missing ones.

use super::damage::Damage;
use super::repair::Repair;
use crate::StoreError;
use crate::engine::{Connection, Reference};
use crate::transaction::snapshot::Snapshot;
use std::collections::HashSet;

/// Maximum number of rows that are named per reference.
const MAX_ROWS: usize = 5;

/// Tables whose rows refer to records of any type: the table, its type column and its id column.
const POLYMORPHIC: [(&str, &str, &str); 3] = [
    ("watchers", "watchable_type", "watchable_id"),
    ("reactions", "reactable_type", "reactable_id"),
    ("custom_values", "customized_type", "customized_id"),
];

/// The table of the records of each type, by its Redmine name. Rows of other types are left alone.
const OWNERS: [(&str, &str); 19] = [
    ("Issue", "issues"),
    ("Project", "projects"),
    ("News", "news"),
    ("Document", "documents"),
    ("WikiPage", "wiki_pages"),
    ("Wiki", "wikis"),
    ("Message", "messages"),
    ("Board", "boards"),
    ("Version", "versions"),
    ("Changeset", "changesets"),
    ("TimeEntry", "time_entries"),
    ("Journal", "journals"),
    ("Comment", "comments"),
    ("Principal", "users"),
    ("User", "users"),
    ("Group", "users"),
    ("IssuePriority", "enumerations"),
    ("TimeEntryActivity", "enumerations"),
    ("DocumentCategory", "enumerations"),
];

/// Checks every foreign key of the schema. The field of a custom value has a check of its own.
pub(super) fn foreign_keys(
    db: &Snapshot<'_>,
    expected: &Connection,
) -> Result<Option<Damage>, StoreError> {
    let mut keys = expected.references()?;
    keys.retain(|key| (key.table.as_str(), key.column.as_str()) != CUSTOM_FIELD);
    let columns = expected.column_types()?.into_iter();
    let ids: HashSet<String> = columns
        .filter(|column| column.column == "id")
        .map(|column| column.table)
        .collect();
    let mut examples = Vec::new();
    for Reference {
        table,
        column,
        parent,
        key,
    } in keys
    {
        let condition = format!(
            "c.{column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.{key} = c.{column})"
        );
        let sql = format!("SELECT COUNT(*) FROM {table} c WHERE {condition}");
        let count = db.query_i64(&sql, &[])?;
        if count == 0 {
            continue;
        }
        let id = if ids.contains(&table) {
            "CAST(c.id AS TEXT)"
        } else {
            "''"
        };
        let sql = format!(
            "SELECT {id}, CAST(c.{column} AS TEXT) FROM {table} c WHERE {condition} ORDER BY 1, 2 LIMIT {MAX_ROWS}"
        );
        let rows: Vec<String> = db.rows(&sql, &[], |row| {
            let id: String = row.next()?;
            let value: String = row.next()?;
            Ok(if id.is_empty() {
                value
            } else {
                format!("{value} in row {id}")
            })
        })?;
        examples.push(format!(
            "{table}.{column} of {count} rows is not in {parent}: {}",
            rows.join(", ")
        ));
    }
    Ok(Damage::from_examples(examples, None))
}

/// The reference to the custom field of a value.
const CUSTOM_FIELD: (&str, &str) = ("custom_values", "custom_field_id");

/// Returns an SQL condition for the rows of the table whose record is gone.
fn orphan_condition(table: &str, kind: &str, id: &str) -> String {
    let cases = OWNERS.map(|(name, owners)| {
        format!(
            "{table}.{kind} = '{name}' AND NOT EXISTS (SELECT 1 FROM {owners} o WHERE o.id = {table}.{id})"
        )
    });
    format!("{table}.{id} IS NOT NULL AND ({})", cases.join(" OR "))
}

/// Checks the rows of records of any type.
pub(super) fn orphans(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let mut examples = Vec::new();
    let mut deletions = Vec::new();
    for (table, kind, id) in POLYMORPHIC {
        let condition = orphan_condition(table, kind, id);
        let found = db.rows(
            &format!("SELECT id, {kind}, {id} FROM {table} WHERE {condition} ORDER BY id"),
            &[],
            |row| {
                let row_id: i64 = row.next()?;
                let kind: String = row.next()?;
                let record: i64 = row.next()?;
                Ok(format!("{table} {row_id} of {kind} {record}"))
            },
        )?;
        if !found.is_empty() {
            deletions.push((table, condition));
        }
        examples.extend(found);
    }
    Ok(Damage::from_examples(
        examples,
        Some(Repair::DeleteRows(deletions)),
    ))
}

/// Checks the records of attachments. A file of a missing record is unreachable, but may be the only
/// copy.
pub(super) fn orphaned_attachments(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let condition = orphan_condition("attachments", "container_type", "container_id");
    let examples = db.rows(
        &format!(
            "SELECT id, container_type, container_id FROM attachments WHERE {condition} ORDER BY id"
        ),
        &[],
        |row| {
            let id: i64 = row.next()?;
            let kind: String = row.next()?;
            let record: i64 = row.next()?;
            Ok(format!("attachment {id} of {kind} {record}"))
        },
    )?;
    Ok(Damage::from_examples(examples, None))
}

/// Checks the fields of custom values.
pub(super) fn custom_values_without_field(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let condition =
        "NOT EXISTS (SELECT 1 FROM custom_fields f WHERE f.id = custom_values.custom_field_id)";
    let examples = db.rows(
        &format!("SELECT id, custom_field_id FROM custom_values WHERE {condition} ORDER BY id"),
        &[],
        |row| {
            let id: i64 = row.next()?;
            let field: i64 = row.next()?;
            Ok(format!("value {id} of the field {field}"))
        },
    )?;
    let deletion = ("custom_values", condition.to_owned());
    Ok(Damage::from_examples(
        examples,
        Some(Repair::DeleteRows(vec![deletion])),
    ))
}
