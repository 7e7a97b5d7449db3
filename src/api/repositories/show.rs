//! `GET /repositories/:id` (compatibility 13.3).

use super::view::{self, RepositoryDetails};
use crate::actions::repositories;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::store::repositories::Repository;
use std::sync::Arc;

/// Returns the repository.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let repository = repositories::find(db, request.viewer(), request.id_param("id")?)?;
    Ok(repository_reply(request, db, repository))
}

/// Returns a repository as the viewer sees it.
pub(super) fn repository_reply(
    request: &RequestContext,
    db: &Read<'_>,
    repository: Repository,
) -> Reply {
    let details = RepositoryDetails::new(request.viewer(), repository);
    let catalogue = Arc::clone(db.catalogue());
    Reply::object("repository", move |w| {
        view::repository(w, &details, &catalogue)
    })
}
