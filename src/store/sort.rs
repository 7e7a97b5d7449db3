//! The order of the issue list as SQL, over `issues i`. Empty values come first ascending, as in Redmine on SQLite. What the
//! viewer may not see has no part in the order.

pub mod time_entries;

use super::filter::{Reader, custom_field_shown, readable};
use super::sql::Sql;
use super::visibility::{INNER_ISSUE, TIME_ENTRY, condition};
use crate::domain::custom_field::{CustomField, Format};
use crate::domain::ids::CustomFieldId;
use crate::domain::query::issues;
use crate::domain::query::sort::{Column, Criterion};
use crate::domain::visibility;

/// Adds the `ORDER BY`; ties, and a list without criteria, by number, the largest first.
pub fn order(sql: &mut Sql, criteria: &[Criterion], reader: Reader<'_>) {
    sql.push(" ORDER BY ");
    let mut by_id = false;
    for criterion in criteria {
        by_id |= criterion.column == Column::Id;
        let direction = if criterion.descending { " DESC, " } else { " ASC, " };
        match plain(criterion.column) {
            [] => {
                judged(sql, criterion.column, reader);
                sql.push(direction);
            }
            expressions => {
                for expression in expressions {
                    sql.push(expression).push(direction);
                }
            }
        }
    }
    // A second `i.id` says nothing more, but the list must not end with a comma.
    sql.push(if by_id { "1" } else { "i.id DESC" });
}

/// The expressions by which a column sorts, most significant first; none where it depends on who asks.
fn plain(column: Column) -> &'static [&'static str] {
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
        // Versions without a date come behind those that have one, issues without a version with them.
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

/// The expression of a column that reads other records: only those that the viewer may see.
fn judged(sql: &mut Sql, column: Column, reader: Reader<'_>) {
    let viewer = reader.viewer;
    match column {
        Column::Parent => ancestry(sql, reader),
        Column::TotalEstimatedHours => {
            sql.push("(WITH RECURSIVE below (id) AS (SELECT i.id UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) ");
            sql.push("SELECT SUM(d.estimated_hours) FROM issues d JOIN below b ON b.id = d.id WHERE ");
            condition(sql, visibility::issues(viewer), INNER_ISSUE);
            sql.push(")");
        }
        Column::SpentHours => {
            sql.push("(SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.issue_id = i.id AND ");
            condition(sql, visibility::time_entries(viewer), TIME_ENTRY);
            sql.push(")");
        }
        Column::Custom(field) => custom_field(sql, field, reader),
        _ => {
            sql.push("(SELECT u.firstname || ' ' || u.lastname FROM users u WHERE u.id = (SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
            readable(sql, reader);
            sql.push(" ORDER BY j.created_on DESC, j.id DESC LIMIT 1))");
        }
    }
}

/// The numbers of an issue and of those above it, the topmost first, as text that sorts as they do: a tree stays together.
fn ancestry(sql: &mut Sql, reader: Reader<'_>) {
    const PADDED: &str = "substr('0000000000' || CAST(d.id AS TEXT), length(CAST(d.id AS TEXT)) + 1)";
    sql.push("(WITH RECURSIVE up (id, parent, height, path) AS (");
    sql.push("SELECT d.id, d.parent_id, 0, ").push(PADDED).push(" FROM issues d WHERE d.id = i.id ");
    sql.push("UNION ALL SELECT d.id, d.parent_id, u.height + 1, ")
        .push(PADDED)
        .push(" || u.path FROM up u JOIN issues d ON d.id = u.parent ");
    // A circle, which no rule permits, ends somewhere.
    sql.push("WHERE u.height < 100 AND ");
    condition(sql, visibility::issues(reader.viewer), INNER_ISSUE);
    sql.push(") SELECT path FROM up ORDER BY height DESC LIMIT 1)");
}

/// The value in a custom field, the first where there are several, as far as the viewer may see it.
fn custom_field(sql: &mut Sql, field: CustomFieldId, reader: Reader<'_>) {
    let Some(field) = issues::custom_fields(reader.catalogue, reader.viewer).find(|known| known.id == field) else {
        sql.push("NULL");
        return;
    };
    sql.push("(SELECT ").push(sorted_as(field)).push(" FROM ");
    custom_field_shown(sql, field, reader.viewer);
    sql.push(" ORDER BY x.id LIMIT 1)");
}

fn sorted_as(field: &CustomField) -> &'static str {
    match field.format {
        Format::Whole | Format::Number => "CAST(x.value AS DOUBLE PRECISION)",
        Format::Enumeration => "(SELECT e.position FROM custom_field_enumerations e WHERE e.id = CAST(x.value AS BIGINT))",
        Format::User => "(SELECT u.firstname || ' ' || u.lastname FROM users u WHERE u.id = CAST(x.value AS BIGINT))",
        Format::Version => "(SELECT v.name FROM versions v WHERE v.id = CAST(x.value AS BIGINT))",
        _ => "x.value",
    }
}
