//! `DELETE /issues/:id/watchers/:user_id` (compatibility 6.7).

use crate::actions::watchers;
use crate::domain::ids::{IssueId, PrincipalId};
use crate::http::{Error, Reply, RequestContext};

/// Removes a watcher: 204, also for a user who does not watch.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (id, watcher): (IssueId, PrincipalId) = (request.id_param("id")?, request.id_param("user_id")?);
    request.write(move |db, viewer| watchers::delete(db, viewer, id, watcher))?;
    Ok(Reply::no_content())
}
