//! Removing a category (compatibility 6.8).

use super::find::find;
use crate::actions::ActionError;
use crate::domain::ids::CategoryId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// Removes a category. Its issues go to `reassign_to` when that is another category of the same project, and have none otherwise.
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not manage the categories of the project.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: CategoryId, reassign_to: Option<CategoryId>) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let category = find(&catalogue, viewer, id)?;
    let same = |reassign_to: &CategoryId| catalogue.categories.get(reassign_to).is_some_and(|other| other.project == category.project);
    Ok(categories::delete(db, id, reassign_to.filter(|reassign_to| *reassign_to != id && same(reassign_to)))?)
}
