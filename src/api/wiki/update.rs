//! `PUT /projects/:project_id/wiki/:title` (spec, "Wiki pages"; contract 5).

use super::view::{self, Around};
use super::{address, fields};
use crate::actions;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::http::{Ask, Error, Reply};
use crate::store::Write;
use std::sync::Arc;

/// Makes the page: 201 with it and its address. Or changes it: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let catalogue = ask.app.store.catalogue()?;
    let project = address::project(ask, &catalogue)?;
    let title = address::title(ask)?.to_owned();
    if !ask.viewer().may(Permission::EditWikiPages, project) {
        return Err(Error::Forbidden);
    }
    let (asked, uploads) = fields::read(ask)?;
    let clock = Arc::clone(&ask.app.clock);
    let save =
        move |db: &mut Write<'_>, viewer: &Viewer| actions::wiki::save(db, viewer, project, &title, &asked, &uploads, clock.as_ref());
    let saved = ask.change_in(project, save)?;
    let (page, version, is_new) = (saved.page, saved.version, saved.is_new);
    let location = address::path(&catalogue, &page);
    // Who may write without reading learns only that it is done.
    let reply = match ask.viewer().may(Permission::ViewWikiPages, page.project) {
        true => {
            let around = ask.app.store.read(|db| Around::load(ask, db, &page))?;
            Reply::object("wiki_page", move |w| view::alone(w, &page, Some(&version), &around))
        }
        false => Reply::done(),
    };
    Ok(if is_new { reply.created(location) } else { reply })
}
