//! Redmine URLs whose page has another address here redirect to it, so that old links and bookmarks
//! keep working (docs/redmine-compatibility.md section 3.1). Also what crawlers leave out.

use crate::prelude::*;

/// What crawlers leave out: exports, and each list in another order or with other filters.
const ROBOTS: &str = include_str!("robots.txt");

/// The reports of Redmine, each with the column that groups the list in its place.
const REPORTS: [(&str, &str); 8] = [
    ("tracker", "tracker"),
    ("status", "status"),
    ("priority", "priority"),
    ("assigned_to", "assigned_to"),
    ("author", "author"),
    ("version", "fixed_version"),
    ("category", "category"),
    ("subproject", "project"),
];

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/projects/{id}/boards/{board}", get(read_handler(board)))
        .route("/projects/{id}/issues/report", get(read_handler(report)))
        .route(
            "/projects/{id}/issues/report/{detail}",
            get(read_handler(report)),
        )
        .route("/issues/{id}/relations", get(read_handler(relations)))
        .route("/issues/{id}/pdf", get(read_handler(issue)))
        .route("/projects/{id}/wiki/{title}/pdf", get(read_handler(wiki)))
        .route("/robots", get(read_handler(robots).open()))
}

/// `GET /projects/:id/boards/:board`: leads to the board.
fn board(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let board = paths::encode(request.path_param("board"));
    Ok(Reply::redirect(format!("/boards/{board}")))
}

/// `GET /projects/:id/issues/report`, `…/report/:detail`: leads to the grouped list.
fn report(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let detail = request.path_param("detail");
    let report = REPORTS
        .iter()
        .find(|(name, _)| detail.is_empty() || *name == detail);
    let (_, column) = report.ok_or(Error::NotFound)?;
    let project = paths::encode(request.path_param("id"));
    Ok(Reply::redirect(format!(
        "/projects/{project}/issues?group_by={column}"
    )))
}

/// `GET /issues/:id/relations`: leads to the relations on the page of the issue.
fn relations(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let id = paths::encode(request.path_param("id"));
    Ok(Reply::redirect(format!("/issues/{id}#relations")))
}

/// `GET /issues/:id.pdf`: leads to the page, which browsers print or save as PDF.
fn issue(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let id = paths::encode(request.path_param("id"));
    Ok(Reply::redirect(format!("/issues/{id}")))
}

/// `GET /projects/:id/wiki/:title.pdf`: the same for a wiki page.
fn wiki(request: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let project = paths::encode(request.path_param("id"));
    let title = paths::encode(request.path_param("title"));
    Ok(Reply::redirect(format!("/projects/{project}/wiki/{title}")))
}

/// `GET /robots.txt`: what crawlers leave out.
fn robots(_: &RequestContext, _: &Read<'_>) -> Result<Reply, Error> {
    let text = ROBOTS.as_bytes().to_vec();
    Ok(Reply::document("text/plain; charset=utf-8", text))
}
