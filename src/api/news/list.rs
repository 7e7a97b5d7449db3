//! `GET /news`, `GET /projects/:id/news` (compatibility 11.5).

use super::view;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Error, Pagination, Reply, RequestContext, project_scope};
use crate::store::{Read, news};
use std::sync::Arc;

/// Returns a page of the news that the viewer can see, newest first: of all projects, or of the
/// project in the path or in `project_id`. News of subprojects are not included.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let all = visibility::of_kind(request.viewer(), Kind::News);
    let visible = match project_scope::project(request, db.catalogue(), Permission::ViewNews)? {
        Some(project) => all.within_projects(Arc::new(std::iter::once(project.0).collect())),
        None if request.viewer().may_somewhere(Permission::ViewNews) => all.clone(),
        None => return Err(Error::Forbidden),
    };
    let total = news::count(db, &visible)?;
    let page = news::list(db, &visible, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "news",
        "news",
        page,
        move |w, item| view::list_item(w, &item, &catalogue),
        meta,
    ))
}
