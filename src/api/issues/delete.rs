//! `DELETE /issues/:id` (spec, "Issues").

use crate::actions;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Deletes an issue and everything below it: 200 without a body.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let asker = Arc::clone(&ask.asker);
    ask.app.store.write(move |db| actions::issues::remove(db, &asker.viewer, id))?;
    Ok(Reply::done())
}
