//! Numbers of issues by tracker and status.

use crate::issues::query::without_full_project_lists;
use crate::lists::visibility::{ISSUE_INDEXED, push_visible};
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::access::visible::Visible;
use quarry_domain::ids::{StatusId, TrackerId};
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
