//! Sums of the hours of time entries: of a list, and of its groups.

use super::time_entries::{TimeEntryQuery, push_conditions};
use crate::lists::visibility::{SUBQUERY_ISSUE, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use jiff::civil::Date;
use quarry_domain::access::visibility;
use quarry_domain::query::time_report::{Period, ReportCriterion};

/// The time entries of a report that have the same values, in one period.
#[derive(Clone, Debug, PartialEq)]
pub struct HoursGroup {
    /// The id of the value of each criterion; `None` for entries without one.
    pub values: Vec<Option<i64>>,
    /// The first day of the period.
    pub period: Date,
    /// The sum of the hours.
    pub hours: f64,
}

/// Returns the hours of all matching time entries.
pub fn sum(db: &Read<'_>, query: &TimeEntryQuery<'_>) -> Result<f64, StoreError> {
    let mut sql = Sql::new("SELECT COALESCE(SUM(t.hours), 0.0) FROM time_entries t WHERE ");
    push_conditions(db, &mut sql, query);
    let sum = db.first(sql.text(), sql.values(), |row| row.next())?;
    Ok(sum.unwrap_or(0.0))
}

/// Returns the hours of the matching time entries by the values of the criteria and by period, at
/// most as many groups as the limit of the query, in no order. An entry on an issue that the viewer
/// may not see counts as one without an issue.
pub fn report(
    db: &Read<'_>,
    query: &TimeEntryQuery<'_>,
    criteria: &[ReportCriterion],
    period: Period,
) -> Result<Vec<HoursGroup>, StoreError> {
    let mut sql = Sql::new("SELECT ");
    for criterion in criteria {
        sql.push(expression(*criterion)).push(", ");
    }
    sql.push(first_day(period))
        .push(", SUM(t.hours) FROM time_entries t");
    let is_of_issue = |criterion: &ReportCriterion| expression(*criterion).starts_with("d.");
    if criteria.iter().any(is_of_issue) {
        sql.push(" LEFT JOIN issues d ON d.id = t.issue_id AND ");
        push_visible(&mut sql, visibility::issues(query.viewer), SUBQUERY_ISSUE);
    }
    sql.push(" WHERE ");
    push_conditions(db, &mut sql, query);
    let columns: Vec<String> = (1..=criteria.len() + 1).map(|n| n.to_string()).collect();
    sql.push(" GROUP BY ")
        .push(&columns.join(", "))
        .push(" LIMIT ")
        .bind(query.limit);
    db.rows(sql.text(), sql.values(), |row| {
        let values: Result<_, _> = criteria.iter().map(|_| row.next()).collect();
        Ok(HoursGroup {
            values: values?,
            period: row.next()?,
            hours: row.next()?,
        })
    })
}

/// Returns the id of the value over `time_entries t` and its visible issue `d`. Activities of
/// projects count as the ones that they replace.
fn expression(criterion: ReportCriterion) -> &'static str {
    match criterion {
        ReportCriterion::Project => "t.project_id",
        ReportCriterion::Issue => "d.id",
        ReportCriterion::User => "t.user_id",
        ReportCriterion::Activity => {
            "(SELECT COALESCE(e.parent_id, e.id) FROM enumerations e WHERE e.id = t.activity_id)"
        }
        ReportCriterion::Tracker => "d.tracker_id",
        ReportCriterion::Status => "d.status_id",
        ReportCriterion::Category => "d.category_id",
        ReportCriterion::Version => "d.fixed_version_id",
    }
}

/// Returns the first day of the period of a time entry.
fn first_day(period: Period) -> &'static str {
    match period {
        Period::Year => "substr(t.spent_on, 1, 4) || '-01-01'",
        Period::Month => "substr(t.spent_on, 1, 7) || '-01'",
        Period::Week => "monday(t.spent_on)",
        Period::Day => "t.spent_on",
    }
}
