//! Issue statuses (compatibility 11.3).

use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// `GET /issue_statuses`: all statuses, by position.
pub fn list(_: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let describe = |w: &mut crate::wire::Fields, status: crate::domain::catalogue::Status| {
        w.field("id", status.id.0);
        w.field("name", &status.name);
        w.field("is_closed", status.is_closed);
    };
    Ok(Reply::list("issue_statuses", "issue_status", db.catalogue().statuses.clone(), describe, Vec::new()))
}
