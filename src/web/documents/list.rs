//! `GET /projects/:id/documents`: the documents of a project, newest first.

use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, documents};
use crate::web::access;
use crate::web::components::pager::{Pager, with_params};
use crate::web::components::time::Moment;
use crate::web::frame::{Frame, ProjectTab};
use crate::web::render::render;
use askama::Template;
use std::sync::Arc;

#[derive(Template)]
#[template(path = "documents/list.html")]
struct DocumentList {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: i64,
    title: String,
    category: String,
    created: Moment,
}

/// Lists the documents.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewDocuments)?;
    let visible = visibility::of_kind(viewer, Kind::Document)
        .within_projects(Arc::new(std::iter::once(project.id).collect()));
    let pagination = Pagination::from_query(&request.query);
    let total = documents::count(db, &visible)?;
    let rows = documents::list(db, &visible, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|document| Row {
            id: document.id,
            title: document.title,
            category: catalogue
                .enumeration(document.category)
                .map_or(String::new(), |category| category.name.clone()),
            created: Moment::new(document.created_on),
        });
    let path = |page: i64| {
        with_params(
            request,
            &[("page", Some(page.to_string().as_str())), ("offset", None)],
        )
    };
    let page = DocumentList {
        frame: Frame::new(request, db, "Documents").in_project(
            catalogue,
            viewer,
            project,
            Some(ProjectTab::Documents),
        ),
        total,
        rows: rows.collect(),
        pager: Pager::new(pagination.offset, pagination.limit, total, path),
    };
    render(&page.frame, &page)
}
