//! The order of the issue list as SQL, over `issues i`. Empty values come first in ascending order, as in Redmine on SQLite. Records that
//! the viewer may not see do not affect the order.

pub mod time_entries;

use super::filter::{FilterContext, push_custom_values, push_readable};
use super::sql::Sql;
use super::visibility::{SUBQUERY_ISSUE, TIME_ENTRY_UNINDEXED, push_visible};
use crate::domain::custom_field::{CustomField, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::query::issues;
use crate::domain::query::sort::{Column, Criterion};
use crate::domain::visibility;

/// Adds the `ORDER BY`. Ties, and lists without criteria, are in descending order of ids.
pub fn order(sql: &mut Sql, criteria: &[Criterion], context: FilterContext<'_>) {
    sql.push(" ORDER BY ");
    let mut by_id = false;
    for criterion in criteria {
        by_id |= criterion.column == Column::Id;
        let direction = if criterion.descending { " DESC, " } else { " ASC, " };
        match expressions(criterion.column) {
            [] => {
                push_restricted(sql, criterion.column, context);
                sql.push(direction);
            }
            expressions => {
                for expression in expressions {
                    sql.push(expression).push(direction);
                }
            }
        }
    }
    // The list must not end with a comma; a constant adds no order.
    sql.push(if by_id { "1" } else { "i.id DESC" });
}

/// Returns the expressions that a column sorts by, most significant first; empty for columns that depend on the viewer.
fn expressions(column: Column) -> &'static [&'static str] {
    match column {
        Column::Id => &["i.id"],
        Column::Project => &["(SELECT p.name FROM projects p WHERE p.id = i.project_id)"],
        Column::Tracker => &["(SELECT t.position FROM trackers t WHERE t.id = i.tracker_id)"],
        Column::Status => &["(SELECT s.position FROM issue_statuses s WHERE s.id = i.status_id)"],
        Column::Priority => &["(SELECT e.position FROM enumerations e WHERE e.id = i.priority_id)"],
        Column::Subject => &["i.subject"],
        Column::Author => {
            &["(SELECT u.firstname FROM users u WHERE u.id = i.author_id)", "(SELECT u.lastname FROM users u WHERE u.id = i.author_id)"]
        }
        Column::Assignee => &[
            "(SELECT u.firstname FROM users u WHERE u.id = i.assigned_to_id)",
            "(SELECT u.lastname FROM users u WHERE u.id = i.assigned_to_id)",
        ],
        Column::UpdatedOn => &["i.updated_on"],
        Column::Category => &["(SELECT c.name FROM issue_categories c WHERE c.id = i.category_id)"],
        // Versions without a date, and issues without a version, come after versions with a date.
        Column::Version => &[
            "CASE WHEN (SELECT v.due_date FROM versions v WHERE v.id = i.fixed_version_id) IS NULL THEN 1 ELSE 0 END",
            "(SELECT v.due_date FROM versions v WHERE v.id = i.fixed_version_id)",
            "(SELECT v.name FROM versions v WHERE v.id = i.fixed_version_id)",
        ],
        Column::StartDate => &["i.start_date"],
        Column::DueDate => &["i.due_date"],
        Column::EstimatedHours => &["i.estimated_hours"],
        Column::DoneRatio => &["i.done_ratio"],
        Column::CreatedOn => &["i.created_on"],
        Column::ClosedOn => &["i.closed_on"],
        Column::Private => &["i.is_private"],
        Column::Parent | Column::TotalEstimatedHours | Column::SpentHours | Column::LastUpdatedBy | Column::Custom(_) => &[],
    }
}

/// Adds the expression of a column that reads other records: only those that the viewer may see.
fn push_restricted(sql: &mut Sql, column: Column, context: FilterContext<'_>) {
    let viewer = context.viewer;
    match column {
        Column::Parent => push_ancestor_path(sql, context),
        Column::TotalEstimatedHours => {
            sql.push("(WITH RECURSIVE below (id) AS (SELECT i.id UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) ");
            sql.push("SELECT SUM(d.estimated_hours) FROM issues d JOIN below b ON b.id = d.id WHERE ");
            push_visible(sql, visibility::issues(viewer), SUBQUERY_ISSUE);
            sql.push(")");
        }
        Column::SpentHours => {
            sql.push("(SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.issue_id = i.id AND ");
            push_visible(sql, visibility::time_entries(viewer), TIME_ENTRY_UNINDEXED);
            sql.push(")");
        }
        Column::Custom(field) => custom_field(sql, field, context),
        _ => {
            sql.push("(SELECT u.firstname || ' ' || u.lastname FROM users u WHERE u.id = (SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
            push_readable(sql, context);
            sql.push(" ORDER BY j.created_on DESC, j.id DESC LIMIT 1))");
        }
    }
}

/// Adds the ids of the ancestors and the issue from the root down, as text that sorts like them: subtasks follow their parents.
fn push_ancestor_path(sql: &mut Sql, context: FilterContext<'_>) {
    const PADDED: &str = "substr('0000000000' || CAST(d.id AS TEXT), length(CAST(d.id AS TEXT)) + 1)";
    sql.push("(WITH RECURSIVE up (id, parent, height, path) AS (");
    sql.push("SELECT d.id, d.parent_id, 0, ").push(PADDED).push(" FROM issues d WHERE d.id = i.id ");
    sql.push("UNION ALL SELECT d.id, d.parent_id, u.height + 1, ")
        .push(PADDED)
        .push(" || u.path FROM up u JOIN issues d ON d.id = u.parent ");
    // Bounds the recursion in case of a cycle, which no rule allows.
    sql.push("WHERE u.height < 100 AND ");
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
    sql.push(") SELECT path FROM up ORDER BY height DESC LIMIT 1)");
}

/// Adds the first value in a custom field that the viewer may see.
fn custom_field(sql: &mut Sql, field: CustomFieldId, context: FilterContext<'_>) {
    let Some(field) = issues::custom_fields(context.catalogue, context.viewer).find(|custom_field| custom_field.id == field) else {
        sql.push("NULL");
        return;
    };
    sql.push("(SELECT ").push(sort_expression(field)).push(" FROM ");
    push_custom_values(sql, field, context.viewer);
    sql.push(" ORDER BY x.id LIMIT 1)");
}

fn sort_expression(field: &CustomField) -> &'static str {
    match field.format {
        Format::Integer | Format::Float => "CAST(x.value AS DOUBLE PRECISION)",
        Format::Enumeration => "(SELECT e.position FROM custom_field_enumerations e WHERE e.id = CAST(x.value AS BIGINT))",
        Format::User => "(SELECT u.firstname || ' ' || u.lastname FROM users u WHERE u.id = CAST(x.value AS BIGINT))",
        Format::Version => "(SELECT v.name FROM versions v WHERE v.id = CAST(x.value AS BIGINT))",
        _ => "x.value",
    }
}
