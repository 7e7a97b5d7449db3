//! `GET /issue_statuses` (compatibility 11.3).

use super::view;
use crate::domain::catalogue::Status;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;

/// Returns all statuses, by position.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let describe = move |w: &mut Fields, status: Status| view::status(w, &status, administration);
    Ok(Reply::list("issue_statuses", "issue_status", db.catalogue().statuses.clone(), describe, Vec::new()))
}
