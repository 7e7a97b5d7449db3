//! Adds comments to news and deletes them (compatibility 11.5).

use super::find::find_managed;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::CommentId;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::comments::{self, MAX_COMMENTS};
use crate::store::{Write, news};

/// Adds a comment to a news item, and returns its id.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not see or comment the news of its project; `Invalid`
/// for a text that is blank or too long, and when there are too many comments.
pub fn create_comment(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    content: &str,
    clock: &dyn Clock,
) -> Result<CommentId, ActionError> {
    let Some(item) = news::find(db, visibility::of_kind(viewer, Kind::News), id)? else {
        return Err(if news::exists(db, id)? {
            ActionError::Forbidden
        } else {
            ActionError::NotFound
        });
    };
    let author = viewer
        .author_id(db.catalogue())
        .filter(|_| viewer.may(Permission::CommentNews, item.project));
    let author = author.ok_or(ActionError::Forbidden)?;
    let mut errors = ValidationErrors::new();
    if is_blank(content) {
        errors.add("Comment", "cannot be blank");
    }
    errors.limit_text("Comment", content, db.catalogue().max_text_length());
    if comments::count(db, id)? >= MAX_COMMENTS {
        errors.add_message(&format!(
            "Comments are too many (maximum is {MAX_COMMENTS} on one news item)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(comments::insert(db, id, author, content, clock.now())?)
}

/// Deletes a comment on a news item.
///
/// # Errors
/// `NotFound` if there is no such comment on this news item; `Forbidden` if the viewer may not
/// manage the news of its project.
pub fn delete_comment(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    comment: CommentId,
) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    if comments::find_news(db, comment)? != Some(id) {
        return Err(ActionError::NotFound);
    }
    Ok(comments::delete(db, comment)?)
}
