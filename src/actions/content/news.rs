//! News and their comments (compatibility 11.5).
//!
//! Invariant: texts that an import brought may be longer than permitted as long as they do not
//! change. May import: `domain`, `store`.

use crate::content::attachments::{NewUpload, attach};
use crate::notices;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::access::visible::Visible;
use quarry_domain::content::comment::Comment;
use quarry_domain::content::news::News;
use quarry_domain::ids::CommentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::text::is_blank;
use quarry_store::content::comments;
use quarry_store::content::comments::MAX_COMMENTS;
use quarry_store::content::news;
use std::sync::Arc;

/// Returns the news item with this id.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<News, ActionError> {
    let item = news::find(db, visibility::of_kind(viewer, Kind::News), id)?;
    item.ok_or_else(|| ActionError::missing(viewer))
}

/// Returns the news item if the viewer may manage the news of its project.
fn find_managed(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<News, ActionError> {
    let news = news::find(db, &Visible::Everything, id)?.ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageNews, news.project) {
        Ok(news)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Creates a news item with these files, and returns its id.
///
/// # Errors
/// `Invalid` with the sentences of compatibility 11.5, and for bad tokens.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    change: &NewsChange,
    uploads: &[NewUpload],
) -> Result<i64, ActionError> {
    let author = viewer
        .user
        .filter(|_| viewer.may(Permission::ManageNews, project))
        .ok_or(ActionError::Forbidden)?;
    let catalogue = Arc::clone(db.catalogue());
    let created_on = db.now();
    let blank = News {
        project,
        author,
        summary: Some(String::new()),
        created_on,
        ..News::default()
    };
    let news = change.apply_to(&catalogue, &blank)?;
    let id = news::insert(db, &news)?;
    attach(db, viewer, Kind::News, id, uploads)?;
    notices::news_added(db, &News { id, ..news })?;
    Ok(id)
}

/// Maximum number of characters of a title.
const MAX_TITLE: usize = 60;

/// Maximum number of characters of a summary.
const MAX_SUMMARY: usize = 255;

/// The requested attributes of a news item. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewsChange {
    pub title: Patch<String>,
    pub summary: Patch<String>,
    pub description: Patch<String>,
}

impl NewsChange {
    /// Returns the news item after the change. What stays as it is may be longer than permitted, as
    /// after an import.
    ///
    /// # Errors
    /// `Invalid` with the sentences of compatibility 11.5.
    fn apply_to(&self, catalogue: &Catalogue, before: &News) -> Result<News, ActionError> {
        let mut after = before.clone();
        after.title = self.title.apply_to_text(&after.title);
        after.summary = self.summary.apply_to(after.summary);
        after.description = self.description.apply_to_text(&after.description);
        let mut errors = ValidationErrors::new();
        for (attribute, label, text) in [
            ("title", "Title", &after.title),
            ("description", "Description", &after.description),
        ] {
            if is_blank(text) {
                errors.add(attribute, label, "cannot be blank");
            }
        }
        errors.refuse_line_breaks("title", "Title", &after.title, Some(&before.title));
        let summary = |news: &News| news.summary.clone().unwrap_or_default();
        for (attribute, label, new, old, max) in [
            ("title", "Title", &after.title, &before.title, MAX_TITLE),
            (
                "summary",
                "Summary",
                &summary(&after),
                &summary(before),
                MAX_SUMMARY,
            ),
            (
                "description",
                "Description",
                &after.description,
                &before.description,
                catalogue.max_text_length(),
            ),
        ] {
            if new != old {
                errors.limit_text(attribute, label, new, max);
            }
        }
        errors.into_result().map_err(ActionError::Invalid)?;
        Ok(after)
    }
}

/// Updates a news item and attaches these files.
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

/// Deletes a news item with its comments and files.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    Ok(news::delete(db, id)?)
}

/// Adds a comment to a news item, and returns its id.
///
/// # Errors
/// `Invalid` for a text that is blank or too long, and when there are too many comments.
pub fn create_comment(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    content: &str,
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
        errors.add("comments", "Comment", "cannot be blank");
    }
    errors.limit_text(
        "comments",
        "Comment",
        content,
        db.catalogue().max_text_length(),
    );
    if comments::count(db, id)? >= MAX_COMMENTS {
        errors.add_message(&format!(
            "Comments are too many (maximum is {MAX_COMMENTS} on one news item)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let comment = Comment {
        news: id,
        author,
        content: content.to_owned(),
        created_on: db.now(),
        ..Comment::default()
    };
    let id = comments::insert(db, &comment)?;
    notices::comment_added(db, &item, &Comment { id, ..comment })?;
    Ok(id)
}

/// Deletes a comment on a news item.
///
/// # Errors
/// `NotFound` if there is no such comment on this news item.
pub fn delete_comment(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    comment: CommentId,
) -> Result<(), ActionError> {
    find_managed(db, viewer, id)?;
    if comments::find(db, comment)?.is_none_or(|comment| comment.news != id) {
        return Err(ActionError::NotFound);
    }
    Ok(comments::delete(db, comment)?)
}
