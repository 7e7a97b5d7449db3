//! `PUT /projects/:project_id/wiki/:title` (compatibility 7).

use super::view::{self, ViewContext};
use super::{address, fields};
use crate::actions;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Write;
use std::sync::Arc;

/// Creates the page: 201 with it and its URL. Or updates it: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let project = address::project(request, &catalogue)?;
    let title = address::title(request)?.to_owned();
    if !request.viewer().may(Permission::EditWikiPages, project) {
        return Err(Error::Forbidden);
    }
    let (change, uploads) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let save = move |db: &mut Write<'_>, viewer: &Viewer| {
        actions::wiki::save(
            db,
            viewer,
            project,
            &title,
            &change,
            &uploads,
            clock.as_ref(),
        )
    };
    let saved = request.write_in_project(project, save)?;
    let page = saved.page;
    let version = saved.version;
    let is_new = saved.is_new;
    let location = address::path(&catalogue, &page);
    // A viewer who may write but not read gets no content.
    let reply = match request
        .viewer()
        .may(Permission::ViewWikiPages, page.project)
    {
        true => {
            let view_context = request
                .app
                .read(|db| ViewContext::load(request, db, &page))?;
            Reply::object("wiki_page", move |w| {
                view::full_page(w, &page, Some(&version), &view_context)
            })
        }
        false => Reply::ok(),
    };
    Ok(if is_new {
        reply.created(location)
    } else {
        reply
    })
}
