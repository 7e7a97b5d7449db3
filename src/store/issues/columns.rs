//! Columns of lists of issues that are computed: sums, and the users who last updated issues.

use super::query::{IssueQuery, push_conditions};
use crate::lists::filter;
use crate::lists::filter::FilterContext;
use crate::lists::visibility;
use crate::lists::visibility::{TIME_ENTRY_UNINDEXED, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility as visibility_rules;
use quarry_domain::administration::custom_field::Format;
use quarry_domain::ids::UserId;
use quarry_domain::query::columns::Column;
use quarry_domain::query::issues;
use std::collections::HashMap;

/// Returns the sum of a column over all matching issues; 0 for columns that cannot be summed. Hours
/// and values that the viewer may not see do not count.
pub fn sum(db: &Read<'_>, query: &IssueQuery<'_>, column: Column) -> Result<f64, StoreError> {
    let context = query.filter_context(db);
    let mut sql = Sql::new("SELECT ");
    match column {
        Column::EstimatedHours => {
            sql.push("SUM(i.estimated_hours)");
        }
        Column::SpentHours => {
            sql.push("SUM((SELECT SUM(t.hours) FROM time_entries t WHERE t.issue_id = i.id AND ");
            push_visible(
                &mut sql,
                visibility_rules::time_entries(query.viewer),
                TIME_ENTRY_UNINDEXED,
            );
            sql.push("))");
        }
        Column::Custom(id) => {
            let field = issues::custom_fields(context.catalogue, context.viewer)
                .find(|field| field.id == id);
            let Some(field) =
                field.filter(|field| matches!(field.format, Format::Integer | Format::Float))
            else {
                return Ok(0.0);
            };
            sql.push("SUM((SELECT SUM(as_number(x.value)) FROM ");
            filter::push_issue_values(&mut sql, field, query.viewer);
            sql.push("))");
        }
        _ => return Ok(0.0),
    }
    sql.push(" FROM issues i WHERE ");
    push_conditions(db, &mut sql, query, visibility::ISSUE_INDEXED);
    let sum: Option<Option<f64>> = db.first(sql.text(), sql.values(), |row| row.next())?;
    Ok(sum.flatten().unwrap_or(0.0))
}

/// Returns the author of the last journal of each issue with a note or change that the viewer may
/// see. Issues without one are omitted.
pub fn last_updaters(
    db: &Read<'_>,
    viewer: &Viewer,
    issues: &[i64],
) -> Result<HashMap<i64, UserId>, StoreError> {
    let mut sql =
        Sql::new("SELECT i.id, (SELECT j.user_id FROM journals j WHERE j.issue_id = i.id AND ");
    filter::push_readable(
        &mut sql,
        FilterContext {
            viewer,
            catalogue: db.catalogue(),
            project: None,
        },
    );
    sql.push(" ORDER BY j.id DESC LIMIT 1) FROM issues i WHERE i.id IN")
        .bind_ids(issues);
    let rows: Vec<(i64, Option<UserId>)> = db.rows(sql.text(), sql.values(), |row| {
        Ok((row.next()?, row.next()?))
    })?;
    Ok(rows
        .into_iter()
        .filter_map(|(issue, user)| Some((issue, user?)))
        .collect())
}
