//! What the palette offers on a wiki page.

use super::address::{may, new_path, path};
use super::show;
use crate::components::watch::WatchButton;
use crate::palette::command::Command;
use crate::prelude::*;
use quarry_actions::content::wiki;
use quarry_actions::content::wiki::ResolvedPage;

/// Returns the commands; none for a page that is missing or hidden.
pub fn load(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    title: &str,
) -> Result<Vec<Command>, Error> {
    let viewer = request.viewer();
    let page = match wiki::find(db, viewer, project.id, Some(title)) {
        Ok(ResolvedPage::Current(page)) => page,
        Ok(ResolvedPage::Renamed(_)) => return Ok(Vec::new()),
        Err(ActionError::NotFound | ActionError::Forbidden) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let page_path = path(project, &page.title);
    let mut commands = Vec::new();
    if may(viewer, Permission::EditWikiPages, &page) {
        commands.push(Command::link("edit", "Edit", format!("{page_path}/edit")));
    }
    if viewer.may(Permission::EditWikiPages, project.id) {
        let new = new_path(project, Some(&page.title));
        commands.push(Command::link("wiki", "New page below this one", new));
    }
    if let Some(button) = WatchButton::load(db, viewer, page.id.into(), &page_path)? {
        commands.push(Command::watch(button));
    }
    let links = show::menu(viewer, project, &page, None).into_iter();
    commands.extend(links.map(|link| Command::link("wiki", link.label, link.path)));
    Ok(commands)
}
