//! `GET /issues/:id` (contract 4.1).

use super::include::Included;
use super::reply;
use super::view::Around;
use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The issue with what is asked for along with it; 403 where the viewer may not see it, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let issue = issues::find(db, ask.viewer(), id)?;
    let around = Around::load(db, &ask.asker, std::slice::from_ref(&issue))?;
    let included = Included::of_issue(ask, db, &issue)?;
    Ok(reply::issue(ask, issue, around, included))
}
