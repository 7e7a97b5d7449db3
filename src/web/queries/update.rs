//! `POST /queries/:id` and `/queries/:id/delete`.

use super::kinds::{KINDS, noun, path};
use super::requested::requested_list;
use crate::access;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use crate::search;
use quarry_actions::queries;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::QueryKind;

/// `POST /queries/:id`: replaces what the query says by the list, or the search, that the query
/// string describes.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let (query, shown, path) = access::found(
        request,
        request.app.read(|db| -> Result<_, Error> {
            let query = queries::find(db, request.viewer(), &KINDS, id)?;
            let (shown, _) = match query.kind {
                QueryKind::Searches => search::requested(request, db.catalogue(), query.project),
                _ => requested_list(request, db, query.project)?,
            };
            let path = path(db.catalogue(), &query);
            Ok((query, shown, path))
        }),
    )?;
    let outcome = request.write(move |db, viewer| queries::update(db, viewer, &KINDS, id, &shown));
    let location = format!("{path}?query_id={id}");
    let flash = match outcome {
        Ok(()) if query.kind == QueryKind::Searches => {
            Flash::notice(format!("The search {} was updated.", query.name))
        }
        Ok(()) => Flash::notice(format!("The query {} shows this list now.", query.name)),
        Err(Error::Invalid(errors)) => Flash::error(errors.messages().join(". ")),
        Err(error) => return Err(error),
    };
    Ok(redirect_with(request, location, &flash))
}

/// `POST /queries/:id/delete`.
///
/// Deletes the query and leads to the list in which it was used.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: QueryId = request.id_param("id")?;
    let deleted = request.write(move |db, viewer| {
        let query = queries::find(db, viewer, &KINDS, id)?;
        let path = path(db.catalogue(), &query);
        queries::delete(db, viewer, &KINDS, id).map(|()| (query, path))
    });
    let (query, path) = deleted?;
    let message = format!("The {} {} was deleted.", noun(query.kind), query.name);
    Ok(redirect_with(request, path, &Flash::notice(message)))
}
