//! Definitions of custom fields, and their values.
//!
//! Invariant: a change of the values of a searchable record by [`delete`] or [`keep_first_values`]
//! is recorded for the index; [`update`] leaves that to the action that changes the record.

use super::custom_value_events;
use crate::engine::{Row, StatementError, Value};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::{Read, StoreError, Write, json};
use quarry_domain::administration::custom_field::{
    CustomField, Customized, Format, Pattern, Values,
};
use quarry_domain::ids::CustomFieldId;
use quarry_domain::index_feed::kind::Kind;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

const COLUMNS: &str = "id, type, name, description, field_format, regexp, min_length, max_length, \
                       default_value, is_required, is_for_all, is_filter, searchable, editable, \
                       visible, multiple, possible_values_json";

/// Reads a field without its values of an enumeration, trackers, projects and roles; `None` for one
/// of an unsupported type of record.
fn from_row(row: &Row<'_>) -> Result<Option<CustomField>, StatementError> {
    let id = row.next()?;
    let Some(customized) = Customized::from_type_name(&row.next::<String>()?) else {
        return Ok(None);
    };
    let field = CustomField {
        id,
        customized,
        name: row.next()?,
        description: row.next()?,
        format: row.next::<String>()?.parse().unwrap_or(Format::Other),
        regexp: row.next()?,
        min_length: next_length(row)?,
        max_length: next_length(row)?,
        default: row.next()?,
        required: row.next()?,
        is_for_all: row.next()?,
        is_filter: row.next()?,
        searchable: row.next()?,
        editable: row.next()?,
        visible: row.next()?,
        multiple: row.next()?,
        possible_values: json::parse_texts(row.next::<Option<String>>()?.as_deref()),
        ..CustomField::default()
    };
    let regexp = field.regexp.as_deref().filter(|regexp| !regexp.is_empty());
    Ok(Some(CustomField {
        // A Ruby pattern that is not valid here is not enforced.
        pattern: regexp.and_then(Pattern::from_stored),
        ..field
    }))
}

fn next_length(row: &Row<'_>) -> Result<Option<usize>, StatementError> {
    let length: Option<i64> = row.next()?;
    Ok(length.and_then(|length| usize::try_from(length).ok()))
}

fn length_value(length: Option<usize>) -> Option<i64> {
    length.and_then(|length| i64::try_from(length).ok())
}

/// Returns the fields of supported record types by position.
pub fn list(db: &Read<'_>) -> Result<Vec<CustomField>, StoreError> {
    let mut trackers = pairs(
        db,
        "SELECT custom_field_id, tracker_id FROM custom_fields_trackers",
    )?;
    let mut projects = pairs(
        db,
        "SELECT custom_field_id, project_id FROM custom_fields_projects",
    )?;
    let mut roles = pairs(
        db,
        "SELECT custom_field_id, role_id FROM custom_fields_roles",
    )?;
    let mut enumerations: HashMap<CustomFieldId, Vec<(i64, String, bool)>> = HashMap::new();
    let sql = "SELECT custom_field_id, id, name, active FROM custom_field_enumerations ORDER BY position, id";
    for (field, value) in db.rows(sql, &[], |row| {
        Ok((row.next()?, (row.next()?, row.next()?, row.next()?)))
    })? {
        enumerations.entry(field).or_default().push(value);
    }
    let sql = format!("SELECT {COLUMNS} FROM custom_fields ORDER BY position ASC NULLS FIRST, id");
    let fields = db.rows(&sql, &[], from_row)?;
    let mut fields: Vec<CustomField> = fields.into_iter().flatten().collect();
    for field in &mut fields {
        field.enumeration = enumerations.remove(&field.id).unwrap_or_default();
        field.trackers = trackers.remove(&field.id).unwrap_or_default();
        field.projects = projects.remove(&field.id).unwrap_or_default();
        field.roles = roles.remove(&field.id).unwrap_or_default();
    }
    Ok(fields)
}

fn pairs<Id: crate::engine::FromColumn + Eq + Hash>(
    db: &Read<'_>,
    sql: &str,
) -> Result<HashMap<CustomFieldId, HashSet<Id>>, StoreError> {
    let mut ids: HashMap<CustomFieldId, HashSet<Id>> = HashMap::new();
    for (field, id) in db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))? {
        ids.entry(field).or_default().insert(id);
    }
    Ok(ids)
}

