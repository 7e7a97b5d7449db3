//! `PUT /issues/:id` (contract 4.5).

use super::fields;
use super::view::{self, Around};
use crate::actions;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Changes an issue: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let wanted = fields::read(ask)?;
    let (asker, clock) = (Arc::clone(&ask.asker), Arc::clone(&ask.app.clock));
    let issue = ask.app.store.write(move |db| actions::issues::change(db, &asker.viewer, id, &wanted, clock.as_ref()))?;
    let around = ask.app.store.read(|db| Around::load(db, &ask.asker, std::slice::from_ref(&issue)))?;
    Ok(Reply::object("issue", move |w| view::issue(w, &issue, &around)))
}
