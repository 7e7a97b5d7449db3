//! Conditions on custom fields of records to which a listed record refers: projects, versions,
//! users and groups. Whatever the predicate, only existing records count that the viewer may see,
//! and of these only values that the viewer may see.

use super::custom_fields::{push_rows, push_values_test};
use super::{ColumnType, FilterContext, push_test, split_negation};
use crate::transaction::sql::Sql;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Customized};
use quarry_domain::ids::{CustomFieldId, ProjectId};
use quarry_domain::query::associations::ValueField;
use quarry_domain::query::filter::Predicate;
use quarry_domain::values::id_set::IdSet;

/// Adds the test of a custom field of the record whose id is the expression `record`. With `!` on a
/// field with several values, there need not be a record (compatibility 6.3).
pub fn push_custom_field_test(
    sql: &mut Sql,
    record: &str,
    field: CustomFieldId,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    let Some(field) = context
        .catalogue
        .custom_fields
        .iter()
        .find(|custom_field| custom_field.id == field)
    else {
        sql.push("1 = 0");
        return;
    };
    let records = visible_records(field.customized, context);
    let with_visible_values = records_with_visible_values(&records, field, context);
    sql.push("(");
    if field.multiple && matches!(predicate, Predicate::NotInTexts(_)) {
        sql.push(record).push(" IS NULL OR ");
    }
    sql.push_member(record, &ids(&records)).push(" AND ");
    push_values_test(
        sql,
        |sql| push_rows(sql.push("SELECT 1 FROM "), record, field),
        |sql| {
            if let Some(ids) = &with_visible_values {
                sql.push(" AND ").push_member(record, ids);
            }
        },
        field.format,
        predicate,
        context.catalogue,
    );
    sql.push(")");
}

/// Adds the test of a field of the users or versions that are the values of a custom field.
/// `values` adds these values, as `custom_values x WHERE …`: those that the viewer may see and that
/// are not empty.
///
/// One of the users or versions matches; with `!` none does, and there need not be any.
pub fn push_value_field_test(
    sql: &mut Sql,
    values: impl FnOnce(&mut Sql),
    field: ValueField,
    predicate: &Predicate,
    context: FilterContext<'_>,
) {
    let (negated, predicate) = match predicate {
        Predicate::NotInTexts(_) => split_negation(predicate),
        _ => (false, predicate.clone()),
    };
    sql.push(if negated { "NOT EXISTS (" } else { "EXISTS (" })
        .push("SELECT 1 FROM (SELECT as_integer(x.value) AS id FROM ");
    values(sql);
    sql.push(") r WHERE ");
    match field {
        ValueField::Custom(field) => {
            push_custom_field_test(sql, "r.id", field, &predicate, context)
        }
        ValueField::VersionStatus | ValueField::VersionDueDate => {
            sql.push_member("r.id", &visible_versions(context))
                .push(" AND ");
            let (column, column_type) = match field {
                ValueField::VersionStatus => (
                    "(SELECT v.status FROM versions v WHERE v.id = r.id)",
                    ColumnType::Text,
                ),
                _ => (
                    "(SELECT v.due_date FROM versions v WHERE v.id = r.id)",
                    ColumnType::Date,
                ),
            };
            push_test(sql, column, column_type, &predicate, context.catalogue);
        }
    }
    sql.push(")");
}

/// Returns the versions that the viewer may see, and those that are shared with the project of the
/// list.
pub fn known_versions(context: FilterContext<'_>) -> IdSet {
    let FilterContext {
        viewer,
        catalogue,
        project,
    } = context;
    let shared = catalogue.versions.values().filter(|version| {
        project.is_some_and(|project| catalogue.is_shared_with(version, project))
    });
    visibility::versions(viewer, catalogue)
        .chain(shared)
        .map(|version| version.id.0)
        .collect()
}

/// Returns the versions whose fields count.
fn visible_versions(context: FilterContext<'_>) -> IdSet {
    visibility::versions(context.viewer, context.catalogue)
        .map(|version| version.id.0)
        .collect()
}

/// A record with the project whose roles decide who sees its custom fields.
type Record = (i64, Option<ProjectId>);

/// Returns the records of a type that the viewer may see.
fn visible_records(customized: Customized, context: FilterContext<'_>) -> Vec<Record> {
    let FilterContext {
        viewer, catalogue, ..
    } = context;
    match customized {
        Customized::Project => viewer
            .projects_with(Permission::ViewProject)
            .map(|id| (id.0, Some(id)))
            .collect(),
        Customized::Version => visibility::versions(viewer, catalogue)
            .map(|version| (version.id.0, Some(version.project)))
            .collect(),
        Customized::User | Customized::Group => visibility::principals(viewer, catalogue)
            .as_slice()
            .iter()
            .map(|id| (*id, None))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns those of the records on which the viewer may see the field; `None` for all.
fn records_with_visible_values(
    records: &[Record],
    field: &CustomField,
    context: FilterContext<'_>,
) -> Option<IdSet> {
    if field.visible || context.viewer.admin {
        return None;
    }
    Some(
        records
            .iter()
            .filter(|(_, project)| {
                project.is_some_and(|project| field.is_visible_to(context.viewer, project))
            })
            .map(|(id, _)| *id)
            .collect(),
    )
}

fn ids(records: &[Record]) -> IdSet {
    records.iter().map(|(id, _)| *id).collect()
}
