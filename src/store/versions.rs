//! Versions of projects. The catalogue has all of them; [`details`] loads the rest.

use super::engine::Value;
use super::sql::Sql;
use super::visibility::{ISSUE_UNINDEXED, TIME_ENTRY_UNINDEXED, push_visible};
use super::{Read, StoreError, Write};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::version::{Sharing, Version, VersionDetails};
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::HashMap;

/// Returns all versions by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Version>, StoreError> {
    db.rows(
        "SELECT id, project_id, name, status, sharing, due_date FROM versions ORDER BY id",
        &[],
        |row| {
            let sharing = Sharing::parse(&row.get::<String>(4)?).unwrap_or(Sharing::None);
            let id = row.get(0)?;
            let project = row.get(1)?;
            let name = row.get(2)?;
            Ok(Version {
                id,
                project,
                name,
                status: row.get(3)?,
                sharing,
                due_date: row.get(5)?,
            })
        },
    )
}

/// Inserts a version.
pub fn insert(
    db: &mut Write<'_>,
    project: ProjectId,
    name: &str,
    status: &str,
    due_date: Option<Date>,
    created_on: Timestamp,
) -> Result<VersionId, StoreError> {
    db.catalogue_changed()?;
    db.insert(
        "INSERT INTO versions (project_id, name, status, due_date, created_on) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &[project.into(), name.into(), status.into(), due_date.into(), created_on.into()],
    )
}

/// Inserts a version with all its attributes; the id of `version` does not matter.
pub fn insert_with_details(
    db: &mut Write<'_>,
    version: &Version,
    details: &VersionDetails,
) -> Result<VersionId, StoreError> {
    let id = insert(
        db,
        version.project,
        &version.name,
        &version.status,
        version.due_date,
        details.created_on,
    )?;
    update(
        db,
        &Version {
            id,
            ..version.clone()
        },
        details,
    )?;
    Ok(id)
}

/// Updates a version, except its project.
pub fn update(
    db: &mut Write<'_>,
    version: &Version,
    details: &VersionDetails,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE versions SET name = ?2, status = ?3, due_date = ?4, sharing = ?5, description = ?6, wiki_page_title = ?7, updated_on = ?8 \
         WHERE id = ?1",
        &[
            version.id.into(),
            version.name.as_str().into(),
            version.status.as_str().into(),
            version.due_date.into(),
            version.sharing.name().into(),
            details.description.as_deref().into(),
            details.wiki_page_title.as_deref().into(),
            details.updated_on.into(),
        ],
    )?;
    db.catalogue_changed()
}

/// Deletes a version that no issue, file or custom field refers to. It is no longer the default
/// version of any project.
pub fn delete(db: &mut Write<'_>, version: VersionId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE projects SET default_version_id = NULL WHERE default_version_id = ?1",
        &[version.into()],
    )?;
    db.execute("DELETE FROM versions WHERE id = ?1", &[version.into()])?;
    db.catalogue_changed()
}

/// Returns the details of these versions, by version.
pub fn details(
    db: &Read<'_>,
    versions: &[VersionId],
) -> Result<HashMap<VersionId, VersionDetails>, StoreError> {
    let sql = "SELECT id, description, wiki_page_title, created_on, COALESCE(updated_on, created_on) FROM versions WHERE id IN ids(?1)";
    let ids = Value::Ids(versions.iter().map(|version| version.0).collect());
    let rows = db.rows(sql, &[ids], |row| {
        let description = row.get(1)?;
        let wiki_page_title = row.get(2)?;
        Ok((
            row.get(0)?,
            VersionDetails {
                description,
                wiki_page_title,
                created_on: row.get(3)?,
                updated_on: row.get(4)?,
            },
        ))
    })?;
    Ok(rows.into_iter().collect())
}

/// Whether an issue has the version as target version, visible or not.
pub fn is_target(db: &Read<'_>, version: VersionId) -> Result<bool, StoreError> {
    Ok(db.query_i64(
        "SELECT EXISTS (SELECT 1 FROM issues WHERE fixed_version_id = ?1)",
        &[version.into()],
    )? > 0)
}

/// Whether a record has the version as value of a custom field.
pub fn is_custom_value(db: &Read<'_>, version: VersionId) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM custom_values v JOIN custom_fields f ON f.id = v.custom_field_id \
               WHERE f.field_format = 'version' AND v.value = ?1)";
    Ok(db.query_i64(sql, &[version.0.to_string().into()])? > 0)
}

/// Makes a version the default of a project, or none.
pub fn set_default(
    db: &mut Write<'_>,
    project: ProjectId,
    version: Option<VersionId>,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE projects SET default_version_id = ?2 WHERE id = ?1",
        &[project.into(), version.into()],
    )?;
    db.catalogue_changed()
}

/// Returns the sum of the estimated hours of the issues of a version that the viewer may see.
pub fn estimated_hours(
    db: &Read<'_>,
    viewer: &Viewer,
    version: VersionId,
) -> Result<f64, StoreError> {
    let mut sql = Sql::new(
        "SELECT COALESCE(SUM(i.estimated_hours), 0.0) FROM issues i WHERE i.fixed_version_id = ",
    );
    sql.bind(version).push(" AND ");
    push_visible(&mut sql, visibility::issues(viewer), ISSUE_UNINDEXED);
    Ok(db
        .first(sql.text(), sql.values(), |row| row.next())?
        .unwrap_or_default())
}

/// Returns the sum of the hours on the issues of a version that the viewer may see, including hours
/// on hidden issues.
pub fn spent_hours(db: &Read<'_>, viewer: &Viewer, version: VersionId) -> Result<f64, StoreError> {
    let mut sql = Sql::new(
        "SELECT COALESCE(SUM(t.hours), 0.0) FROM issues i JOIN time_entries t ON t.issue_id = i.id WHERE i.fixed_version_id = ",
    );
    sql.bind(version).push(" AND ");
    push_visible(
        &mut sql,
        visibility::time_entries(viewer),
        TIME_ENTRY_UNINDEXED,
    );
    Ok(db
        .first(sql.text(), sql.values(), |row| row.next())?
        .unwrap_or_default())
}
