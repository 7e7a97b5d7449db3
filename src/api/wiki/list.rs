//! `GET /projects/:project_id/wiki/index` (spec, "Wiki pages").

use super::{address, view};
use crate::domain::permission::Permission;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, wiki};

/// All pages of the wiki, ordered alphabetically; none where the project has no wiki yet.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let project = address::project(ask, db.catalogue())?;
    if !ask.viewer().may(Permission::ViewWikiPages, project) {
        return Err(Error::Forbidden);
    }
    let pages = match wiki::of_project(db, project)? {
        Some(wiki) => wiki::list(db, wiki.id)?,
        None => Vec::new(),
    };
    Ok(Reply::list("wiki_pages", "wiki_page", pages, |w, (page, updated_on)| view::in_list(w, &page, updated_on), Vec::new()))
}
