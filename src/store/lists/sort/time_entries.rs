//! The order of the list of time entries as SQL, over `time_entries t`.

use super::{direction, push_day, push_expression, push_first_value, push_ordered, push_user};
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
        push_column(
            sql,
            criterion.column,
            direction(criterion.descending),
            context,
        );
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

/// Adds the expressions that a column sorts by, most significant first, each with the direction. An
/// issue counts only if the viewer may see it.
fn push_column(sql: &mut Sql, column: Column, direction: &'static str, context: FilterContext<'_>) {
    let catalogue = context.catalogue;
    let expressions: &[&str] = match column {
        Column::Id => &["t.id"],
        // The entries of a day follow each other as they were made.
        Column::SpentOn => &["t.spent_on", "t.created_on"],
        Column::Hours => &["t.hours"],
        Column::User => {
            return push_user(sql, direction, catalogue, |sql| {
                sql.push("t.user_id");
            });
        }
        Column::Author => {
            return push_user(sql, direction, catalogue, |sql| {
                sql.push("COALESCE(t.author_id, t.user_id)");
            });
        }
        Column::Activity => &["(SELECT e.position FROM enumerations e WHERE e.id = t.activity_id)"],
        Column::Project => &["(SELECT p.name FROM projects p WHERE p.id = t.project_id)"],
        Column::Issue => return push_issue_expressions(sql, &["d.id"], direction, context),
        Column::IssueTracker => {
            const POSITION: &str = "(SELECT t.position FROM trackers t WHERE t.id = d.tracker_id)";
            return push_issue_expressions(sql, &[POSITION], direction, context);
        }
        Column::IssueStatus => {
            const POSITION: &str =
                "(SELECT s.position FROM issue_statuses s WHERE s.id = d.status_id)";
            return push_issue_expressions(sql, &[POSITION], direction, context);
        }
        Column::IssueCategory => {
            const NAME: &str = "(SELECT c.name FROM issue_categories c WHERE c.id = d.category_id)";
            return push_issue_expressions(sql, &[NAME], direction, context);
        }
        Column::IssueVersion => {
            const DUE_DATE: &str =
                "(SELECT v.due_date FROM versions v WHERE v.id = d.fixed_version_id)";
            const NAME: &str = "(SELECT v.name FROM versions v WHERE v.id = d.fixed_version_id)";
            // Entries without an issue come where those on issues without a version come.
            sql.push("COALESCE(");
            push_issue_expression(sql, VERSION_HAS_NO_DATE, context);
            sql.push(", 1)").push(direction);
            return push_issue_expressions(sql, &[DUE_DATE, NAME], direction, context);
        }
        Column::Week => &["monday(t.spent_on)"],
        Column::CreatedOn => &["t.created_on"],
        Column::UpdatedOn => &["t.updated_on"],
        Column::CreatedDay => {
            return push_expression(sql, direction, |sql| push_day(sql, "t.created_on", context));
        }
        Column::Custom(id) => {
            let mut fields = time_entries::custom_fields(catalogue, context.viewer);
            if let Some(field) = fields.find(|field| field.id == id) {
                push_first_value(sql, field, direction, catalogue, |sql| {
                    push_custom_values(sql, field, context.viewer)
                });
            }
            return;
        }
    };
    for expression in expressions {
        push_ordered(sql, expression, direction);
    }
}

/// Whether the issue `d` has no version, or one without a date: such versions come last.
const VERSION_HAS_NO_DATE: &str = "CASE WHEN (SELECT v.due_date FROM versions v WHERE v.id = d.fixed_version_id) IS NULL THEN 1 ELSE 0 END";

/// Adds expressions over the issue `d` of the time entry, each with the direction.
fn push_issue_expressions(
    sql: &mut Sql,
    expressions: &[&str],
    direction: &str,
    context: FilterContext<'_>,
) {
    for expression in expressions {
        push_issue_expression(sql, expression, context);
        sql.push(direction);
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
