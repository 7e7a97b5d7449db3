//! Changing a category (contract 4.8).

use super::create::{CategoryChange, judge};
use super::find::find;
use crate::actions::Refused;
use crate::domain::ids::CategoryId;
use crate::domain::version::Category;
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// Changes a category; as it is then.
///
/// # Errors
/// `NotFound`, `Forbidden` and `Invalid` as for making one.
pub fn change(db: &mut Write<'_>, viewer: &Viewer, id: CategoryId, asked: &CategoryChange) -> Result<Category, Refused> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find(&catalogue, viewer, id)?;
    let after = asked.over(&catalogue, before);
    judge(&catalogue, &after)?;
    categories::change(db, &after)?;
    Ok(after)
}
