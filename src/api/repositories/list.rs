//! `GET /projects/:id/repositories` (compatibility 13.3).

use super::view::{self, RepositoryDetails};
use crate::actions::projects;
use crate::domain::permission::Permission;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, repositories};
use std::sync::Arc;

/// Returns a page of the repositories of a project, the main one first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let viewer = request.viewer();
    let project = projects::find_with(
        &catalogue,
        viewer,
        request.path_param("id"),
        Permission::ViewChangesets,
    )?
    .id;
    let pagination = Pagination::from_query(&request.query);
    let (repositories, total) = pagination.slice(repositories::list(db, project)?);
    let meta = pagination.meta(total, repositories.len());
    let details = repositories
        .into_iter()
        .map(|repository| RepositoryDetails::new(viewer, repository))
        .collect();
    Ok(Reply::list(
        "repositories",
        "repository",
        details,
        move |w, details| view::repository(w, &details, &catalogue),
        meta,
    ))
}
