//! `GET /repositories/:id` (compatibility 13.3).

use super::view::{self, RepositoryDetails};
use crate::actions::repositories;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// Returns a repository.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let details = RepositoryDetails::new(request.viewer(), repositories::find(db, request.viewer(), request.id_param("id")?)?);
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::object("repository", move |w| view::repository(w, &details, &catalogue)))
}
