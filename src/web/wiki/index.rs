//! `GET /projects/:id/wiki/index`: all pages of a wiki.

use super::address::{name, path};
use crate::domain::permission::Permission;
use crate::domain::watchable::{Watchable, WatchableType};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, wiki};
use crate::web::access;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::components::watch::WatchButton;
use crate::web::frame::{Frame, ProjectTab, project_path};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "wiki/index.html")]
struct WikiIndex {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    watch_button: Option<WatchButton>,
}

struct Row {
    name: String,
    path: String,
    parent: Option<String>,
    updated: Option<Moment>,
}

/// Lists the pages by title.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewWikiPages)?;
    let index_path = format!("{}/wiki/index", project_path(project));
    let (pages, watch_button) = match wiki::find_by_project(db, project.id)? {
        Some(wiki) => {
            let watchable = Watchable::new(WatchableType::Wiki, wiki.id);
            (
                wiki::list(db, wiki.id)?,
                WatchButton::load(db, request.viewer(), watchable, &index_path)?,
            )
        }
        None => (Vec::new(), None),
    };
    let pagination = Pagination {
        limit: 100,
        ..Pagination::from_query(&request.query)
    };
    let number = request
        .query_param("page")
        .and_then(|page| page.parse::<i64>().ok())
        .unwrap_or(1)
        .clamp(1, 1_000_000);
    let offset = (number - 1) * pagination.limit;
    let total = i64::try_from(pages.len()).unwrap_or(i64::MAX);
    let rows = pages
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(0))
        .take(100)
        .map(|(page, updated_on)| Row {
            name: name(&page.title),
            path: path(project, &page.title),
            parent: page.parent_title.as_deref().map(name),
            updated: updated_on.map(Moment::new),
        });
    let view = WikiIndex {
        frame: Frame::new(request, db, "Wiki pages").in_project(
            catalogue,
            request.viewer(),
            project,
            Some(ProjectTab::Wiki),
        ),
        total,
        rows: rows.collect(),
        watch_button,
        pager: Pager::new(offset, pagination.limit, total, |page| {
            with_params(request, &[("page", Some(page.to_string().as_str()))])
        }),
    };
    render(&view.frame, &view)
}
