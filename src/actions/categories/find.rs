//! Looking a category up for somebody.

use crate::actions::Refused;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::CategoryId;
use crate::domain::permission::Permission;
use crate::domain::version::Category;
use crate::domain::viewer::Viewer;

/// The category, to whoever may manage those of its project (contract 4.8).
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not manage it.
pub fn find<'c>(catalogue: &'c Catalogue, viewer: &Viewer, id: CategoryId) -> Result<&'c Category, Refused> {
    let category = catalogue.categories.get(&id).ok_or(Refused::NotFound)?;
    if viewer.may(Permission::ManageCategories, category.project) { Ok(category) } else { Err(Refused::Forbidden) }
}
