//! The order of the issue list as SQL, over `issues i`. Empty values come first ascending, as in Redmine on SQLite. What the
//! viewer may not see has no part in the order.

use super::sql::Sql;
use super::visibility::{INNER_ISSUE, ISSUE, JOURNAL, condition};
use crate::domain::query::sort::{Column, Criterion};
use crate::domain::viewer::Viewer;
use crate::domain::visibility;

/// Adds the `ORDER BY`; ties, and a list without criteria, by number, the largest first.
pub fn order(sql: &mut Sql, criteria: &[Criterion], viewer: &Viewer) {
    sql.push(" ORDER BY ");
    let mut by_id = false;
    for criterion in criteria {
        by_id |= criterion.column == Column::Id;
        let direction = if criterion.descending { " DESC, " } else { " ASC, " };
        match plain(criterion.column) {
            [] => {
                judged(sql, criterion.column, viewer);
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
        Column::Version => &[
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
        Column::Parent | Column::TotalEstimatedHours | Column::SpentHours | Column::LastUpdatedBy => &[],
    }
}

/// The expression of a column that reads other records: only those that the viewer may see.
fn judged(sql: &mut Sql, column: Column, viewer: &Viewer) {
    match column {
        Column::Parent => {
            sql.push("(SELECT d.id FROM issues d WHERE d.id = i.parent_id AND ");
            condition(sql, visibility::issues(viewer), INNER_ISSUE);
        }
        Column::TotalEstimatedHours => {
            sql.push("(WITH RECURSIVE below (id) AS (SELECT i.id UNION SELECT c.id FROM below b JOIN issues c ON c.parent_id = b.id) ");
            sql.push("SELECT SUM(d.estimated_hours) FROM issues d JOIN below b ON b.id = d.id WHERE ");
            condition(sql, visibility::issues(viewer), INNER_ISSUE);
        }
        Column::SpentHours => {
            sql.push("(SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.issue_id = i.id AND ");
            condition(sql, visibility::spent_time(viewer), ISSUE);
        }
        _ => {
            sql.push("(SELECT u.firstname || ' ' || u.lastname FROM users u WHERE u.id = (SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
            condition(sql, visibility::notes(viewer), JOURNAL);
            sql.push(" ORDER BY j.id DESC LIMIT 1)");
        }
    }
    sql.push(")");
}
