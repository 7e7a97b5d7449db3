//! `GET /projects/:project_id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version` (compatibility 7).

use super::address;
use super::view::{self, ViewContext};
use crate::actions::wiki::{self, ResolvedPage};
use crate::domain::wiki::WikiPage;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns a page with its current text or that of a version; the start page of the wiki without a
/// title. A former title redirects to the page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if request.path_param("title") == "date_index" {
        // This path exists only as HTML in Redmine (compatibility 7).
        return Err(Error::NotAcceptable);
    }
    let project = address::project(request, db.catalogue())?;
    let title = if request.path_param("title").is_empty() {
        None
    } else {
        Some(address::title(request)?)
    };
    let page = match wiki::find(db, request.viewer(), project, title)? {
        ResolvedPage::Current(page) => page,
        ResolvedPage::Renamed(page) => {
            return Ok(Reply::redirect(address::redirect_target(
                request,
                db.catalogue(),
                &page,
            )));
        }
    };
    let version = wiki::find_version(db, request.viewer(), &page, requested_version(request)?)?;
    let view_context = ViewContext::load(request, db, &page)?;
    Ok(Reply::object("wiki_page", move |w| {
        view::full_page(w, &page, version.as_ref(), &view_context)
    }))
}

/// Returns a page as it is now, after a change.
pub(super) fn page_reply(
    request: &RequestContext,
    db: &Read<'_>,
    page: WikiPage,
) -> Result<Reply, Error> {
    let version = wiki::find_version(db, request.viewer(), &page, None)?;
    let view_context = ViewContext::load(request, db, &page)?.with_protection();
    Ok(Reply::object("wiki_page", move |w| {
        view::full_page(w, &page, version.as_ref(), &view_context)
    }))
}

/// Returns the requested version, from the path or the parameter; 404 when it is not a number.
fn requested_version(request: &RequestContext) -> Result<Option<i64>, Error> {
    let text = match request.path_param("version") {
        "" => request
            .query_param("version")
            .filter(|text| !text.is_empty()),
        version => Some(version.into()),
    };
    text.map(|text| text.parse().map_err(|_| Error::NotFound))
        .transpose()
}
