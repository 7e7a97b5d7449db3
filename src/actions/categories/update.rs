//! Updates issue categories (compatibility 6.8).

use super::create::{CategoryChange, validate};
use super::find::find;
use crate::actions::ActionError;
use crate::domain::ids::CategoryId;
use crate::domain::version::Category;
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// Updates a category, and returns it.
///
/// # Errors
/// `NotFound`; `Forbidden` and `Invalid` as for [`super::create()`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: CategoryId,
    change: &CategoryChange,
) -> Result<Category, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find(&catalogue, viewer, id)?;
    let after = change.apply_to(&catalogue, viewer, before);
    validate(&catalogue, &after)?;
    categories::update(db, &after)?;
    Ok(after)
}
