//! Looking a category up for somebody.

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CategoryId;
use crate::domain::permission::Permission;
use crate::domain::version::Category;
use crate::domain::viewer::Viewer;

/// Returns the category, for a viewer who may manage those of its project (compatibility 6.8).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not manage it.
pub fn find<'c>(catalogue: &'c Catalogue, viewer: &Viewer, id: CategoryId) -> Result<&'c Category, ActionError> {
    let category = catalogue.categories.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageCategories, category.project) { Ok(category) } else { Err(ActionError::Forbidden) }
}
