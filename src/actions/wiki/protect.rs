//! Protects wiki pages (compatibility 13.4).

use super::find::{find, require};
use crate::actions::ActionError;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{WikiPage, is_protected_by_name};
use crate::store::{Write, wiki};

/// Sets whether only users who may protect pages can change the page that the title resolves to,
/// and returns it.
///
/// # Errors
/// As for [`find`]; `Forbidden` if the viewer may not protect pages; `Invalid` for a page that is
/// always protected.
pub fn protect(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    protected: bool,
) -> Result<WikiPage, ActionError> {
    let page = find(db, viewer, project, Some(title))?.into_page();
    require(viewer, Permission::ProtectWikiPages, page.project)?;
    if !protected && is_protected_by_name(&page.title) {
        return Err(ActionError::invalid(
            "Protected is invalid (this page is always protected)",
        ));
    }
    wiki::set_protected(db, page.id, protected)?;
    Ok(WikiPage { protected, ..page })
}
