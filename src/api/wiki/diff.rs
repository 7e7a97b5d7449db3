//! `GET /projects/:project_id/wiki/:title/diff` (compatibility 13.4).

use super::{address, view};
use crate::actions::wiki::{ResolvedPage, find, find_version};
use crate::domain::text_diff;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// Returns the differences between `version_from` and `version`; by default those of the current version to the one before. A former
/// title redirects.
pub fn diff(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let project = address::project(request, db.catalogue())?;
    let page = match find(db, request.viewer(), project, Some(address::title(request)?))? {
        ResolvedPage::Current(page) => page,
        ResolvedPage::Renamed(page) => return Ok(Reply::redirect(address::redirect_below(request, db.catalogue(), &page, "/diff"))),
    };
    let number = |name: &str, default: i64| match request.query_param(name).filter(|text| !text.is_empty()) {
        Some(text) => text.parse::<i64>().map_err(|_| Error::NotFound),
        None => Ok(default),
    };
    let version = number("version", page.version)?;
    let version_from = number("version_from", version.saturating_sub(1).max(1))?;
    let text = |version: i64| -> Result<String, Error> {
        let found = find_version(db, request.viewer(), &page, Some(version))?;
        Ok(found.map_or(String::new(), |found| found.text))
    };
    let lines = text_diff::lines(&text(version_from)?, &text(version)?);
    Ok(Reply::object("wiki_page_diff", move |w| view::differences(w, &page, version_from, version, &lines)))
}
