//! Finds news.

use crate::actions::ActionError;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::domain::visible::Visible;
use crate::store::Read;
use crate::store::news::{self, News};

/// Returns the news item with this id.
///
/// # Errors
/// [`ActionError::missing`] if there is none that the viewer may see.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<News, ActionError> {
    let item = news::find(db, visibility::of_kind(viewer, Kind::News), id)?;
    item.ok_or_else(|| ActionError::missing(viewer))
}

/// Returns the news item if the viewer may manage the news of its project.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not manage it.
pub(super) fn find_managed(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<News, ActionError> {
    let news = news::find(db, &Visible::Everything, id)?.ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageNews, news.project) {
        Ok(news)
    } else {
        Err(ActionError::Forbidden)
    }
}
