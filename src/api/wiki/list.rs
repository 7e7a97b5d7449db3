//! The index of a wiki, a page, its versions and their differences (compatibility 7).

use super::address;
use super::view::{self, ViewContext};
use crate::prelude::*;
use quarry_actions::content::wiki;
use quarry_actions::content::wiki::{ResolvedPage, find, find_version, find_wiki};
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::values::text_diff;
use quarry_store as store;
use std::sync::Arc;

/// `GET /projects/:project_id/wiki/index` (compatibility 7).
///
/// Returns all pages of the wiki in alphabetical order; none when the project has no wiki yet.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = address::project(request, db.catalogue())?;
    let pages = match find_wiki(db, request.viewer(), project)? {
        Some(wiki) => store::content::wiki::list(db, wiki.id)?,
        None => Vec::new(),
    };
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::list(
        "wiki_pages",
        "wiki_page",
        pages,
        move |w, (page, updated_on)| view::list_item(w, &page, updated_on, &catalogue),
        Vec::new(),
    ))
}

/// `GET /projects/:project_id/wiki`, `…/wiki/:title`, `…/wiki/:title/:version` (compatibility 7).
///
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

/// `GET /projects/:project_id/wiki/:title/history` (compatibility 13.4).
///
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
    let total = store::content::wiki::count_versions(db, page.id)?;
    let versions =
        store::content::wiki::list_versions(db, page.id, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, versions.len());
    Ok(Reply::list(
        "wiki_page_versions",
        "wiki_page_version",
        versions,
        move |w: &mut _, version| view::version_item(w, &version, &catalogue),
        meta,
    ))
}

/// `GET /projects/:project_id/wiki/:title/diff` (compatibility 13.4).
///
/// Returns the diff from `version_from` (by default the version before) to `version` (by default
/// the current one). A former title redirects.
pub fn diff(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
                "/diff",
            )));
        }
    };
    let version = version_param(request, "version", page.version)?;
    let version_from = version_param(request, "version_from", version.saturating_sub(1).max(1))?;
    let text = |version: i64| -> Result<String, Error> {
        let version = find_version(db, request.viewer(), &page, Some(version))?;
        Ok(version.map(|version| version.text).unwrap_or_default())
    };
    let old = text(version_from)?;
    let new = text(version)?;
    request.render_budget().admit(old.len() + new.len())?;
    let lines = text_diff::lines(&old, &new);
    Ok(Reply::object("wiki_page_diff", move |w| {
        view::diff(w, &page, version_from, version, &lines)
    }))
}

fn version_param(request: &RequestContext, name: &str, default: i64) -> Result<i64, Error> {
    match request.query_param(name).filter(|text| !text.is_empty()) {
        Some(text) => text.parse::<i64>().map_err(|_| Error::NotFound),
        None => Ok(default),
    }
}
