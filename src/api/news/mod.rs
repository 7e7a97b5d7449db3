//! News (compatibility 11.5).

mod view;

use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::visibility;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, attachments, news};
use std::sync::Arc;

/// `GET /news`, `GET /projects/:id/news`: the news that the viewer can see, newest first.
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
    Ok(Reply::list("news", "news", page, move |w, item| view::news(w, &item, &catalogue), meta))
}

/// `GET /news/:id`, with attachments and comments if included; 403 when the viewer cannot see it.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let item = match news::find(db, visibility::of_kind(request.viewer(), Kind::News), id)? {
        Some(item) => item,
        None if news::exists(db, id)? => return Err(Error::Forbidden),
        None => return Err(Error::NotFound),
    };
    let include = request.query_param("include").unwrap_or_default();
    let is_included = |name| include.split(',').any(|part| part.trim() == name);
    let files = if is_included("attachments") {
        Some(attachments::list_by_container(db, Kind::News, &[id])?.remove(&id).unwrap_or_default())
    } else {
        None
    };
    let comments = if is_included("comments") { Some(news::comments(db, id)?) } else { None };
    let (catalogue, base) = (Arc::clone(db.catalogue()), request.base_url());
    Ok(Reply::object("news", move |w| {
        view::news(w, &item, &catalogue);
        view::included(w, files.as_deref(), comments.as_deref(), &catalogue, &base);
    }))
}
