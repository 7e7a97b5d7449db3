//! The order of the issue list as SQL, over `issues i`. Empty values come first in ascending order,
//! as in Redmine on SQLite. Records that the viewer may not see do not affect the order.

pub mod time_entries;

use super::filter::{FilterContext, push_issue_values, push_readable};
use super::visibility::{SUBQUERY_ISSUE, TIME_ENTRY_UNINDEXED, push_visible};
use crate::transaction::sql::Sql;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{CustomField, Format};
use quarry_domain::administration::time_zone;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::CustomFieldId;
use quarry_domain::query::columns::{Column, Criterion};
use quarry_domain::query::issues;

/// Adds the `ORDER BY`. Ties, and lists without criteria, are in descending order of ids.
pub fn order(sql: &mut Sql, criteria: &[Criterion], context: FilterContext<'_>) {
    sql.push(" ORDER BY ");
    let mut by_id = false;
    for criterion in criteria {
        by_id |= criterion.column == Column::Id;
        push_column(
            sql,
            criterion.column,
            direction(criterion.descending),
            context,
        );
    }
    // The list must not end with a comma; a constant adds no order.
    sql.push(if by_id { "1" } else { "i.id DESC" });
}

/// Returns the direction of an expression that may be empty: SQLite orders empty values like this by
/// itself, PostgreSQL the other way round.
fn direction(descending: bool) -> &'static str {
    if descending {
        " DESC NULLS LAST, "
    } else {
        " ASC NULLS FIRST, "
    }
}

/// Columns without empty values. Their indexes are in this order, so the place of empty values must
/// not be spelled.
const NEVER_EMPTY: [&str; 9] = [
    "i.id",
    "i.subject",
    "i.created_on",
    "i.updated_on",
    "t.id",
    "t.spent_on",
    "t.created_on",
    "t.updated_on",
    "t.hours",
];

/// Adds an expression with the direction that [`direction`] has returned.
fn push_ordered(sql: &mut Sql, expression: &str, direction: &'static str) {
    sql.push(expression);
    sql.push(if !NEVER_EMPTY.contains(&expression) {
        direction
    } else if direction.starts_with(" DESC") {
        " DESC, "
    } else {
        " ASC, "
    });
}

/// Begins a subquery over the ids `below` of the listed issue and its descendants.
const BELOW: &str = "(WITH RECURSIVE below (id) AS (SELECT i.id UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) ";

