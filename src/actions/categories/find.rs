//! Finds issue categories.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CategoryId;
use crate::domain::permission::Permission;
use crate::domain::version::Category;
use crate::domain::viewer::Viewer;

/// Returns the category if the viewer may manage the categories of its project (compatibility 6.8).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not manage it.
pub fn find<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: CategoryId,
) -> Result<&'c Category, ActionError> {
    let category = catalogue.categories.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageCategories, category.project) {
        Ok(category)
    } else {
        Err(ActionError::Forbidden)
    }
}
