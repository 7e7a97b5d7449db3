//! `GET /projects/:id/documents` (compatibility 13.1).

use super::view::{self, ViewContext};
use crate::actions::projects;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, documents};
use std::sync::Arc;

/// Returns a page of the documents of a project, newest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let project = projects::find_with(
        db.catalogue(),
        viewer,
        request.path_param("id"),
        Permission::ViewDocuments,
    )?
    .id;
    let visible = visibility::of_kind(viewer, Kind::Document)
        .within_projects(Arc::new(std::iter::once(project).collect()));
    let pagination = Pagination::from_query(&request.query);
    let total = documents::count(db, &visible)?;
    let page =
        documents::list_with_descriptions(db, &visible, pagination.offset, pagination.limit)?;
    let context = ViewContext::load(request, db, &page)?;
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "documents",
        "document",
        page,
        move |w, document| view::document(w, &document, &context),
        meta,
    ))
}
