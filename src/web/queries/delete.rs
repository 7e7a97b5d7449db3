//! `POST /queries/:id/delete`.

use super::menu::list_path;
use crate::actions::queries;
use crate::domain::ids::QueryId;
use crate::http::{Error, Reply, RequestContext};
use crate::web::frame::Flash;
use crate::web::render::redirect_with;
use std::sync::Arc;

/// Deletes the query and leads to the list in which it was used.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let deleted = request.write(move |db, viewer| {
        let query = queries::find(db, viewer, id)?;
        let catalogue = Arc::clone(db.catalogue());
        queries::delete(db, viewer, id).map(|()| (query.name, list_path(&catalogue, query.project)))
    });
    let (name, path) = deleted?;
    Ok(redirect_with(
        request,
        path,
        &Flash::notice(format!("The query {name} is deleted.")),
    ))
}