/// The columns that an update writes.
fn columns(field: &CustomField) -> ColumnValues {
    ColumnValues::new()
        .set("name", &field.name)
        .set("description", field.description.as_deref())
        .set("regexp", field.regexp.as_deref())
        .set("min_length", length_value(field.min_length))
        .set("max_length", length_value(field.max_length))
        .set("default_value", field.default.as_deref())
        .set("is_required", field.required)
        .set("is_for_all", field.is_for_all)
        .set("is_filter", field.is_filter)
        .set("searchable", field.searchable)
        .set("editable", field.editable)
        .set("visible", field.visible)
        .set("multiple", field.multiple)
        .set(
            "possible_values_json",
            json::from_texts(&field.possible_values),
        )
}

/// Inserts a field after all others, without the values of an enumeration; with the next free id if
/// its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, field: &CustomField) -> Result<CustomFieldId, StoreError> {
    let position = db.query_i64(
        "SELECT COALESCE(MAX(position), 0) + 1 FROM custom_fields",
        &[],
    )?;
    let columns = columns(field)
        .set_id(field.id)
        .set("type", field.customized.type_name())
        .set("field_format", field.format.name())
        .set("position", position);
    let id = db.insert_record("custom_fields", columns)?;
    insert_relations(db, id, field)?;
    db.catalogue_changed()?;
    Ok(id)
}

/// Inserts the trackers, projects and roles of a field.
fn insert_relations(
    db: &mut Write<'_>,
    id: CustomFieldId,
    field: &CustomField,
) -> Result<(), StoreError> {
    let trackers = field
        .trackers
        .iter()
        .map(|tracker| ("custom_fields_trackers", "tracker_id", tracker.0));
    let projects = field
        .projects
        .iter()
        .map(|project| ("custom_fields_projects", "project_id", project.0));
    let roles = field
        .roles
        .iter()
        .map(|role| ("custom_fields_roles", "role_id", role.0));
    for (table, column, related_id) in trackers.chain(projects).chain(roles) {
        db.execute(
            &format!("INSERT INTO {table} (custom_field_id, {column}) VALUES (?1, ?2)"),
            &[id.into(), related_id.into()],
        )?;
    }
    Ok(())
}

/// Returns the values of these records, by record; records without values are omitted.
pub fn list_values(
    db: &Read<'_>,
    customized: Customized,
    records: &[i64],
) -> Result<HashMap<i64, Values>, StoreError> {
    let mut values: HashMap<i64, Values> = HashMap::new();
    if records.is_empty() {
        return Ok(values);
    }
    let sql = "SELECT customized_id, custom_field_id, value FROM custom_values \
               WHERE customized_type = ?1 AND customized_id IN ids(?2) AND value IS NOT NULL ORDER BY id";
    let rows = db.rows(
        sql,
        &[customized.value_type().into(), Value::Ids(records.to_vec())],
        |row| Ok((row.next()?, row.next()?, row.next()?)),
    )?;
    for (record, field, value) in rows {
        values.entry(record).or_default().add(field, value);
    }
    Ok(values)
}

/// Returns the size in bytes of all values of each of these records; records without values are
/// omitted.
pub fn value_sizes(
    db: &Read<'_>,
    customized: Customized,
    records: &[i64],
) -> Result<HashMap<i64, usize>, StoreError> {
    if records.is_empty() || db.catalogue().custom_fields_of(customized).next().is_none() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT customized_id, SUM(octet_length(value)) FROM custom_values \
               WHERE customized_type = ?1 AND customized_id IN ids(?2) AND value IS NOT NULL GROUP BY customized_id";
    let rows = db.rows(
        sql,
        &[customized.value_type().into(), Value::Ids(records.to_vec())],
        |row| Ok((row.next()?, row.next::<i64>()?)),
    )?;
    Ok(rows
        .into_iter()
        .map(|(record, bytes)| (record, usize::try_from(bytes).unwrap_or(usize::MAX)))
        .collect())
}

/// Returns the values of one record.
pub fn find_values(
    db: &Read<'_>,
    customized: Customized,
    record: i64,
) -> Result<Values, StoreError> {
    Ok(list_values(db, customized, &[record])?
        .remove(&record)
        .unwrap_or_default())
}

