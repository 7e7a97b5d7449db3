//! Numbers of issues opened and closed in each week.

use crate::issues::query::without_full_project_lists;
use crate::lists::visibility::{ISSUE_INDEXED, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use jiff::Timestamp;
use quarry_domain::access::visible::Visible;
use std::collections::HashMap;

/// Microseconds in a week.
const WEEK: i64 = 7 * 24 * 60 * 60 * 1_000_000;

/// A week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Week {
    /// Number of issues created in it.
    pub opened: i64,
    /// Number of issues closed in it.
    pub closed: i64,
}

/// Returns the numbers for `weeks` weeks from `start`, of the issues that the viewer may see, or
/// those of them in some projects.
pub fn weekly(
    db: &Read<'_>,
    visible: &Visible,
    start: Timestamp,
    weeks: usize,
) -> Result<Vec<Week>, StoreError> {
    let opened = counts(db, visible, "created_on", start, weeks)?;
    let closed = counts(db, visible, "closed_on", start, weeks)?;
    Ok((0..)
        .take(weeks)
        .map(|week| Week {
            opened: opened.get(&week).copied().unwrap_or(0),
            closed: closed.get(&week).copied().unwrap_or(0),
        })
        .collect())
}

/// Returns when the last of the issues that the viewer may see was created or closed, up to now.
pub fn last_activity(db: &Read<'_>, visible: &Visible) -> Result<Option<Timestamp>, StoreError> {
    let created_on = latest(db, visible, "created_on")?;
    let closed_on = latest(db, visible, "closed_on")?;
    Ok(created_on.max(closed_on))
}

fn latest(db: &Read<'_>, visible: &Visible, column: &str) -> Result<Option<Timestamp>, StoreError> {
    let mut sql = Sql::new(&format!(
        "SELECT MAX(i.{column}) FROM issues i WHERE i.{column} <= "
    ));
    sql.bind(db.now()).push(" AND ");
    push_visible(
        &mut sql,
        &without_full_project_lists(visible, db),
        ISSUE_INDEXED,
    );
    let latest: Option<Option<Timestamp>> = db.first(sql.text(), sql.values(), |row| row.next())?;
    Ok(latest.flatten())
}

fn counts(
    db: &Read<'_>,
    visible: &Visible,
    column: &str,
    start: Timestamp,
    weeks: usize,
) -> Result<HashMap<i64, i64>, StoreError> {
    let end = start
        .as_microsecond()
        .saturating_add(i64::try_from(weeks).unwrap_or(0).saturating_mul(WEEK));
    let mut sql = Sql::new(&format!("SELECT (i.{column} - "));
    sql.bind(start).push(") / ").bind(WEEK).push(&format!(
        " AS week, COUNT(*) FROM issues i WHERE i.{column} >= "
    ));
    sql.bind(start)
        .push(&format!(" AND i.{column} < "))
        .bind(end)
        .push(" AND ");
    push_visible(
        &mut sql,
        &without_full_project_lists(visible, db),
        ISSUE_INDEXED,
    );
    sql.push(" GROUP BY 1");
    let rows = db.rows(sql.text(), sql.values(), |row| {
        Ok((row.next()?, row.next()?))
    })?;
    Ok(rows.into_iter().collect())
}
