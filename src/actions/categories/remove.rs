//! Removing a category (contract 4.8).

use super::find::find;
use crate::actions::Refused;
use crate::domain::ids::CategoryId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// Removes a category. Its issues go to `heir` when that is another category of the same project, and have none otherwise.
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not manage the categories of the project.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: CategoryId, heir: Option<CategoryId>) -> Result<(), Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let category = find(&catalogue, viewer, id)?;
    let same = |heir: &CategoryId| catalogue.categories.get(heir).is_some_and(|other| other.project == category.project);
    Ok(categories::remove(db, id, heir.filter(|heir| *heir != id && same(heir)))?)
}
