//! `GET /projects/:id/wiki/:title/history`: the versions of a page.

use super::address::{self, Target, name, path};
use crate::domain::permission::Permission;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, wiki};
use crate::web::access;
use crate::web::components::avatar::Person;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, ProjectTab};
use crate::web::render::render;
use askama::Template;

/// Number of versions on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "wiki/history.html")]
struct HistoryPage {
    frame: Frame,
    name: String,
    page_path: String,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    version: i64,
    author: Option<Person>,
    comments: String,
    updated: Moment,
}

/// Lists the versions, newest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let (project, page) = match address::find(request, db)? {
        Target::Page(project, page) => (project, page),
        Target::Moved(path) => return Ok(Reply::redirect(format!("{path}/history"))),
        Target::Missing(_) => return Err(access::missing(request)),
    };
    if !viewer.may(Permission::ViewWikiEdits, project.id) {
        return Err(access::missing(request));
    }
    let number = request
        .query_param("page")
        .and_then(|page| page.parse::<i64>().ok())
        .unwrap_or(1)
        .clamp(1, 1_000_000);
    let offset = (number - 1) * LIMIT;
    let total = wiki::count_versions(db, page.id)?;
    let rows = wiki::list_versions(db, page.id, offset, LIMIT)?
        .into_iter()
        .map(|version| Row {
            version: version.version,
            author: version.author.map(|id| Person::new(catalogue, id.into())),
            comments: version.comments.unwrap_or_default(),
            updated: Moment::new(version.updated_on),
        });
    let frame = Frame::new(request, db, format!("History of {}", name(&page.title)));
    let view = HistoryPage {
        name: name(&page.title),
        page_path: path(project, &page.title),
        total,
        rows: rows.collect(),
        pager: Pager::new(offset, LIMIT, total, |page| {
            with_params(request, &[("page", Some(page.to_string().as_str()))])
        }),
        frame: frame
            .in_project(catalogue, viewer, project, Some(ProjectTab::Wiki))
            .below(name(&page.title), path(project, &page.title)),
    };
    render(&view.frame, &view)
}
