//! `GET /issues/:id`.

use super::view::{self, Around};
use crate::domain::ids::IssueId;
use crate::domain::visibility;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, issues};

/// The issue; 403 where the viewer may not see it, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let Some(issue) = issues::find(db, visibility::issues(ask.viewer()), id)? else {
        return Err(if issues::exists(db, id)? { Error::Forbidden } else { Error::NotFound });
    };
    let around = Around::load(db, &ask.asker, std::slice::from_ref(&issue))?;
    Ok(Reply::object("issue", move |w| view::issue(w, &issue, &around)))
}
