//! Custom fields, and the values that records have in them.

use super::engine::Value;
use super::{Read, StoreError, Write, json};
use crate::domain::custom_field::{CustomField, Customized, Format, Values};
use crate::domain::ids::CustomFieldId;
use crate::domain::kind::Kind;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// All fields of records that are known here, in the order of their positions.
pub fn list(db: &Read<'_>) -> Result<Vec<CustomField>, StoreError> {
    let mut trackers = pairs(db, "SELECT custom_field_id, tracker_id FROM custom_fields_trackers")?;
    let mut projects = pairs(db, "SELECT custom_field_id, project_id FROM custom_fields_projects")?;
    let mut roles = pairs(db, "SELECT custom_field_id, role_id FROM custom_fields_roles")?;
    let mut enumerations: HashMap<CustomFieldId, Vec<(i64, String, bool)>> = HashMap::new();
    let sql = "SELECT custom_field_id, id, name, active FROM custom_field_enumerations ORDER BY position, id";
    for (field, value) in db.rows(sql, &[], |row| Ok((row.read(0)?, (row.read(1)?, row.read(2)?, row.read(3)?))))? {
        enumerations.entry(field).or_default().push(value);
    }
    let sql = "SELECT id, type, name, field_format, regexp, min_length, max_length, default_value, is_required, is_for_all, is_filter, \
               searchable, editable, visible, multiple, possible_values_json FROM custom_fields ORDER BY position, id";
    let fields = db.rows(sql, &[], |row| {
        let Some(of) = Customized::of_type(&row.read::<String>(1)?) else { return Ok(None) };
        let id: CustomFieldId = row.read(0)?;
        let length = |number: Option<i64>| number.and_then(|number| usize::try_from(number).ok());
        let regexp = row.read::<Option<String>>(4)?;
        let pattern = regexp.clone().filter(|pattern| !pattern.is_empty());
        Ok(Some(CustomField {
            id,
            of,
            name: row.read(2)?,
            format: Format::parse(&row.read::<String>(3)?),
            // A pattern of Ruby's that is none here does not stand in anybody's way.
            pattern: pattern.and_then(|pattern| regex::Regex::new(&pattern).ok()),
            regexp,
            shortest: length(row.read(5)?),
            longest: length(row.read(6)?),
            default: row.read(7)?,
            required: row.read(8)?,
            everywhere: row.read(9)?,
            filters: row.read(10)?,
            searchable: row.read(11)?,
            editable: row.read(12)?,
            visible: row.read(13)?,
            multiple: row.read(14)?,
            possible: json::texts(row.read::<Option<String>>(15)?.as_deref()),
            enumeration: enumerations.remove(&id).unwrap_or_default(),
            trackers: trackers.remove(&id).unwrap_or_default(),
            projects: projects.remove(&id).unwrap_or_default(),
            roles: roles.remove(&id).unwrap_or_default(),
        }))
    })?;
    Ok(fields.into_iter().flatten().collect())
}

fn pairs<Id: super::engine::FromColumn + Eq + Hash>(db: &Read<'_>, sql: &str) -> Result<HashMap<CustomFieldId, HashSet<Id>>, StoreError> {
    let mut found: HashMap<CustomFieldId, HashSet<Id>> = HashMap::new();
    for (field, id) in db.rows(sql, &[], |row| Ok((row.read(0)?, row.read(1)?)))? {
        found.entry(field).or_default().insert(id);
    }
    Ok(found)
}

/// Adds a field; its number in `field` does not count. What an enumeration offers is not added.
pub fn insert(db: &mut Write<'_>, field: &CustomField, format: &str) -> Result<CustomFieldId, StoreError> {
    let length = |length: Option<usize>| length.and_then(|length| i64::try_from(length).ok());
    let id: CustomFieldId = db.insert(
        "INSERT INTO custom_fields (type, name, field_format, position, regexp, min_length, max_length, default_value, is_required, is_for_all, \
         is_filter, searchable, editable, visible, multiple, possible_values_json) \
         VALUES (?1, ?2, ?3, (SELECT COUNT(*) + 1 FROM custom_fields), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) RETURNING id",
        &[
            field.of.type_name().into(),
            field.name.as_str().into(),
            format.into(),
            field.regexp.as_deref().or(field.pattern.as_ref().map(regex::Regex::as_str)).into(),
            length(field.shortest).into(),
            length(field.longest).into(),
            field.default.as_ref().into(),
            field.required.into(),
            field.everywhere.into(),
            field.filters.into(),
            field.searchable.into(),
            field.editable.into(),
            field.visible.into(),
            field.multiple.into(),
            json::list(&field.possible).into(),
        ],
    )?;
    let trackers = field.trackers.iter().map(|tracker| ("custom_fields_trackers", "tracker_id", tracker.0));
    let projects = field.projects.iter().map(|project| ("custom_fields_projects", "project_id", project.0));
    let roles = field.roles.iter().map(|role| ("custom_fields_roles", "role_id", role.0));
    for (table, column, number) in trackers.chain(projects).chain(roles) {
        db.execute(&format!("INSERT INTO {table} (custom_field_id, {column}) VALUES (?1, ?2)"), &[id.into(), number.into()])?;
    }
    db.catalogue_changed()?;
    Ok(id)
}

