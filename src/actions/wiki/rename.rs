//! Renames and moves wiki pages without a new text (compatibility 13.4).

use super::find::{find, require_on};
use super::move_page::{self, move_page};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::ProjectId;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{WikiChange, WikiPage};
use crate::store::{Write, wiki};

/// Sets the title and the parent of the page that the title resolves to, as far as the change has
/// them, and returns the page. The old title redirects to it unless the change disables that. Other
/// attributes are ignored.
///
/// # Errors
/// As for [`find`]; `Forbidden` if the viewer may not rename pages, or the page is protected from
/// the viewer; `Invalid` with a message for each attribute.
pub fn rename(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    change: &WikiChange,
    clock: &dyn Clock,
) -> Result<WikiPage, ActionError> {
    let page = find(db, viewer, project, Some(title))?.into_page();
    require_on(viewer, Permission::RenameWikiPages, &page)?;
    let wiki = wiki::find_by_project(db, page.project)?.ok_or(ActionError::NotFound)?;
    let mut errors = ValidationErrors::new();
    if change.title == Patch::Clear || !change.title.is_present() && !change.parent.is_present() {
        errors.add("Title", "cannot be blank");
    }
    let after = move_page::apply(db, viewer, &wiki, &page, change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    move_page(db, &wiki, &page, &after, change, clock.now())?;
    Ok(after)
}