/// Updates the values of a record. Fields whose values stay the same keep their rows.
pub fn update(
    db: &mut Write<'_>,
    customized: Customized,
    record: i64,
    values: &Values,
) -> Result<(), StoreError> {
    let before = find_values(db, customized, record)?;
    custom_value_events::record(db, customized, record, &before, values);
    let fields: HashSet<CustomFieldId> = before
        .iter()
        .chain(values.iter())
        .map(|(field, _)| field)
        .collect();
    for field in fields
        .into_iter()
        .filter(|field| before.get(*field) != values.get(*field))
    {
        db.execute(
            "DELETE FROM custom_values WHERE customized_type = ?1 AND customized_id = ?2 AND custom_field_id = ?3",
            &[customized.value_type().into(), record.into(), field.into()],
        )?;
        for value in values.get(field).unwrap_or_default() {
            let columns = ColumnValues::new()
                .set("customized_type", customized.value_type())
                .set("customized_id", record)
                .set("custom_field_id", field)
                .set("value", value);
            db.insert_row("custom_values", columns)?;
        }
    }
    Ok(())
}

/// Deletes the values of a record.
pub fn delete_values(
    db: &mut Write<'_>,
    customized: Customized,
    record: i64,
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM custom_values WHERE customized_type = ?1 AND customized_id = ?2",
        &[customized.value_type().into(), record.into()],
    )?;
    Ok(())
}

/// A text in a custom field, with the id of its record.
pub type Text = (i64, (CustomFieldId, String));

/// Returns the texts in the custom fields of these records, visible or not. Values that are ids or
/// booleans are not texts.
pub fn texts(db: &Read<'_>, kind: Kind, records: &[i64]) -> Result<Vec<Text>, StoreError> {
    let Some(customized) = customized(kind) else {
        return Ok(Vec::new());
    };
    let fields: HashSet<CustomFieldId> = db
        .catalogue()
        .custom_fields_of(customized)
        .filter(|field| field.format.is_textual())
        .map(|field| field.id)
        .collect();
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let mut texts = Vec::new();
    for (record, values) in list_values(db, customized, records)? {
        for (field, values) in values.iter().filter(|(field, _)| fields.contains(field)) {
            texts.extend(
                values
                    .iter()
                    .filter(|value| !value.is_empty())
                    .map(|value| (record, (field, value.clone()))),
            );
        }
    }
    Ok(texts)
}

fn customized(kind: Kind) -> Option<Customized> {
    match kind {
        Kind::Issue => Some(Customized::Issue),
        Kind::Project => Some(Customized::Project),
        Kind::Document => Some(Customized::Document),
        Kind::News | Kind::Changeset | Kind::WikiPage | Kind::Message => None,
    }
}

/// Updates a field, except type, format, position and the values of an enumeration.
pub fn update_definition(db: &mut Write<'_>, field: &CustomField) -> Result<(), StoreError> {
    db.update_record("custom_fields", field.id, columns(field))?;
    delete_relations(db, field.id)?;
    insert_relations(db, field.id, field)?;
    db.catalogue_changed()
}

fn delete_relations(db: &mut Write<'_>, field: CustomFieldId) -> Result<(), StoreError> {
    for table in [
        "custom_fields_trackers",
        "custom_fields_projects",
        "custom_fields_roles",
    ] {
        db.execute(
            &format!("DELETE FROM {table} WHERE custom_field_id = ?1"),
            &[field.into()],
        )?;
    }
    Ok(())
}

/// Deletes all values of a field but the first one of each record.
pub fn keep_first_values(db: &mut Write<'_>, field: &CustomField) -> Result<(), StoreError> {
    let sql = "DELETE FROM custom_values WHERE custom_field_id = ?1 AND id NOT IN \
               (SELECT MIN(id) FROM custom_values WHERE custom_field_id = ?1 GROUP BY customized_type, customized_id) RETURNING customized_id";
    let records: Vec<i64> = db.column(sql, &[field.id.into()])?;
    record_changes(db, field.customized, records)
}

/// Whether a record has this value in the field.
pub fn is_value_used(db: &Read<'_>, field: CustomFieldId, value: &str) -> Result<bool, StoreError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM custom_values WHERE custom_field_id = ?1 AND value = ?2)";
    Ok(db.query_i64(sql, &[field.into(), value.into()])? == 1)
}

/// Returns how many records have a value in the field.
pub fn count_records(db: &Read<'_>, field: CustomFieldId) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(DISTINCT customized_id) FROM custom_values WHERE custom_field_id = ?1 AND value <> ''";
    db.query_i64(sql, &[field.into()])
}

