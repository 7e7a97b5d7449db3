//! Saves, renames, protects and deletes wiki pages and versions (compatibility 7).

use super::address;
use super::view::{self, ViewContext};
use crate::attachments::parse_uploads;
use crate::prelude::*;
use quarry_actions as actions;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::wiki;
use quarry_actions::content::wiki::Children;
use quarry_domain::content::wiki::WikiChange;
use quarry_domain::ids::WikiPageId;
use quarry_wire::Input;

/// `PUT /projects/:project_id/wiki/:title` (compatibility 7).
///
/// Creates the page: 201 with it and its URL. Or updates it: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = address::project(request, &catalogue)?;
    let title = address::title(request)?.to_owned();
    if !request.viewer().may(Permission::EditWikiPages, project) {
        return Err(Error::Forbidden);
    }
    let (change, uploads) = parse_page(request)?;
    let saved = request.write_in_project(project, move |db, viewer| {
        actions::content::wiki::save(db, viewer, project, &title, &change, &uploads)
    })?;
    let page = saved.page;
    let version = saved.version;
    let is_new = saved.is_new;
    let location = address::path(&catalogue, &page);
    // A viewer who may write but not read gets no content.
    let reply = if request
        .viewer()
        .may(Permission::ViewWikiPages, page.project)
    {
        let view_context = request
            .app
            .read(|db| ViewContext::load(request, db, &page))?;
        Reply::object("wiki_page", move |w| {
            view::full_page(w, &page, Some(&version), &view_context)
        })
    } else {
        Reply::ok()
    };
    Ok(if is_new {
        reply.created(location)
    } else {
        reply
    })
}

/// `PUT /projects/:project_id/wiki/:title/rename` (compatibility 13.4).
///
/// Renames a page or moves it below another one, without a new text: 200 with its new state.
pub fn rename(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let (change, _) = parse_page(request)?;
    let page = request.write_in_project(project, move |db, viewer| {
        wiki::rename(db, viewer, project, &title, &change)
    })?;
    request
        .app
        .read(|db| crate::wiki::list::page_reply(request, db, page))
}

/// `PUT /projects/:project_id/wiki/:title/protect` (compatibility 13.4).
///
/// Protects a page, or removes the protection: 200 with its new state.
pub fn protect(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let mut body = BodyFields::from_body(request, "wiki_page")?;
    let is_blank = body.raw("protected").is_none_or(|value| value.is_blank());
    let protected = body.boolean("protected", "Protected").value().copied();
    body.check()?;
    let protected = protected
        .filter(|_| !is_blank)
        .ok_or_else(|| Error::invalid_attribute("protected", "Protected", "cannot be blank"))?;
    let page = request.write_in_project(project, move |db, viewer| {
        wiki::protect(db, viewer, project, &title, protected)
    })?;
    request
        .app
        .read(|db| crate::wiki::list::page_reply(request, db, page))
}

/// `DELETE /projects/:project_id/wiki/:title` (compatibility 7).
///
/// Deletes the page and all its versions: 200 without a body. `todo` selects what happens to its
/// child pages.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let children = parse_children(request)?;
    request.write_in_project(project, move |db, viewer| {
        actions::content::wiki::delete(db, viewer, project, &title, children)
    })?;
    Ok(Reply::ok())
}

/// Parses what happens to child pages. An unknown `todo` is an error and deletes nothing.
fn parse_children(request: &RequestContext) -> Result<Children, Error> {
    let reassign_to = request
        .query_param("reassign_to_id")
        .filter(|text| !text.is_empty());
    let todo = request.query_param("todo").filter(|text| !text.is_empty());
    match (todo.as_deref(), reassign_to) {
        (None, None) | (Some("nullify"), _) => Ok(Children::Nullify),
        (Some("destroy"), _) => Ok(Children::Destroy),
        (None | Some("reassign"), reassign_to) => {
            // No page has the id 0.
            let id = reassign_to.and_then(|text| text.parse().ok()).unwrap_or(0);
            Ok(Children::Reassign(WikiPageId(id)))
        }
        (Some(_), _) => Err(Error::invalid_attribute(
            "todo",
            "Todo",
            "is not included in the list (nullify, destroy, reassign)",
        )),
    }
}

/// Rejects deleting a single version, which the API does not support (compatibility 7).
pub fn delete_version(request: &RequestContext) -> Result<Reply, Error> {
    address::project(request, &*request.app.store.catalogue()?)?;
    Err(Error::Forbidden)
}

/// Parses the object `wiki_page` and its uploads; without one nothing changes.
fn parse_page(request: &RequestContext) -> Result<(WikiChange, Vec<NewUpload>), Error> {
    let change = fields::wiki_page::parse(&request.body)?;
    let object = request.body.get("wiki_page").unwrap_or(&Input::Null);
    Ok((change, parse_uploads(object)?))
}