/// The values of these records, by record; a record without any is not in it.
pub fn values(db: &Read<'_>, of: Customized, records: &[i64]) -> Result<HashMap<i64, Values>, StoreError> {
    let mut found: HashMap<i64, Values> = HashMap::new();
    if records.is_empty() {
        return Ok(found);
    }
    let sql = "SELECT customized_id, custom_field_id, value FROM custom_values \
               WHERE customized_type = ?1 AND customized_id IN ids(?2) AND value IS NOT NULL ORDER BY id";
    let rows = db.rows(sql, &[of.stored().into(), Value::Ids(records.to_vec())], |row| Ok((row.read(0)?, row.read(1)?, row.read(2)?)))?;
    for (record, field, value) in rows {
        found.entry(record).or_default().add(field, value);
    }
    Ok(found)
}

/// The size in bytes of all values of each of these records; a record without any is not in it.
pub fn sizes(db: &Read<'_>, of: Customized, records: &[i64]) -> Result<HashMap<i64, usize>, StoreError> {
    if records.is_empty() || db.catalogue().custom_fields_of(of).next().is_none() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT customized_id, SUM(octet_length(value)) FROM custom_values \
               WHERE customized_type = ?1 AND customized_id IN ids(?2) AND value IS NOT NULL GROUP BY customized_id";
    let rows = db.rows(sql, &[of.stored().into(), Value::Ids(records.to_vec())], |row| Ok((row.read(0)?, row.read::<i64>(1)?)))?;
    Ok(rows.into_iter().map(|(record, bytes)| (record, usize::try_from(bytes).unwrap_or(usize::MAX))).collect())
}

/// The values of one record.
pub fn values_of(db: &Read<'_>, of: Customized, record: i64) -> Result<Values, StoreError> {
    Ok(values(db, of, &[record])?.remove(&record).unwrap_or_default())
}

/// Replaces the values of a record; those that stay as they are keep their rows.
pub fn change(db: &mut Write<'_>, of: Customized, record: i64, values: &Values) -> Result<(), StoreError> {
    let before = values_of(db, of, record)?;
    let fields: HashSet<CustomFieldId> = before.iter().chain(values.iter()).map(|(field, _)| field).collect();
    for field in fields.into_iter().filter(|field| before.of(*field) != values.of(*field)) {
        db.execute(
            "DELETE FROM custom_values WHERE customized_type = ?1 AND customized_id = ?2 AND custom_field_id = ?3",
            &[of.stored().into(), record.into(), field.into()],
        )?;
        for value in values.of(field).unwrap_or_default() {
            db.execute(
                "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES (?1, ?2, ?3, ?4)",
                &[of.stored().into(), record.into(), field.into(), value.into()],
            )?;
        }
    }
    Ok(())
}

/// Removes the values of a record.
pub fn remove_of(db: &mut Write<'_>, of: Customized, record: i64) -> Result<(), StoreError> {
    db.execute("DELETE FROM custom_values WHERE customized_type = ?1 AND customized_id = ?2", &[of.stored().into(), record.into()])?;
    Ok(())
}

/// A text in a custom field, with the number of its record.
pub type Text = (i64, (CustomFieldId, String));

/// The texts in the custom fields of these records, for whomever. Values that only name something
/// by its number are no texts.
pub fn texts(db: &Read<'_>, kind: Kind, records: &[i64]) -> Result<Vec<Text>, StoreError> {
    let Some(of) = customized(kind) else { return Ok(Vec::new()) };
    let worded = |field: &CustomField| !matches!(field.format, Format::User | Format::Version | Format::Enumeration | Format::Switch);
    let fields: HashSet<CustomFieldId> = db.catalogue().custom_fields_of(of).filter(|field| worded(field)).map(|field| field.id).collect();
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let mut texts = Vec::new();
    for (record, values) in values(db, of, records)? {
        for (field, values) in values.iter().filter(|(field, _)| fields.contains(field)) {
            texts.extend(values.iter().filter(|value| !value.is_empty()).map(|value| (record, (field, value.clone()))));
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