/// Returns how many records have each value of the field.
pub fn value_counts(
    db: &Read<'_>,
    field: CustomFieldId,
) -> Result<HashMap<String, i64>, StoreError> {
    let sql = "SELECT value, COUNT(DISTINCT customized_id) FROM custom_values \
               WHERE custom_field_id = ?1 AND value <> '' GROUP BY value";
    let counts = db.rows(sql, &[field.into()], |row| Ok((row.next()?, row.next()?)))?;
    Ok(counts.into_iter().collect())
}

/// Gives all records with a value of the field another one.
pub fn replace_value(
    db: &mut Write<'_>,
    field: &CustomField,
    value: &str,
    replacement: &str,
) -> Result<(), StoreError> {
    let values = [field.id.into(), value.into(), replacement.into()];
    // A record that has both keeps one.
    let sql = "DELETE FROM custom_values WHERE custom_field_id = ?1 AND value = ?2 AND EXISTS \
               (SELECT 1 FROM custom_values o WHERE o.custom_field_id = ?1 AND o.value = ?3 \
               AND o.customized_type = custom_values.customized_type AND o.customized_id = custom_values.customized_id) \
               RETURNING customized_id";
    let mut records: Vec<i64> = db.column(sql, &values)?;
    let sql = "UPDATE custom_values SET value = ?3 WHERE custom_field_id = ?1 AND value = ?2 RETURNING customized_id";
    records.extend(db.column::<i64>(sql, &values)?);
    record_changes(db, field.customized, records)
}

/// Updates a possible value of an enumeration, or inserts one without an id.
pub fn save_possible_value(
    db: &mut Write<'_>,
    field: CustomFieldId,
    id: Option<i64>,
    (name, active): (&str, bool),
    position: i64,
) -> Result<(), StoreError> {
    let columns = ColumnValues::new()
        .set("name", name)
        .set("active", active)
        .set("position", position);
    match id {
        Some(id) => {
            let mut sql = columns.update("custom_field_enumerations");
            sql.push(" WHERE id = ")
                .bind(id)
                .push(" AND custom_field_id = ")
                .bind(field);
            db.execute(sql.text(), sql.values())?;
        }
        None => {
            let columns = columns.set("custom_field_id", field);
            db.insert_row("custom_field_enumerations", columns)?;
        }
    }
    db.catalogue_changed()
}

/// Returns the id of the possible value that was inserted last.
pub fn newest_possible_value(db: &Read<'_>, field: CustomFieldId) -> Result<i64, StoreError> {
    let sql = "SELECT MAX(id) FROM custom_field_enumerations WHERE custom_field_id = ?1";
    db.query_i64(sql, &[field.into()])
}

/// Deletes a possible value of an enumeration. No record may have it. Were it the default of its field, there
/// is none any more.
pub fn delete_possible_value(
    db: &mut Write<'_>,
    field: CustomFieldId,
    id: i64,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE custom_fields SET default_value = NULL WHERE id = ?1 AND default_value = ?2",
        &[field.into(), id.to_string().into()],
    )?;
    db.execute(
        "DELETE FROM custom_field_enumerations WHERE id = ?1",
        &[id.into()],
    )?;
    db.catalogue_changed()
}

/// Deletes a field with its values. Searchable records that had one are indexed again.
pub fn delete(db: &mut Write<'_>, field: &CustomField) -> Result<(), StoreError> {
    let sql = "DELETE FROM custom_values WHERE custom_field_id = ?1 RETURNING customized_id";
    let records: Vec<i64> = db.column(sql, &[field.id.into()])?;
    record_changes(db, field.customized, records)?;
    delete_relations(db, field.id)?;
    db.execute(
        "DELETE FROM workflow_permissions WHERE field_name = ?1",
        &[field.id.to_string().into()],
    )?;
    db.execute(
        "DELETE FROM custom_field_enumerations WHERE custom_field_id = ?1",
        &[field.id.into()],
    )?;
    db.execute(
        "DELETE FROM custom_fields WHERE id = ?1",
        &[field.id.into()],
    )?;
    db.catalogue_changed()
}

/// Records a change of each of these records, if the search finds records of the type.
fn record_changes(
    db: &mut Write<'_>,
    customized: Customized,
    mut records: Vec<i64>,
) -> Result<(), StoreError> {
    records.sort_unstable();
    records.dedup();
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| self::customized(*kind) == Some(customized));
    kind.map_or(Ok(()), |kind| changes::record_all(db, kind, records))
}
