//! `PUT /issues/:id` (contract 4.5).

use super::fields::{self, uploads};
use super::include::Included;
use super::reply;
use super::view::Around;
use crate::actions;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Changes an issue: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let wanted = fields::read(ask)?;
    let uploads = uploads(ask)?;
    let clock = Arc::clone(&ask.app.clock);
    let issue = ask.change(move |db, viewer| actions::issues::change(db, viewer, id, &wanted, &uploads, clock.as_ref()))?;
    let (around, included) = ask.app.store.read(|db| -> Result<_, Error> {
        Ok((Around::load(db, &ask.asker, std::slice::from_ref(&issue))?, Included::of_issue(ask, db, &issue)?))
    })?;
    Ok(reply::issue(ask, issue, around, included))
}
