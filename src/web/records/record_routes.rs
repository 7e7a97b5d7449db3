//! The routes of the records of one kind, which [`RecordPages`] describes.

mod deletion;
mod edit;

use crate::prelude::*;
use crate::records::record_pages::RecordPages;
use quarry_http::RouteHandler;

/// Returns the routes for administrators: the list, and the forms below its address.
pub fn admin_routes<R: RecordPages>(
    list: fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>,
) -> Routes {
    child_routes::<R>(R::PATH, list)
}

/// Returns the routes for administrators of records that are part of another one: the list at this
/// address, and the forms.
pub fn child_routes<R: RecordPages>(
    list_path: &str,
    list: fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>,
) -> Routes {
    Routes::new()
        .route(list_path, get(read_handler(list).for_administrators()))
        .merge(form_routes::<R>(
            &format!("{list_path}/new"),
            RouteHandler::for_administrators,
        ))
}

/// Returns the routes of records of a project: the list at `/projects/:id/settings/<name>`, and the
/// forms.
pub fn project_routes<R: RecordPages>(
    name: &str,
    list: fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>,
) -> Routes {
    Routes::new()
        .route(
            &format!("/projects/{{id}}/settings/{name}"),
            get(read_handler(list)),
        )
        .merge(form_routes::<R>(
            &format!("/projects/{{id}}{}/new", R::PATH),
            |handler| handler,
        ))
}

/// Returns the routes of records of the viewer: the list, and the forms below its address.
pub fn user_routes<R: RecordPages>(
    list: fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>,
) -> Routes {
    let new_path = format!("{}/new", R::PATH);
    Routes::new()
        .route(R::PATH, get(read_handler(list)))
        .merge(form_routes::<R>(&new_path, |handler| handler))
}

fn form_routes<R: RecordPages>(new_path: &str, limit: fn(RouteHandler) -> RouteHandler) -> Routes {
    let edit_path = format!("{}/{{id}}/edit", R::PATH);
    let delete_path = format!("{}/{{id}}/delete", R::PATH);
    Routes::new()
        .route(
            new_path,
            get(limit(read_handler(edit::new::<R>))).post(limit(write_handler(edit::create::<R>))),
        )
        .route(
            &edit_path,
            get(limit(read_handler(edit::edit::<R>))).post(limit(write_handler(edit::update::<R>))),
        )
        .route(
            &delete_path,
            get(limit(read_handler(deletion::confirm::<R>)))
                .post(limit(write_handler(deletion::delete::<R>).deleting())),
        )
}
