//! Creates news (compatibility 11.5).

use super::change::NewsChange;
use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::clock::Clock;
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::Write;
use crate::store::news::{self, NewNews, News};
use std::sync::Arc;

/// Creates a news item with these files, and returns its id.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the news of the project; `Invalid` with the sentences
/// of compatibility 11.5, and for bad tokens.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    change: &NewsChange,
    uploads: &[NewUpload],
    clock: &dyn Clock,
) -> Result<i64, ActionError> {
    let author = viewer
        .user
        .filter(|_| viewer.may(Permission::ManageNews, project))
        .ok_or(ActionError::Forbidden)?;
    let catalogue = Arc::clone(db.catalogue());
    let created_on = clock.now();
    let blank = News {
        id: 0,
        project,
        author,
        title: String::new(),
        summary: Some(String::new()),
        description: String::new(),
        created_on,
    };
    let news = change.apply_to(&catalogue, &blank)?;
    let id = news::insert(
        db,
        &NewNews {
            project,
            author,
            title: &news.title,
            summary: news.summary.as_deref(),
            description: &news.description,
            created_on,
        },
    )?;
    attach(db, viewer, Kind::News, id, uploads)?;
    Ok(id)
}
