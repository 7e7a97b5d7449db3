//! JSON and XML of news (compatibility 11.5).

use crate::api::attachments::view::attachment;
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::store::comments::Comment;
use crate::store::news::News;
use crate::wire::Fields;

/// Writes the fields of a single news item, in the order of compatibility 11.5. A summary that is
/// null or empty is left out.
pub fn news(w: &mut Fields, item: &News, catalogue: &Catalogue) {
    fields(w, item, catalogue, |w| {
        w.maybe(
            "summary",
            item.summary
                .as_deref()
                .filter(|summary| !summary.is_empty()),
        )
    });
}

/// Writes the fields of a news item in a list.
pub fn list_item(w: &mut Fields, item: &News, catalogue: &Catalogue) {
    fields(w, item, catalogue, |w| {
        w.field("summary", item.summary.as_deref())
    });
}

fn fields(w: &mut Fields, item: &News, catalogue: &Catalogue, summary: impl FnOnce(&mut Fields)) {
    w.field("id", item.id);
    w.reference(
        "project",
        item.project.0,
        catalogue.project_name(item.project),
    );
    w.reference(
        "author",
        item.author.0,
        catalogue
            .principal_name(item.author.into())
            .unwrap_or_default(),
    );
    w.field("title", &item.title);
    summary(w);
    w.field("description", &item.description);
    w.field("created_on", item.created_on);
}

/// Writes the included attachments and comments.
pub fn included(
    w: &mut Fields,
    files: Option<&[Attachment]>,
    comments: Option<&[Comment]>,
    catalogue: &Catalogue,
    base: &str,
) {
    if let Some(files) = files {
        w.items("attachments", "attachment", files, |w, file| {
            attachment(w, file, catalogue, base)
        });
    }
    if let Some(comments) = comments {
        w.items("comments", "comment", comments, |w, item| {
            comment(w, item, catalogue)
        });
    }
}

/// Writes the fields of a comment.
pub fn comment(w: &mut Fields, comment: &Comment, catalogue: &Catalogue) {
    w.attribute("id", comment.id.0);
    w.reference(
        "author",
        comment.author.0,
        catalogue
            .principal_name(comment.author.into())
            .unwrap_or_default(),
    );
    w.field("content", &comment.content);
}
