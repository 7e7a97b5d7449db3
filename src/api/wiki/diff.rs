//! `GET /projects/:project_id/wiki/:title/diff` (compatibility 13.4).

use super::{address, view};
use crate::actions::wiki::{ResolvedPage, find, find_version};
use crate::domain::text_diff;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

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
    let version_param = |name: &str, default: i64| match request
        .query_param(name)
        .filter(|text| !text.is_empty())
    {
        Some(text) => text.parse::<i64>().map_err(|_| Error::NotFound),
        None => Ok(default),
    };
    let version = version_param("version", page.version)?;
    let version_from = version_param("version_from", version.saturating_sub(1).max(1))?;
    let text = |version: i64| -> Result<String, Error> {
        let version = find_version(db, request.viewer(), &page, Some(version))?;
        Ok(version.map(|version| version.text).unwrap_or_default())
    };
    let lines = text_diff::lines(&text(version_from)?, &text(version)?);
    Ok(Reply::object("wiki_page_diff", move |w| {
        view::diff(w, &page, version_from, version, &lines)
    }))
}
