//! Deletes wiki pages (compatibility 7).

use super::find::{require, require_on, resolve};
use crate::actions::ActionError;
use crate::domain::ids::{ProjectId, WikiPageId};
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, wiki};

/// What happens to the child pages of a deleted page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// They have no parent any more.
    #[default]
    Nullify,
    /// They and their descendants are deleted.
    Destroy,
    /// They become children of this page.
    Reassign(WikiPageId),
}

/// Deletes the page that the title resolves to, with all its versions.
///
/// # Errors
/// `NotFound`; `Forbidden`, also if a page that would be deleted is protected; `Invalid` if the new
/// parent is not a page of this wiki, or is one of the descendants.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    children: Children,
) -> Result<(), ActionError> {
    require(viewer, Permission::DeleteWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?;
    let page = resolve(db, viewer, &wiki, title)?
        .ok_or(ActionError::NotFound)?
        .into_page();
    require_on(viewer, Permission::DeleteWikiPages, &page)?;
    match children {
        Children::Nullify => {}
        Children::Reassign(id) => {
            let reassign_to =
                wiki::find_by_id(db, id)?.filter(|reassign_to| reassign_to.wiki == page.wiki);
            let subtree = wiki::subtree(db, page.id)?;
            if reassign_to.is_none_or(|reassign_to| {
                subtree
                    .iter()
                    .any(|descendant| descendant.id == reassign_to.id)
            }) {
                let message = "Reassign to is invalid (reassign_to_id is the number of a page of this wiki that does not stand below this one)";
                return Err(ActionError::Invalid(vec![message.to_owned()]));
            }
            wiki::move_children(db, page.id, Some(id))?;
        }
        Children::Destroy => {
            let subtree = wiki::subtree(db, page.id)?;
            subtree
                .iter()
                .try_for_each(|page| require_on(viewer, Permission::DeleteWikiPages, page))?;
            subtree
                .iter()
                .filter(|descendant| descendant.id != page.id)
                .try_for_each(|descendant| wiki::delete(db, descendant))?;
        }
    }
    Ok(wiki::delete(db, &page)?)
}
