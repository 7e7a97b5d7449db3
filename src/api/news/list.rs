//! `GET /news`, `GET /projects/:id/news` (compatibility 11.5).

use super::view;
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, news};
use std::sync::Arc;

/// Returns a page of the news that the viewer can see, newest first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let all = visibility::of_kind(request.viewer(), Kind::News);
    let visible = match request.path_param("id") {
        "" if request.viewer().may_somewhere(Permission::ViewNews) => all.clone(),
        "" => return Err(Error::Forbidden),
        id => {
            let project = db.catalogue().project_by(id).ok_or(Error::NotFound)?.id;
            if !request.viewer().may(Permission::ViewNews, project) {
                return Err(Error::Forbidden);
            }
            let subtree: Vec<ProjectId> = db.catalogue().subtree(project);
            all.within_projects(Arc::new(subtree.into_iter().collect()))
        }
    };
    let total = news::count(db, &visible)?;
    let page = news::list(db, &visible, pagination.offset, pagination.limit)?;
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list("news", "news", page, move |w, item| view::list_item(w, &item, &catalogue), meta))
}
