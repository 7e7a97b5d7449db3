//! Projects that fit, and what hangs together across them.

use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Format};
use crate::domain::ids::{ProjectId, VersionId};
use crate::domain::query::filter::Test;
use crate::domain::query::projects::{Condition, Field};
use crate::domain::viewer::Viewer;
use crate::store::filter::{self, Kept};
use crate::store::sql::Sql;
use crate::store::{Read, StoreError, Value, Write};
use std::collections::HashSet;

/// The projects for which all conditions hold, for whomever: who shows them asks who may see them. A value that the viewer may not
/// see counts as none.
pub fn fitting(db: &Read<'_>, viewer: &Viewer, conditions: &[Condition]) -> Result<HashSet<ProjectId>, StoreError> {
    let mut sql = Sql::new("SELECT p.id FROM projects p WHERE 1 = 1");
    for asked in conditions {
        sql.push(" AND ");
        match asked.field {
            Field::Custom(id) => match db.catalogue().custom_fields_of(Customized::Project).find(|field| field.id == id) {
                Some(field) => custom(&mut sql, field, &asked.test, viewer, db.catalogue()),
                None => drop(sql.push("1 = 0")),
            },
            field => {
                let (name, kept) = column(field);
                filter::test(&mut sql, name, kept, &asked.test, db.catalogue());
            }
        }
    }
    Ok(db.column(sql.text(), sql.values())?.into_iter().collect())
}

fn column(field: Field) -> (&'static str, Kept) {
    match field {
        Field::Id | Field::Custom(_) => ("p.id", Kept::Number),
        Field::Status => ("p.status", Kept::Number),
        Field::Name => ("p.name", Kept::Text),
        Field::Description => ("p.description", Kept::Text),
        Field::Parent => ("p.parent_id", Kept::Number),
        Field::Public => ("p.is_public", Kept::Number),
        Field::CreatedOn => ("p.created_on", Kept::Instant),
    }
}

/// Whether the values in the field are as they are asked for, as far as the viewer may see them.
fn custom(sql: &mut Sql, field: &CustomField, asked: &Test, viewer: &Viewer, catalogue: &Catalogue) {
    let rows = |sql: &mut Sql| {
        sql.push("SELECT 1 FROM custom_values x WHERE x.customized_type = ").bind(Customized::Project.stored());
        sql.push(" AND x.customized_id = p.id AND x.custom_field_id = ").bind(field.id).push(" AND x.value <> ''");
        if !field.visible && !viewer.admin {
            let seen = viewer.projects().map(|(id, _)| id).filter(|id| field.is_visible_to(viewer, *id));
            sql.push(" AND p.id IN").bind_ids(&seen.map(|id| id.0).collect::<Vec<i64>>());
        }
    };
    let (name, kept) = match field.format {
        Format::Whole | Format::Number => ("CAST(x.value AS DOUBLE PRECISION)", Kept::Number),
        Format::Date => ("x.value", Kept::Date),
        _ => ("x.value", Kept::Text),
    };
    filter::test_many(sql, rows, name, kept, asked, catalogue);
}

/// Whether issues of other projects are planned for a version of these.
pub fn is_version_used_outside(db: &Read<'_>, projects: &[ProjectId]) -> Result<bool, StoreError> {
    let sql = "SELECT COUNT(*) FROM versions v WHERE v.project_id IN ids(?1) \
               AND EXISTS (SELECT 1 FROM issues i WHERE i.fixed_version_id = v.id AND i.project_id NOT IN ids(?1))";
    Ok(db.number(sql, &[ids(projects)])? > 0)
}

/// Takes issues from the versions of other projects that are not shared with theirs any more.
pub fn detach_versions(db: &mut Write<'_>, catalogue: &Catalogue) -> Result<(), StoreError> {
    let sql = "SELECT DISTINCT i.project_id, i.fixed_version_id FROM versions v JOIN issues i ON i.fixed_version_id = v.id \
               WHERE v.project_id <> i.project_id";
    let planned: Vec<(ProjectId, VersionId)> = db.rows(sql, &[], |row| Ok((row.read(0)?, row.read(1)?)))?;
    for (project, version) in planned {
        if catalogue.versions.get(&version).is_none_or(|found| !found.is_shared_with(project, catalogue)) {
            db.execute(
                "UPDATE issues SET fixed_version_id = NULL WHERE project_id = ?1 AND fixed_version_id = ?2",
                &[project.into(), version.into()],
            )?;
        }
    }
    Ok(())
}

/// The numbers as a list for a statement.
pub(super) fn ids(projects: &[ProjectId]) -> Value {
    Value::Ids(projects.iter().map(|project| project.0).collect())
}
