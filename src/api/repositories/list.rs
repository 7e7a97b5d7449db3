//! `GET /projects/:id/repositories` (compatibility 13.3).

use super::view::{self, RepositoryDetails};
use crate::actions::projects;
use crate::domain::permission::Permission;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, repositories};
use std::sync::Arc;

/// Returns a page of the repositories of a project, the main one first.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (catalogue, viewer) = (Arc::clone(db.catalogue()), request.viewer());
    let project = projects::find_with(&catalogue, viewer, request.path_param("id"), Permission::ViewChangesets)?.id;
    let mut repositories = repositories::list(db, project)?;
    let pagination = Pagination::from_query(&request.query);
    let total = i64::try_from(repositories.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    repositories.drain(..skip.min(repositories.len()));
    repositories.truncate(usize::try_from(pagination.limit).unwrap_or(0));
    let meta = pagination.meta(total, repositories.len());
    let details = repositories.into_iter().map(|repository| RepositoryDetails::new(viewer, repository)).collect();
    Ok(Reply::list("repositories", "repository", details, move |w, details| view::repository(w, &details, &catalogue), meta))
}
