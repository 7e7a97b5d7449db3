//! Numbers of issues by tracker and status, and by project.

use crate::issues::query::without_full_project_lists;
use crate::lists::visibility::{ISSUE_INDEXED, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::{ProjectId, StatusId, TrackerId};
use std::collections::HashMap;

/// Returns the number of issues of each tracker in each status, among those that the viewer may
/// see.
pub fn count_by_status(
    db: &Read<'_>,
    visible: &Visible,
) -> Result<HashMap<(TrackerId, StatusId), i64>, StoreError> {
    let mut sql = Sql::new("SELECT i.tracker_id, i.status_id, COUNT(*) FROM issues i WHERE ");
    push_visible(
        &mut sql,
        &without_full_project_lists(visible, db),
        ISSUE_INDEXED,
    );
    sql.push(" GROUP BY 1, 2");
    let rows = db.rows(sql.text(), sql.values(), |row| {
        Ok(((row.next()?, row.next()?), row.next()?))
    })?;
    Ok(rows.into_iter().collect())
}

/// Returns the number of open issues of each of these projects, among those that the viewer may see.
/// Projects without any are missing.
pub fn count_open_by_project(
    db: &Read<'_>,
    visible: &Visible,
    projects: &[ProjectId],
) -> Result<HashMap<ProjectId, i64>, StoreError> {
    let statuses = db.catalogue().statuses.iter();
    let open = statuses.filter(|status| !status.is_closed);
    let mut sql = Sql::new("SELECT i.project_id, COUNT(*) FROM issues i WHERE i.project_id IN");
    sql.push_ids(projects.iter().map(|id| id.0).collect());
    sql.push(" AND i.status_id IN");
    sql.push_ids(open.map(|status| status.id.0).collect());
    sql.push(" AND ");
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