/// Adds the expressions that a column sorts by, most significant first, each with the direction. Of
/// other records, only those count that the viewer may see.
fn push_column(sql: &mut Sql, column: Column, direction: &'static str, context: FilterContext<'_>) {
    let FilterContext {
        viewer, catalogue, ..
    } = context;
    let expressions: &[&str] = match column {
        Column::Id => &["i.id"],
        Column::Project => &["(SELECT p.name FROM projects p WHERE p.id = i.project_id)"],
        Column::Tracker => &["(SELECT t.position FROM trackers t WHERE t.id = i.tracker_id)"],
        Column::Parent => return push_tree_order(sql, direction, context),
        Column::Status => &["(SELECT s.position FROM issue_statuses s WHERE s.id = i.status_id)"],
        Column::Priority => &["(SELECT e.position FROM enumerations e WHERE e.id = i.priority_id)"],
        Column::Subject => &["i.subject"],
        Column::Author => {
            return push_user(sql, direction, catalogue, |sql| {
                sql.push("i.author_id");
            });
        }
        Column::Assignee => {
            return push_user(sql, direction, catalogue, |sql| {
                sql.push("i.assigned_to_id");
            });
        }
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
        Column::TotalEstimatedHours => {
            return push_expression(sql, direction, |sql| {
                sql.push(BELOW)
                    .push("SELECT COALESCE(SUM(d.estimated_hours), 0.0) FROM issues d JOIN below b ON b.id = d.id WHERE ");
                push_visible(sql, visibility::issues(viewer), SUBQUERY_ISSUE);
                sql.push(")");
            });
        }
        Column::SpentHours => {
            return push_expression(sql, direction, |sql| {
                sql.push("(SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.issue_id = i.id AND ");
                push_visible(sql, visibility::time_entries(viewer), TIME_ENTRY_UNINDEXED);
                sql.push(")");
            });
        }
        Column::TotalSpentHours => {
            return push_expression(sql, direction, |sql| {
                sql.push(BELOW)
                    .push("SELECT COALESCE(SUM(t.hours), 0.0) FROM below b JOIN time_entries t ON t.issue_id = b.id WHERE ");
                push_visible(sql, visibility::time_entries(viewer), TIME_ENTRY_UNINDEXED);
                sql.push(")");
            });
        }
        Column::DoneRatio => &["i.done_ratio"],
        Column::CreatedOn => &["i.created_on"],
        Column::ClosedOn => &["i.closed_on"],
        Column::Private => &["i.is_private"],
        Column::LastUpdatedBy => {
            return push_user(sql, direction, catalogue, |sql| {
                sql.push("(SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
                push_readable(sql, context);
                sql.push(" ORDER BY j.id DESC LIMIT 1)");
            });
        }
        Column::Custom(field) => return custom_field(sql, field, direction, context),
        Column::CreatedDay => {
            return push_expression(sql, direction, |sql| push_day(sql, "i.created_on", context));
        }
        Column::UpdatedDay => {
            return push_expression(sql, direction, |sql| push_day(sql, "i.updated_on", context));
        }
        Column::ClosedDay => {
            return push_expression(sql, direction, |sql| push_day(sql, "i.closed_on", context));
        }
        // Issues without a rank come last, as on boards.
        Column::Rank => &[
            "COALESCE((SELECT r.rank FROM issue_ranks r WHERE r.issue_id = i.id), 9223372036854775807)",
        ],
        // Lists cannot be sorted by these.
        Column::Files
        | Column::Description
        | Column::LastNotes
        | Column::ParentSubject
        | Column::Relations
        | Column::Watchers
        | Column::OfAssociation(..) => &[],
    };
    for expression in expressions {
        push_ordered(sql, expression, direction);
    }
}

/// Adds an expression with the direction.
pub(super) fn push_expression(sql: &mut Sql, direction: &str, expression: impl FnOnce(&mut Sql)) {
    expression(sql);
    sql.push(direction);
}

/// Adds the day of an instant in the time zone of the viewer.
fn push_day(sql: &mut Sql, instant: &str, context: FilterContext<'_>) {
    let zone = time_zone::for_user(context.catalogue, context.viewer.user);
    sql.push("local_date(")
        .push(instant)
        .push(", ")
        .bind(zone.iana_name().unwrap_or("UTC"))
        .push(")");
}

/// Adds the columns by which users are sorted, each with the direction. `id` adds the expression of
/// the id of the user.
fn push_user(sql: &mut Sql, direction: &str, catalogue: &Catalogue, id: impl Fn(&mut Sql)) {
    for column in catalogue.user_format().sort_columns() {
        sql.push("(SELECT u.")
            .push(column)
            .push(" FROM users u WHERE u.id = ");
        id(sql);
        sql.push(")").push(direction);
    }
}

/// Adds the order of trees, by the ids of their roots; in each tree, subtasks follow their parents, in
/// a descending list, too (compatibility 6.3).
fn push_tree_order(sql: &mut Sql, direction: &str, context: FilterContext<'_>) {
    push_ancestor_path(sql, "substr(path, 1, 10)", context);
    sql.push(direction);
    push_ancestor_path(sql, "path", context);
    sql.push(", ");
}

/// Adds an expression of `path`: the ids of the ancestors and the issue from the root down, with ten
/// digits each.
fn push_ancestor_path(sql: &mut Sql, expression: &str, context: FilterContext<'_>) {
    const PADDED: &str =
        "substr('0000000000' || CAST(d.id AS TEXT), length(CAST(d.id AS TEXT)) + 1)";
    sql.push("(WITH RECURSIVE up (id, parent, height, path) AS (");
    sql.push("SELECT d.id, d.parent_id, 0, ")
        .push(PADDED)
        .push(" FROM issues d WHERE d.id = i.id ");
    sql.push("UNION ALL SELECT d.id, d.parent_id, u.height + 1, ")
        .push(PADDED)
        .push(" || u.path FROM up u JOIN issues d ON d.id = u.parent ");
    // Bounds the recursion in case of a cycle, which no rule allows.
    sql.push("WHERE u.height < 100 AND ");
    push_visible(sql, visibility::issues(context.viewer), SUBQUERY_ISSUE);
    sql.push(") SELECT ")
        .push(expression)
        .push(" FROM up ORDER BY height DESC LIMIT 1)");
}

/// Adds the first value in a custom field that the viewer may see.
fn custom_field(sql: &mut Sql, field: CustomFieldId, direction: &str, context: FilterContext<'_>) {
    if let Some(field) = issues::custom_fields(context.catalogue, context.viewer)
        .find(|custom_field| custom_field.id == field)
    {
        push_first_value(sql, field, direction, context.catalogue, |sql| {
            push_issue_values(sql, field, context.viewer)
        });
    }
}

/// Adds the first value of a custom field with the direction. `values` adds the table `x` of the
/// values, up to where `ORDER BY` can follow.
fn push_first_value(
    sql: &mut Sql,
    field: &CustomField,
    direction: &str,
    catalogue: &Catalogue,
    values: impl Fn(&mut Sql),
) {
    if field.format == Format::User {
        return push_user(sql, direction, catalogue, |sql| {
            push_first(sql, field, &values)
        });
    }
    push_first(sql, field, &values);
    sql.push(direction);
}

fn push_first(sql: &mut Sql, field: &CustomField, values: &impl Fn(&mut Sql)) {
    sql.push("(SELECT ")
        .push(sort_expression(field))
        .push(" FROM ");
    values(sql);
    sql.push(" ORDER BY x.id LIMIT 1)");
}

fn sort_expression(field: &CustomField) -> &'static str {
    match field.format {
        Format::Integer | Format::Float => "as_number(x.value)",
        Format::Enumeration => {
            "(SELECT e.position FROM custom_field_enumerations e WHERE e.id = as_integer(x.value))"
        }
        Format::User => "as_integer(x.value)",
        Format::Version => "(SELECT v.name FROM versions v WHERE v.id = as_integer(x.value))",
        _ => "x.value",
    }
}
