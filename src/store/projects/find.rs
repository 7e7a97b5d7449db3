//! Projects that match conditions, and versions shared between projects.

use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized};
use crate::domain::ids::{CustomFieldId, ProjectId, VersionId};
use crate::domain::kind::Kind;
use crate::domain::query::filter::Predicate;
use crate::domain::query::projects::{Condition, Field};
use crate::domain::viewer::Viewer;
use crate::store::filter::{self, ColumnType, FilterContext};
use crate::store::sql::Sql;
use crate::store::{Read, StoreError, Value, Write, changes};
use std::collections::HashSet;

/// Returns the projects that match all conditions, visible or not: callers check visibility. Values
/// of custom fields that the viewer may not see count as empty.
pub fn matching(
    db: &Read<'_>,
    viewer: &Viewer,
    conditions: &[Condition],
) -> Result<HashSet<ProjectId>, StoreError> {
    let mut sql = Sql::new("SELECT p.id FROM projects p WHERE 1 = 1");
    for condition in conditions {
        sql.push(" AND ");
        match condition.field {
            Field::Custom(id) => match find_custom_field(db.catalogue(), id) {
                Some(field) => push_custom_field_test(
                    &mut sql,
                    field,
                    &condition.predicate,
                    viewer,
                    db.catalogue(),
                ),
                None => {
                    sql.push("1 = 0");
                }
            },
            Field::OfValue(id, field) => match find_custom_field(db.catalogue(), id) {
                Some(through) => filter::push_value_field_test(
                    &mut sql,
                    |sql| push_values(sql, through, viewer),
                    field,
                    &condition.predicate,
                    FilterContext {
                        viewer,
                        catalogue: db.catalogue(),
                    },
                ),
                None => {
                    sql.push("1 = 0");
                }
            },
            field => {
                let (name, column_type) = column(field);
                filter::push_test(
                    &mut sql,
                    name,
                    column_type,
                    &condition.predicate,
                    db.catalogue(),
                );
            }
        }
    }
    Ok(db.column(sql.text(), sql.values())?.into_iter().collect())
}

fn find_custom_field(catalogue: &Catalogue, id: CustomFieldId) -> Option<&CustomField> {
    catalogue
        .custom_fields_of(Customized::Project)
        .find(|field| field.id == id)
}

fn column(field: Field) -> (&'static str, ColumnType) {
    match field {
        Field::Id | Field::Custom(_) | Field::OfValue(..) => ("p.id", ColumnType::Number),
        Field::Status => ("p.status", ColumnType::Number),
        Field::Name => ("p.name", ColumnType::Text),
        Field::Description => ("p.description", ColumnType::Text),
        Field::Parent => ("p.parent_id", ColumnType::Number),
        Field::Public => ("p.is_public", ColumnType::Number),
        Field::CreatedOn => ("p.created_on", ColumnType::Instant),
        Field::UpdatedOn => ("p.updated_on", ColumnType::Instant),
    }
}

/// Adds the test of the values in the field that the viewer may see.
fn push_custom_field_test(
    sql: &mut Sql,
    field: &CustomField,
    predicate: &Predicate,
    viewer: &Viewer,
    catalogue: &Catalogue,
) {
    filter::push_values_test(
        sql,
        |sql| push_rows(sql.push("SELECT 1 FROM "), field),
        |sql| filter::push_visible_projects(sql, "p.id", field, viewer),
        field.format,
        predicate,
        catalogue,
    );
}

/// Adds `custom_values x WHERE …`: the values of the project in the field that the viewer may see,
/// in a query over `projects p`.
fn push_values(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    push_rows(sql, field);
    sql.push(" AND x.value <> ''");
    filter::push_visible_projects(sql, "p.id", field, viewer);
}

/// Adds `custom_values x WHERE …`: all values of the project in the field, also empty ones.
fn push_rows(sql: &mut Sql, field: &CustomField) {
    sql.push("custom_values x WHERE x.customized_type = ")
        .bind(Customized::Project.value_type())
        .push(" AND x.customized_id = p.id");
    sql.push(" AND x.custom_field_id = ").bind(field.id);
}

/// Whether issues of other projects have a version of these projects as target version.
pub fn is_version_used_outside(db: &Read<'_>, projects: &[ProjectId]) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM versions v WHERE v.project_id IN ids(?1) \
               AND EXISTS (SELECT 1 FROM issues i WHERE i.fixed_version_id = v.id AND i.project_id NOT IN ids(?1))";
    Ok(db.query_i64(sql, &[ids(projects)])? > 0)
}

/// Removes the target version of issues, and the default version of projects, where the version is
/// no longer shared with the project.
pub fn detach_versions(db: &mut Write<'_>, catalogue: &Catalogue) -> Result<(), StoreError> {
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
            db.catalogue_changed()?;
        }
    }
    Ok(())
}

/// Returns the ids as a list for a statement.
pub(super) fn ids(projects: &[ProjectId]) -> Value {
    Value::Ids(projects.iter().map(|project| project.0).collect())
}
