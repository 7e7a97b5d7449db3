//! Updates news (compatibility 11.5).

use super::change::NewsChange;
use super::find::find_managed;
use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::kind::Kind;
use crate::domain::viewer::Viewer;
use crate::store::{Write, news};
use std::sync::Arc;

/// Updates a news item and attaches these files.
///
/// # Errors
/// `NotFound`; `Forbidden` and `Invalid` as for [`super::create()`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &NewsChange,
    uploads: &[NewUpload],
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find_managed(db, viewer, id)?;
    let after = change.apply_to(&catalogue, &before)?;
    if after != before {
        news::update(db, &after)?;
    }
    attach(db, viewer, Kind::News, id, uploads)?;
    Ok(())
}
