//! Creates, updates, deletes, closes, archives and bookmarks projects (compatibility 8).

use super::list::project_reply;
use super::view;
use crate::prelude::*;
use quarry_actions as actions;
use quarry_actions::{ActionError, projects};
use quarry_domain::access::viewer::Viewer;
use quarry_store::Write;

/// `POST /projects` (compatibility 8).
///
/// Creates a project: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::project::parse(&request.body)?;
    let id = request
        .write(move |db, viewer| actions::projects::create(db, viewer, &change))
        .map_err(Error::by_framework)?;
    let reply = request
        .app
        .read(|db| project_reply(request, db, id, view::Include::default()))?;
    Ok(reply.created(format!("{}/projects/{id}", request.base_url())))
}

/// `PUT /projects/:id` (compatibility 8).
///
/// Updates a project: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::project::parse(&request.body)?;
    let reference = request.path_param("id").to_owned();
    let id = request
        .write(move |db, viewer| actions::projects::update(db, viewer, &reference, &change))?;
    request
        .app
        .read(|db| project_reply(request, db, id, view::Include::default()))
}

/// `DELETE /projects/:id` (compatibility 8).
///
/// Deletes a project with everything in it: 200 without a body, after all of it is deleted.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let reference = request.path_param("id").to_owned();
    let unfinished =
        request.write(move |db, viewer| actions::projects::delete(db, viewer, &reference))?;
    actions::projects::finish_deletion(&request.app.store, unfinished, || false)?;
    Ok(Reply::ok())
}

type Transition = fn(&mut Write<'_>, &Viewer, &str) -> Result<(), ActionError>;

/// `PUT` and `POST /projects/:id/archive`, `unarchive`, `close`, `reopen`: 204 without a body
/// (compatibility 3.5).
///
/// Archives a project.
pub fn archive(request: &RequestContext) -> Result<Reply, Error> {
    change_state(request, projects::archive)
}

/// Unarchives a project.
pub fn unarchive(request: &RequestContext) -> Result<Reply, Error> {
    change_state(request, projects::unarchive)
}

/// Closes a project.
pub fn close(request: &RequestContext) -> Result<Reply, Error> {
    change_state(request, projects::close)
}

/// Reopens a closed project.
pub fn reopen(request: &RequestContext) -> Result<Reply, Error> {
    change_state(request, projects::reopen)
}

fn change_state(request: &RequestContext, transition: Transition) -> Result<Reply, Error> {
    let reference = request.path_param("id").to_owned();
    request.write(move |db, viewer| transition(db, viewer, &reference))?;
    Ok(Reply::no_content())
}

type Change = fn(&mut Write<'_>, &Viewer, &str) -> Result<String, ActionError>;

/// `PUT` and `DELETE /projects/:id/bookmark`: 204 without a body (compatibility 13.5).
///
/// Bookmarks a project, also when it is bookmarked already.
pub fn add_bookmark(request: &RequestContext) -> Result<Reply, Error> {
    set_bookmark(request, projects::add_bookmark)
}

/// Removes the bookmark of a project, if there is one.
pub fn remove_bookmark(request: &RequestContext) -> Result<Reply, Error> {
    set_bookmark(request, projects::remove_bookmark)
}

fn set_bookmark(request: &RequestContext, change: Change) -> Result<Reply, Error> {
    let reference = request.path_param("id").to_owned();
    request.write(move |db, viewer| {
        projects::find_with(db.catalogue(), viewer, &reference, Permission::ViewProject)?;
        change(db, viewer, &reference)
    })?;
    Ok(Reply::no_content())
}
