//! The order of the list of time entries as SQL, over `time_entries t`.

use super::{direction, push_day, push_first_value, push_ordered, push_user};
use crate::lists::filter::FilterContext;
use crate::lists::filter::time_entries::push_custom_values;
use crate::lists::visibility::{SUBQUERY_ISSUE, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::visibility;
use quarry_domain::query::time_entries;
use quarry_domain::query::time_entries::{Column, Criterion};

/// Adds the `ORDER BY`. Ties are in ascending order of ids (compatibility 9).
pub fn order(sql: &mut Sql, criteria: &[Criterion], context: FilterContext<'_>) {
    sql.push(" ORDER BY ");
    for criterion in criteria {
        let direction = direction(criterion.descending);
        match expressions(criterion.column) {
            [] => push_restricted(sql, criterion.column, direction, context),
            expressions => {
                for expression in expressions {
                    push_ordered(sql, expression, direction);
                }
            }
        }
    }
    // The list must not end with a comma; a constant adds no order.
    sql.push(
        if criteria
            .iter()
            .any(|criterion| criterion.column == Column::Id)
        {
            "1"
        } else {
            "t.id ASC"
        },
    );
}

/// Returns the expressions that a column sorts by, most significant first; empty for columns that
/// depend on the viewer.
fn expressions(column: Column) -> &'static [&'static str] {
    match column {
        Column::Id => &["t.id"],
        // The entries of a day follow each other as they were made.
        Column::SpentOn => &["t.spent_on", "t.created_on"],
        Column::Hours => &["t.hours"],
        Column::Activity => &["(SELECT e.position FROM enumerations e WHERE e.id = t.activity_id)"],
        Column::Project => &["(SELECT p.name FROM projects p WHERE p.id = t.project_id)"],
        Column::CreatedOn => &["t.created_on"],
        Column::UpdatedOn => &["t.updated_on"],
        Column::Week => &["monday(t.spent_on)"],
        Column::User
        | Column::Author
        | Column::Issue
        | Column::IssueTracker
        | Column::IssueStatus
        | Column::IssueCategory
        | Column::IssueVersion
        | Column::CreatedDay
        | Column::Custom(_) => &[],
    }
}

/// Adds the expressions of a column that depends on a setting, or reads other records: only those
/// that the viewer may see.
fn push_restricted(
    sql: &mut Sql,
    column: Column,
    direction: &'static str,
    context: FilterContext<'_>,
) {
    match column {
        Column::User => push_user(sql, direction, context.catalogue, |sql| {
            sql.push("t.user_id");
        }),
        Column::Author => push_user(sql, direction, context.catalogue, |sql| {
            sql.push("COALESCE(t.author_id, t.user_id)");
        }),
        Column::CreatedDay => {
            push_day(sql, "t.created_on", context);
            sql.push(direction);
        }
        Column::Custom(id) => {
            if let Some(field) = time_entries::custom_fields(context.catalogue, context.viewer)
                .find(|custom_field| custom_field.id == id)
            {
                push_first_value(sql, field, direction, context.catalogue, |sql| {
                    push_custom_values(sql, field, context.viewer)
                });
            }
        }
        column => {
            if column == Column::IssueVersion {
                // Entries without an issue come where those on issues without a version come.
                sql.push("COALESCE(");
                push_issue_expression(sql, VERSION_HAS_NO_DATE, context);
                sql.push(", 1)").push(direction);
            }
            for expression in issue_expressions(column) {
                push_issue_expression(sql, expression, context);
                sql.push(direction);
            }
        }
    }
}

/// Adds an expression over the issue `d` of the time entry, if the viewer may see the issue.
fn push_issue_expression(sql: &mut Sql, expression: &str, context: FilterContext<'_>) {
    sql.push("(SELECT ")
        .push(expression)
        .push(" FROM issues d WHERE d.id = t.issue_id AND ");
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
    sql.push(")");
}

/// Whether the issue `d` has no version, or one without a date: such versions come last.
const VERSION_HAS_NO_DATE: &str = "CASE WHEN (SELECT v.due_date FROM versions v WHERE v.id = d.fixed_version_id) IS NULL THEN 1 ELSE 0 END";

/// Returns the expressions over the issue `d` of a time entry, which are in the order of the issue
/// list.
fn issue_expressions(column: Column) -> &'static [&'static str] {
    match column {
        Column::IssueTracker => &["(SELECT t.position FROM trackers t WHERE t.id = d.tracker_id)"],
        Column::IssueStatus => {
            &["(SELECT s.position FROM issue_statuses s WHERE s.id = d.status_id)"]
        }
        Column::IssueCategory => {
            &["(SELECT c.name FROM issue_categories c WHERE c.id = d.category_id)"]
        }
        Column::IssueVersion => &[
            "(SELECT v.due_date FROM versions v WHERE v.id = d.fixed_version_id)",
            "(SELECT v.name FROM versions v WHERE v.id = d.fixed_version_id)",
        ],
        _ => &["d.id"],
    }
}
