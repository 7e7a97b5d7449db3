//! The order of the list of time entries as SQL, over `time_entries t`.

use super::sorted_as;
use crate::domain::query::time_entries::{self, Column, Criterion};
use crate::domain::visibility;
use crate::store::filter::{Reader, time_entries::custom_field_shown};
use crate::store::sql::Sql;
use crate::store::visibility::{INNER_ISSUE, condition};

/// Adds the `ORDER BY`; ties by number, the smallest first (contract 7).
pub fn order(sql: &mut Sql, criteria: &[Criterion], reader: Reader<'_>) {
    sql.push(" ORDER BY ");
    for criterion in criteria {
        let direction = if criterion.descending { " DESC" } else { " ASC" };
        match plain(criterion.column) {
            [] => {
                judged(sql, criterion.column, reader);
                sql.push(direction).push(", ");
            }
            expressions => {
                for expression in expressions {
                    sql.push(expression).push(direction).push(", ");
                }
            }
        }
    }
    // A second `t.id` says nothing more, but the list must not end with a comma.
    sql.push(if criteria.iter().any(|criterion| criterion.column == Column::Id) { "1" } else { "t.id ASC" });
}

/// The expressions by which a column sorts, most significant first; none where it depends on who asks.
fn plain(column: Column) -> &'static [&'static str] {
    match column {
        Column::Id => &["t.id"],
        Column::SpentOn => &["t.spent_on"],
        Column::Hours => &["t.hours"],
        Column::User => {
            &["(SELECT u.firstname FROM users u WHERE u.id = t.user_id)", "(SELECT u.lastname FROM users u WHERE u.id = t.user_id)"]
        }
        Column::Author => &[
            "(SELECT u.firstname FROM users u WHERE u.id = COALESCE(t.author_id, t.user_id))",
            "(SELECT u.lastname FROM users u WHERE u.id = COALESCE(t.author_id, t.user_id))",
        ],
        Column::Activity => &["(SELECT e.position FROM enumerations e WHERE e.id = t.activity_id)"],
        Column::Project => &["(SELECT p.name FROM projects p WHERE p.id = t.project_id)"],
        Column::CreatedOn => &["t.created_on"],
        Column::UpdatedOn => &["t.updated_on"],
        Column::Issue | Column::Custom(_) => &[],
    }
}

/// The expression of a column that reads other records: only those that the viewer may see.
fn judged(sql: &mut Sql, column: Column, reader: Reader<'_>) {
    if let Column::Custom(id) = column {
        let Some(field) = time_entries::custom_fields(reader.catalogue, reader.viewer).find(|known| known.id == id) else {
            sql.push("NULL");
            return;
        };
        sql.push("(SELECT ").push(sorted_as(field)).push(" FROM ");
        custom_field_shown(sql, field, reader.viewer);
        sql.push(" ORDER BY x.id LIMIT 1)");
        return;
    }
    sql.push("(SELECT d.id FROM issues d WHERE d.id = t.issue_id AND ");
    condition(sql, visibility::issues(reader.viewer), INNER_ISSUE);
    sql.push(")");
}
