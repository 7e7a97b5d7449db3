//! Updates saved queries (compatibility 13.7).

use super::QueryChange;
use super::find::find_editable;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::QueryId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, queries};

/// Updates a query. It is no longer the default query of projects that may not have it as such.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not change it, or may save no query in
/// the new project; `Invalid` as for [`super::create()`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: QueryId,
    change: &QueryChange,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let before = find_editable(db, viewer, id)?;
    let after = change.apply_to(db.catalogue(), viewer, &before, clock.now())?;
    if after == before {
        return Ok(());
    }
    Ok(queries::update(db, &after)?)
}
