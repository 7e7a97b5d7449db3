//! Deletes news (compatibility 11.5).

use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::viewer::Viewer;
use crate::store::{Write, news};

/// Deletes a news item with its comments and files.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not manage the news of its project.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    Ok(news::delete(db, id)?)
}
