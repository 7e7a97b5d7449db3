//! `GET /projects/:id/wiki/:title/diff`: the differences of two versions of a page.

use super::address::{self, Target, name, path};
use crate::actions::wiki;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::access;
use crate::web::components::diff::{DiffLine, lines};
use crate::web::frame::{Frame, ProjectTab};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "wiki/diff.html")]
struct DiffPage {
    frame: Frame,
    name: String,
    page_path: String,
    old: i64,
    new: i64,
    lines: Vec<DiffLine>,
}

/// Shows the differences between `version_from` and `version`; by default those of the current
/// version to the one before.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(path) => return Ok(Reply::redirect(format!("{path}/diff"))),
        Target::Missing(_) => return Err(access::missing(request)),
    };
    let number = |name: &str| {
        request
            .query_param(name)
            .and_then(|text| text.parse::<i64>().ok())
    };
    let new = number("version").unwrap_or(page.version);
    let old = number("version_from").unwrap_or_else(|| (new - 1).max(1));
    let text = |version: i64| {
        access::found(
            request,
            wiki::find_version(db, viewer, &page, Some(version)),
        )
    };
    let old_text = text(old)?.map_or(String::new(), |found| found.text);
    let new_text = text(new)?.map_or(String::new(), |found| found.text);
    let page_path = path(project, &page.title);
    let frame = Frame::new(request, db, format!("Differences of {}", name(&page.title)));
    let frame = frame
        .in_project(catalogue, viewer, project, Some(ProjectTab::Wiki))
        .below(name(&page.title), page_path.clone());
    let view = DiffPage {
        frame: frame.below("History", format!("{page_path}/history")),
        name: name(&page.title),
        page_path,
        old,
        new,
        lines: lines(&old_text, &new_text),
    };
    render(&view.frame, &view)
}
