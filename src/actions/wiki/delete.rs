//! Deleting a page (compatibility 7).

use super::find::{lead, require, require_on};
use crate::actions::ActionError;
use crate::domain::ids::{ProjectId, WikiPageId};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, wiki};

/// What becomes of the pages below one that is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// They stand alone.
    #[default]
    Nullify,
    /// They are deleted with everything below them.
    Destroy,
    /// They hang on this page.
    Reassign(WikiPageId),
}

/// Deletes the page that this title leads to, with all its versions.
///
/// # Errors
/// `NotFound`; `Forbidden`, also when a page that would go with it is protected; `Invalid` when the page for those below is
/// none of this wiki, or goes itself.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, project: ProjectId, title: &str, children: Children) -> Result<(), ActionError> {
    require(viewer, Permission::DeleteWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?;
    let page = lead(db, viewer, &wiki, title)?.ok_or(ActionError::NotFound)?.into_page();
    require_on(viewer, Permission::DeleteWikiPages, &page)?;
    match children {
        Children::Nullify => {}
        Children::Reassign(id) => {
            let reassign_to = wiki::find_by_id(db, id)?.filter(|reassign_to| reassign_to.wiki == page.wiki);
            let below = wiki::subtree(db, page.id)?;
            if reassign_to.is_none_or(|reassign_to| below.iter().any(|below| below.id == reassign_to.id)) {
                let sentence =
                    "Reassign to is invalid (reassign_to_id is the number of a page of this wiki that does not stand below this one)";
                return Err(ActionError::Invalid(vec![sentence.to_owned()]));
            }
            wiki::move_children(db, page.id, Some(id))?;
        }
        Children::Destroy => {
            let below = wiki::subtree(db, page.id)?;
            below.iter().try_for_each(|below| require_on(viewer, Permission::DeleteWikiPages, below))?;
            below.iter().filter(|below| below.id != page.id).try_for_each(|below| wiki::delete(db, below))?;
        }
    }
    Ok(wiki::delete(db, &page)?)
}
