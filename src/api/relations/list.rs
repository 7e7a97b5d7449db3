//! `GET /issues/:id/relations` (contract 4.8).

use super::view;
use crate::actions::issues;
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, relations};

/// The relations of an issue to issues that the viewer may see.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let issue = issues::find(db, ask.viewer(), id)?;
    let found = view::of_issue(issue.id, &relations::seen(db, ask.viewer(), &[issue.id.0])?);
    Ok(Reply::list("relations", "relation", found, view::relation, Vec::new()))
}
