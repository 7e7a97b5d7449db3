//! `GET /projects/:project_id/wiki/index` (compatibility 7).

use super::{address, view};
use crate::actions::wiki::find_wiki;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, wiki};

/// Returns all pages of the wiki in alphabetical order; none when the project has no wiki yet.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = address::project(request, db.catalogue())?;
    let pages = match find_wiki(db, request.viewer(), project)? {
        Some(wiki) => wiki::list(db, wiki.id)?,
        None => Vec::new(),
    };
    Ok(Reply::list(
        "wiki_pages",
        "wiki_page",
        pages,
        |w, (page, updated_on)| view::list_item(w, &page, updated_on),
        Vec::new(),
    ))
}
