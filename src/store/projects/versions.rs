//! Versions of projects.

use crate::engine::{Row, StatementError, Value};
use crate::lists::visibility::{ISSUE_UNINDEXED, TIME_ENTRY_UNINDEXED, push_visible};
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Write};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{ProjectId, VersionId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::version::Version;

const COLUMNS: &str = "id, project_id, name, status, sharing, due_date, description, \
                       wiki_page_title, created_on, COALESCE(updated_on, created_on)";

fn from_row(row: &Row<'_>) -> Result<Version, StatementError> {
    Ok(Version {
        id: row.next()?,
        project: row.next()?,
        name: row.next()?,
        status: row.next()?,
        // A version with an unknown sharing is not shared.
        sharing: row.next::<String>()?.parse().unwrap_or_default(),
        due_date: row.next()?,
        description: row.next()?,
        wiki_page_title: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
    })
}

/// Returns all versions by id.
pub fn list(db: &Read<'_>) -> Result<Vec<Version>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM versions ORDER BY id");
    db.rows(&sql, &[], from_row)
}

/// The columns that an update writes.
fn columns(version: &Version) -> ColumnValues {
    ColumnValues::new()
        .set("name", &version.name)
        .set("status", &version.status)
        .set("sharing", version.sharing.name())
        .set("due_date", version.due_date)
        .set("description", version.description.as_deref())
        .set("wiki_page_title", version.wiki_page_title.as_deref())
        .set("updated_on", version.updated_on)
}

/// Inserts a version; with the next free id if its id is 0. Returns the id.
pub fn insert(db: &mut Write<'_>, version: &Version) -> Result<VersionId, StoreError> {
    db.unaudited_catalogue_changed()?;
    let columns = columns(version)
        .set_id(version.id)
        .set("project_id", version.project)
        .set("created_on", version.created_on);
    db.insert_record("versions", columns)
}

/// Updates a version, except its project.
pub fn update(db: &mut Write<'_>, version: &Version) -> Result<(), StoreError> {
    db.update_record("versions", version.id, columns(version))?;
    db.unaudited_catalogue_changed()
}

/// Deletes a version that no issue, file or custom field refers to. It is no longer the default
/// version of any project.
pub fn delete(db: &mut Write<'_>, version: VersionId) -> Result<(), StoreError> {
    db.execute(
        "UPDATE projects SET default_version_id = NULL WHERE default_version_id = ?1",
        &[version.into()],
    )?;
    db.execute("DELETE FROM versions WHERE id = ?1", &[version.into()])?;
    db.unaudited_catalogue_changed()
}

/// Whether an open issue has the version as its target.
pub fn has_open_issues(db: &Read<'_>, version: VersionId) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM issues i JOIN issue_statuses s ON s.id = i.status_id \
               WHERE i.fixed_version_id = ?1 AND s.is_closed = 0)";
    Ok(db.query_i64(sql, &[version.into()])? == 1)
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
    db.unaudited_catalogue_changed()
}

/// Whether issues of other projects have a version of these projects as target version.
pub fn is_used_outside(db: &Read<'_>, projects: &[ProjectId]) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM versions v WHERE v.project_id IN ids(?1) \
               AND EXISTS (SELECT 1 FROM issues i WHERE i.fixed_version_id = v.id AND i.project_id NOT IN ids(?1))";
    let ids = Value::Ids(projects.iter().map(|project| project.0).collect());
    Ok(db.query_i64(sql, &[ids])? > 0)
}

/// Removes the target version of issues, and the default version of projects, where the version is
/// no longer shared with the project.
pub fn detach_unshared(db: &mut Write<'_>, catalogue: &Catalogue) -> Result<(), StoreError> {
    let sql = "SELECT DISTINCT i.project_id, i.fixed_version_id FROM versions v JOIN issues i ON i.fixed_version_id = v.id \
               WHERE v.project_id <> i.project_id";
    let used: Vec<(ProjectId, VersionId)> =
        db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?;
    for (project, version) in used {
        if catalogue
            .versions
            .get(&version)
            .is_none_or(|version| !catalogue.is_shared_with(version, project))
        {
            let sql = "UPDATE issues SET fixed_version_id = NULL WHERE project_id = ?1 AND fixed_version_id = ?2 RETURNING id";
            let issues: Vec<i64> = db.column(sql, &[project.into(), version.into()])?;
            changes::record_all(db, Kind::Issue, issues)?;
        }
    }
    let sql = "SELECT p.id, p.default_version_id FROM versions v JOIN projects p ON p.default_version_id = v.id WHERE v.project_id <> p.id";
    let defaults: Vec<(ProjectId, VersionId)> =
        db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))?;
    for (project, version) in defaults {
        if catalogue
            .versions
            .get(&version)
            .is_none_or(|version| !catalogue.is_shared_with(version, project))
        {
            db.execute(
                "UPDATE projects SET default_version_id = NULL WHERE id = ?1",
                &[project.into()],
            )?;
            db.unaudited_catalogue_changed()?;
        }
    }
    Ok(())
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
