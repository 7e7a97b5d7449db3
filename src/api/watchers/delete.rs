//! `DELETE /issues/:id/watchers/:user_id` (contract 4.7).

use crate::actions::watchers;
use crate::domain::ids::{IssueId, PrincipalId};
use crate::http::{Ask, Error, Reply};

/// Makes somebody a watcher no longer: 204, also for who was none.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let (id, watcher): (IssueId, PrincipalId) = (ask.number("id")?, ask.number("user_id")?);
    ask.change(move |db, viewer| watchers::remove(db, viewer, id, watcher))?;
    Ok(Reply::nothing())
}
