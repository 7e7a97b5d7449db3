//! Conditions on the custom fields of issues. A value counts only where the issue has the field and
//! the viewer may see it.

use super::{ColumnType, FilterContext, push_exists_test, push_test};
use crate::transaction::sql::Sql;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::query::filter::Predicate;
use quarry_domain::query::issues;

/// Adds the test of the values in the field.
pub fn push_condition(
    sql: &mut Sql,
    field: CustomFieldId,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    let Some(field) = issues::custom_fields(context.catalogue, context.viewer)
        .find(|custom_field| custom_field.id == field)
    else {
        sql.push("1 = 0");
        return;
    };
    push_values_test(
        sql,
        |sql| push_rows(sql.push("SELECT 1 FROM "), "i.id", field),
        |sql| push_scope(sql, field, context.viewer),
        field.format,
        predicate,
        context.catalogue,
    );
}

/// Adds the test of the values that a record has in a custom field. `rows` adds the query of these
/// values, also empty ones, up to where `AND` can follow; `scope` adds the conditions, each after
/// `AND`, under which the record has the field and the viewer may see it.
///
/// No value (`!*`) and none of the words (`!~`) match only where there is the field (compatibility
/// 6.3).
pub fn push_values_test(
    sql: &mut Sql,
    rows: impl Fn(&mut Sql),
    scope: impl Fn(&mut Sql),
    format: Format,
    predicate: &Predicate,
    catalogue: &Catalogue,
) {
    let (name, column_type) = column(format);
    match predicate {
        Predicate::Available => {
            sql.push("(1 = 1");
            scope(sql);
            sql.push(")");
        }
        Predicate::Empty => {
            sql.push("(1 = 1");
            scope(sql);
            sql.push(" AND NOT EXISTS (");
            rows(sql);
            sql.push(" AND x.value <> ''))");
        }
        Predicate::NotContains(_) => {
            sql.push("EXISTS (");
            rows(sql);
            scope(sql);
            sql.push(" AND ");
            push_test(sql, name, column_type, predicate, catalogue);
            sql.push(")");
        }
        _ => push_exists_test(
            sql,
            |sql| {
                rows(sql);
                sql.push(" AND x.value <> ''");
                scope(sql);
            },
            name,
            column_type,
            predicate,
            catalogue,
        ),
    }
}

/// Returns the expression and type by which values of a format are compared, over `custom_values
/// x`.
pub fn column(format: Format) -> (&'static str, ColumnType) {
    match format {
        Format::Integer | Format::Float => ("as_number(x.value)", ColumnType::Number),
        Format::Date => ("x.value", ColumnType::Date),
        _ => ("x.value", ColumnType::Text),
    }
}

/// Returns the searchable fields that the viewer may see.
pub fn searchable_fields(context: FilterContext<'_>) -> impl Iterator<Item = CustomFieldId> {
    issues::custom_fields(context.catalogue, context.viewer)
        .filter(|field| field.searchable)
        .map(|field| field.id)
}

/// Returns the projects in which the viewer may see the values of the field.
pub fn projects_with_visible(field: &CustomField, viewer: &Viewer) -> Vec<i64> {
    viewer
        .projects()
        .map(|(id, _)| id)
        .filter(|id| field.is_visible_to(viewer, *id))
        .map(|id| id.0)
        .collect()
}

/// Adds `custom_values x WHERE …`: the values of the listed issue in the field that the viewer may
/// see, in a query over `issues i`.
pub fn push_issue_values(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    push_rows(sql, "i.id", field);
    sql.push(" AND x.value <> ''");
    push_scope(sql, field, viewer);
}

/// Adds `custom_values x WHERE …`: the values in the field of the record with the id in the column
/// `record`, in the project in the column `project`, that the viewer may see.
pub fn push_visible_values(
    sql: &mut Sql,
    (record, project): (&str, &str),
    field: &CustomField,
    viewer: &Viewer,
) {
    push_rows(sql, record, field);
    sql.push(" AND x.value <> ''");
    push_visible_projects(sql, project, field, viewer);
}

/// Adds `custom_values x WHERE …`: all values in the field of the record with the id in the column
/// `record`, also empty ones.
pub fn push_rows(sql: &mut Sql, record: &str, field: &CustomField) {
    sql.push("custom_values x WHERE x.customized_type = ")
        .bind(field.customized.value_type())
        .push(" AND x.customized_id = ")
        .push(record)
        .push(" AND x.custom_field_id = ")
        .bind(field.id);
}

/// Adds the conditions that the listed issue has the field and that the viewer may see it there.
fn push_scope(sql: &mut Sql, field: &CustomField, viewer: &Viewer) {
    let trackers: Vec<i64> = field.trackers.iter().map(|id| id.0).collect();
    sql.push(" AND i.tracker_id IN").bind_ids(&trackers);
    if !field.is_for_all {
        let projects: Vec<i64> = field.projects.iter().map(|id| id.0).collect();
        sql.push(" AND i.project_id IN").bind_ids(&projects);
    }
    push_visible_projects(sql, "i.project_id", field, viewer);
}

/// Adds the condition that the viewer may see the field in the project in this column.
pub fn push_visible_projects(sql: &mut Sql, project: &str, field: &CustomField, viewer: &Viewer) {
    if !field.visible && !viewer.admin {
        sql.push(" AND ")
            .push(project)
            .push(" IN")
            .bind_ids(&projects_with_visible(field, viewer));
    }
}
