//! Projects that match conditions.

use crate::lists::filter;
use crate::lists::filter::{ColumnType, FilterContext};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError, Value};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::{CustomField, Customized};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::{CustomFieldId, ProjectId};
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::projects::{Condition, Field};
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
                    |sql| filter::push_visible_values(sql, ("p.id", "p.id"), through, viewer),
                    field,
                    &condition.predicate,
                    FilterContext {
                        viewer,
                        catalogue: db.catalogue(),
                        project: None,
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
        // Lists test the parent by what the viewer sees; see `parent_matches` in the domain.
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
        |sql| filter::push_custom_rows(sql.push("SELECT 1 FROM "), "p.id", field),
        |sql| filter::push_visible_projects(sql, "p.id", field, viewer),
        field.format,
        predicate,
        catalogue,
    );
}

/// Returns the ids as a list for a statement.
pub(super) fn ids(projects: &[ProjectId]) -> Value {
    Value::Ids(projects.iter().map(|project| project.0).collect())
}
