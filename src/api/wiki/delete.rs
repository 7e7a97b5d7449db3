//! `DELETE /projects/:project_id/wiki/:title` (spec, "Wiki pages"; contract 5).

use super::address;
use crate::actions;
use crate::actions::wiki::Children;
use crate::domain::ids::WikiPageId;
use crate::http::{Ask, Error, Reply};

/// Deletes the page and all its versions: 200 without a body. `todo` says what becomes of the pages below it.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let project = address::project(ask, &*ask.app.store.catalogue()?)?;
    let title = address::title(ask)?.to_owned();
    let children = children(ask)?;
    ask.change_in(project, move |db, viewer| actions::wiki::remove(db, viewer, project, &title, children))?;
    Ok(Reply::done())
}

/// What is not understood deletes nothing: it may have meant less.
fn children(ask: &Ask) -> Result<Children, Error> {
    let heir = ask.parameter("reassign_to_id").filter(|text| !text.is_empty());
    let todo = ask.parameter("todo").filter(|text| !text.is_empty());
    match (todo.as_deref(), heir) {
        (None, None) | (Some("nullify"), _) => Ok(Children::Nullify),
        (Some("destroy"), _) => Ok(Children::Destroy),
        (None | Some("reassign"), heir) => {
            // No page has the number 0.
            let id = heir.and_then(|text| text.parse().ok()).unwrap_or(0);
            Ok(Children::Reassign(WikiPageId(id)))
        }
        (Some(_), _) => Err(Error::invalid("Todo is not included in the list (nullify, destroy, reassign)")),
    }
}

/// A single version cannot be deleted over the API (contract 5).
pub fn delete_version(ask: &Ask) -> Result<Reply, Error> {
    address::project(ask, &*ask.app.store.catalogue()?)?;
    Err(Error::Forbidden)
}
