//! `GET /projects/:project_id/wiki/:title/history` (compatibility 13.4).

use super::{address, view};
use crate::actions::wiki::{ResolvedPage, find};
use crate::domain::permission::Permission;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, wiki};
use std::sync::Arc;

/// Returns a page of the versions of a wiki page, newest first, without their texts. A former title
/// redirects.
pub fn history(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.redmine_strict(db) {
        // This path exists only as HTML in Redmine (compatibility 7).
        return Err(Error::NotAcceptable);
    }
    let project = address::project(request, db.catalogue())?;
    let page = match find(
        db,
        request.viewer(),
        project,
        Some(address::title(request)?),
    )? {
        ResolvedPage::Current(page) => page,
        ResolvedPage::Renamed(page) => {
            return Ok(Reply::redirect(address::redirect_below(
                request,
                db.catalogue(),
                &page,
                "/history",
            )));
        }
    };
    if !request
        .viewer()
        .may(Permission::ViewWikiEdits, page.project)
    {
        return Err(Error::Forbidden);
    }
    let pagination = Pagination::from_query(&request.query);
    let total = wiki::count_versions(db, page.id)?;
    let versions = wiki::list_versions(db, page.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, versions.len());
    let describe = move |w: &mut _, version| view::version_item(w, &version, &catalogue);
    Ok(Reply::list(
        "wiki_page_versions",
        "wiki_page_version",
        versions,
        describe,
        meta,
    ))
}
