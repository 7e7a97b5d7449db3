//! The routes of what administrators define, and the verbs that change it (compatibility 14).

use crate::prelude::*;
use quarry_http::RouteHandler;

/// A kind of records that administrators define.
pub trait AdminResource: Resource<Parent = (), Change: FromBody> {
    /// The address of the list, such as `/issue_statuses`.
    const PATH: &'static str;

    /// Returns the response with a record, also with the fields for administrators.
    fn reply(db: &Read<'_>, id: Self::Id) -> Result<Reply, Error>;

    /// Writes the audit log after a change: `created`, `updated` or `deleted`.
    fn audit(_request: &RequestContext, _id: Self::Id, _change: &'static str) {}
}

/// Returns the routes: `list` and `show`, and those that change records, for administrators.
pub fn admin_routes<R: AdminResource>(list: RouteHandler, show: RouteHandler) -> Routes {
    Routes::new()
        .route(
            R::PATH,
            get(list).post(write_handler(create::<R>).for_administrators()),
        )
        .route(
            &format!("{}/{{id}}", R::PATH),
            get(show)
                .put(write_handler(update::<R>).for_administrators())
                .patch(write_handler(update::<R>).for_administrators())
                .delete(write_handler(delete::<R>).for_administrators()),
        )
}

/// `GET`: the record in the path.
pub fn show<R: AdminResource>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    R::reply(db, request.id_param("id")?)
}

/// `POST`: creates a record: 201 with it and its URL.
fn create<R: AdminResource>(request: &RequestContext) -> Result<Reply, Error> {
    let change = R::Change::from_body(&request.body)?;
    let id = request.write(move |db, viewer| R::create(db, viewer, (), &change))?;
    R::audit(request, id, "created");
    let reply = request.app.read(|db| R::reply(db, id))?;
    Ok(reply.created(format!("{}{}/{id}", request.base_url(), R::PATH)))
}

/// `PUT`: updates the record: 200 with its new state.
fn update<R: AdminResource>(request: &RequestContext) -> Result<Reply, Error> {
    let change = R::Change::from_body(&request.body)?;
    let id: R::Id = request.id_param("id")?;
    request.write(move |db, viewer| R::update(db, viewer, id, &change))?;
    R::audit(request, id, "updated");
    request.app.read(|db| R::reply(db, id))
}

/// `DELETE`: deletes the record: 204. One that is in use is 422.
fn delete<R: AdminResource>(request: &RequestContext) -> Result<Reply, Error> {
    let id: R::Id = request.id_param("id")?;
    request.write(move |db, viewer| R::delete(db, viewer, id, None))?;
    R::audit(request, id, "deleted");
    Ok(Reply::no_content())
}
