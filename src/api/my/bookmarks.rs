//! `GET /my/bookmarks` (compatibility 13.5).

use crate::domain::project::Project;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;

/// Returns a page of the projects that the user has bookmarked and can see, in the order of the
/// tree.
pub fn bookmarks(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let is_listed = |project: &&Project| {
        viewer.sees(project.id) && catalogue.is_bookmarked(Some(user), project.id)
    };
    let bookmarked: Vec<&Project> = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
        .filter(is_listed)
        .collect();
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(bookmarked);
    let row = |project: &Project| {
        (
            project.id.0,
            project.name.clone(),
            project.identifier.clone(),
        )
    };
    let page: Vec<_> = page.into_iter().map(row).collect();
    let meta = pagination.meta(total, page.len());
    let describe = |w: &mut crate::wire::Fields, (id, name, identifier): (i64, String, String)| {
        w.field("id", id);
        w.field("name", name);
        w.field("identifier", identifier);
    };
    Ok(Reply::list("projects", "project", page, describe, meta))
}
