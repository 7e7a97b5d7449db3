//! How far the issues of versions are.

use crate::lists::visibility::{ISSUE_UNINDEXED, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use jiff::Timestamp;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::ids::VersionId;
use quarry_domain::values::stable_sort::StableSort;
use std::collections::HashMap;

/// Microseconds in a day.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// How far the issues of a version are, of those that the viewer may see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionProgress {
    pub open: i64,
    pub closed: i64,
    /// The sum of the done ratios of the open issues, each up to 100.
    pub done_of_open: i64,
}

impl VersionProgress {
    /// Returns the number of issues.
    pub fn total(&self) -> i64 {
        self.open + self.closed
    }

    /// Returns the share of closed issues, in percent rounded down; 0 without issues.
    pub fn closed_percent(&self) -> i64 {
        match self.total() {
            0 => 0,
            total => self.closed * 100 / total,
        }
    }

    /// Returns the share of the work that is done, in percent rounded down: closed issues in full,
    /// open ones by their done ratio, all with the same weight.
    pub fn done_percent(&self) -> i64 {
        match self.total() {
            0 => 0,
            total => (self.closed * 100 + self.done_of_open) / total,
        }
    }
}

/// Returns the progress of these versions; those without visible issues are missing.
pub fn progress(
    db: &Read<'_>,
    viewer: &Viewer,
    versions: &[VersionId],
) -> Result<HashMap<VersionId, VersionProgress>, StoreError> {
    let mut sql = Sql::new(
        "SELECT i.fixed_version_id, i.status_id, COUNT(*), CAST(SUM(CASE WHEN i.done_ratio > 100 THEN 100 WHEN i.done_ratio > 0 THEN i.done_ratio ELSE 0 END) AS BIGINT) \
         FROM issues i WHERE i.fixed_version_id IN",
    );
    sql.push_ids(versions.iter().map(|id| id.0).collect())
        .push(" AND ");
    push_visible(&mut sql, visibility::issues(viewer), ISSUE_UNINDEXED);
    sql.push(" GROUP BY 1, 2");
    let rows = db.rows(sql.text(), sql.values(), |row| {
        Ok((
            VersionId(row.next()?),
            row.next()?,
            row.next::<i64>()?,
            row.next::<i64>()?,
        ))
    })?;
    let mut progress: HashMap<VersionId, VersionProgress> = HashMap::new();
    for (version, status, count, done) in rows {
        let entry = progress.entry(version).or_default();
        if db
            .catalogue()
            .status(status)
            .is_some_and(|status| status.is_closed)
        {
            entry.closed += count;
        } else {
            entry.open += count;
            entry.done_of_open += done;
        }
    }
    Ok(progress)
}

/// Returns the ids of the first `limit` issues of each of these versions that the viewer may see:
/// open ones first, then by tracker, then the oldest.
pub fn first_issues(
    db: &Read<'_>,
    viewer: &Viewer,
    versions: &[VersionId],
    limit: i64,
) -> Result<HashMap<VersionId, Vec<i64>>, StoreError> {
    let statuses = db.catalogue().statuses.iter();
    let closed = statuses.filter(|status| status.is_closed);
    let mut sql = Sql::new(
        "SELECT version, id FROM (SELECT i.fixed_version_id AS version, i.id AS id, ROW_NUMBER() OVER \
         (PARTITION BY i.fixed_version_id ORDER BY CASE WHEN i.status_id IN",
    );
    sql.push_ids(closed.map(|status| status.id.0).collect())
        .push(" THEN 1 ELSE 0 END, i.tracker_id, i.id) AS position FROM issues i WHERE i.fixed_version_id IN")
        .push_ids(versions.iter().map(|id| id.0).collect())
        .push(" AND ");
    push_visible(&mut sql, visibility::issues(viewer), ISSUE_UNINDEXED);
    sql.push(") numbered WHERE position <= ")
        .bind(limit)
        .push(" ORDER BY version, position");
    let rows = db.rows(sql.text(), sql.values(), |row| {
        Ok((VersionId(row.next()?), row.next()?))
    })?;
    let mut issues: HashMap<VersionId, Vec<i64>> = HashMap::new();
    for (version, id) in rows {
        issues.entry(version).or_default().push(id);
    }
    Ok(issues)
}

/// What happened to the issues of a version on a day (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionDay {
    /// The day as a number of days since 1970.
    pub day: i64,
    /// Number of issues created.
    pub created: i64,
    /// Number of issues closed that still are.
    pub closed: i64,
}

/// Returns the days on which issues that now belong to the version were created or closed, of those
/// that the viewer may see, in their order.
pub fn days(
    db: &Read<'_>,
    viewer: &Viewer,
    version: VersionId,
) -> Result<Vec<VersionDay>, StoreError> {
    let mut days: Vec<VersionDay> = Vec::new();
    for (day, count) in count_by_day(db, viewer, version, "created_on")? {
        days.push(VersionDay {
            day,
            created: count,
            closed: 0,
        });
    }
    for (day, count) in count_by_day(db, viewer, version, "closed_on")? {
        match days.iter_mut().find(|known| known.day == day) {
            Some(known) => known.closed = count,
            None => days.push(VersionDay {
                day,
                created: 0,
                closed: count,
            }),
        }
    }
    days.stable_sort_by_key(|day| day.day);
    Ok(days)
}

/// Returns the number of issues by the day of this column. An open issue may have been closed
/// before, and does not count then.
fn count_by_day(
    db: &Read<'_>,
    viewer: &Viewer,
    version: VersionId,
    column: &str,
) -> Result<Vec<(i64, i64)>, StoreError> {
    let statuses = db.catalogue().statuses.iter();
    let open = statuses.filter(|status| !status.is_closed);
    let mut sql = Sql::new(&format!("SELECT i.{column} / "));
    sql.bind(DAY)
        .push(" AS day, COUNT(*) FROM issues i WHERE i.fixed_version_id = ")
        .bind(version)
        .push(&format!(" AND i.{column} >= "))
        .bind(Timestamp::UNIX_EPOCH);
    if column == "closed_on" {
        sql.push(" AND i.status_id NOT IN")
            .push_ids(open.map(|status| status.id.0).collect());
    }
    sql.push(" AND ");
    push_visible(&mut sql, visibility::issues(viewer), ISSUE_UNINDEXED);
    sql.push(" GROUP BY 1");
    db.rows(sql.text(), sql.values(), |row| {
        Ok((row.next()?, row.next()?))
    })
}
