//! Deletes issue categories (compatibility 6.8).

use super::find::find;
use crate::actions::ActionError;
use crate::domain::ids::CategoryId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// Deletes a category. Its issues get the category `reassign_to` if that is another one of the same
/// project, otherwise none.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the categories of the project.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: CategoryId,
    reassign_to: Option<CategoryId>,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let category = find(&catalogue, viewer, id)?;
    let is_in_project = |id: &CategoryId| {
        catalogue
            .categories
            .get(id)
            .is_some_and(|target| target.project == category.project)
    };
    Ok(categories::delete(
        db,
        id,
        reassign_to.filter(|reassign_to| *reassign_to != id && is_in_project(reassign_to)),
    )?)
}
