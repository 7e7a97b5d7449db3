//! JSON and XML of wiki pages (compatibility 7).

use crate::attachments::write_attachment;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::administration::setting::Setting;
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::wiki::{WikiPage, WikiVersion};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::text_diff::{DiffLine, LineChange};
use quarry_store::content::attachments;
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 2] = ["attachments", "protected"];

/// What the output of a page needs besides the page.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    base: String,
    files: Option<Vec<Attachment>>,
    shows_protection: bool,
}

impl ViewContext {
    /// Loads what the parameter `include` names; unknown names are ignored.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        page: &WikiPage,
    ) -> Result<ViewContext, Error> {
        let [attachments, protected] = request.includes(INCLUDES);
        let files = if attachments {
            attachments::list_by_container(db, Kind::WikiPage, &[page.id.0])?
                .remove(&page.id.0)
                .or(Some(Vec::new()))
        } else {
            None
        };
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            base: request.base_url(),
            files,
            shows_protection: protected,
        })
    }

    /// Adds whether the page is protected.
    pub fn with_protection(self) -> ViewContext {
        ViewContext {
            shows_protection: true,
            ..self
        }
    }
}

/// Writes a page of the list of a wiki. The parent is always present, except with
/// `redmine_compatibility` (compatibility 7).
pub fn list_item(
    w: &mut Fields,
    page: &WikiPage,
    updated_on: Option<Timestamp>,
    catalogue: &Catalogue,
) {
    w.field("title", &page.title);
    match &page.parent_title {
        Some(title) => w.nested("parent", |w| w.attribute("title", title)),
        None if catalogue.is_on(Setting::RedmineCompatibility) => {}
        None => w.field("parent", None::<&str>),
    }
    w.field("version", page.version);
    w.field("created_on", page.created_on);
    // A page whose current version is gone.
    w.field("updated_on", updated_on.unwrap_or(page.created_on));
}

/// Writes a page with the text of a version.
pub fn full_page(
    w: &mut Fields,
    page: &WikiPage,
    version: Option<&WikiVersion>,
    context: &ViewContext,
) {
    w.field("title", &page.title);
    if let Some(title) = &page.parent_title {
        w.nested("parent", |w| w.attribute("title", title));
    }
    w.field("text", version.map(|version| &version.text));
    w.field(
        "version",
        version.map_or(page.version, |version| version.version),
    );
    let author = version.and_then(|version| version.author);
    w.maybe_reference(
        "author",
        author.map(|id| {
            (
                id.0,
                context
                    .catalogue
                    .principal_name(id.into())
                    .unwrap_or_default(),
            )
        }),
    );
    w.field(
        "comments",
        version.and_then(|version| version.comments.as_deref()),
    );
    // Redmine has it since version 7.
    if !context.catalogue.is_on(Setting::RedmineCompatibility) {
        let project = context.catalogue.projects.get(&page.project);
        w.maybe_reference(
            "project",
            project.map(|project| (project.id.0, project.name.as_str())),
        );
    }
    w.field("created_on", page.created_on);
    w.field(
        "updated_on",
        version.map_or(page.created_on, |version| version.updated_on),
    );
    if context.shows_protection {
        w.field("protected", page.is_protected());
    }
    if let Some(files) = &context.files {
        w.items("attachments", "attachment", files, |w, file| {
            write_attachment(w, file, &context.catalogue, &context.base)
        });
    }
}

/// Writes a version of the history of a page.
pub fn version_item(w: &mut Fields, version: &WikiVersion, catalogue: &Catalogue) {
    w.field("version", version.version);
    w.maybe_reference(
        "author",
        version.author.map(|id| {
            (
                id.0,
                catalogue.principal_name(id.into()).unwrap_or_default(),
            )
        }),
    );
    w.field("comments", version.comments.as_deref());
    w.field("updated_on", version.updated_on);
}

/// Writes the diff of two versions of a page.
pub fn diff(w: &mut Fields, page: &WikiPage, version_from: i64, version: i64, lines: &[DiffLine]) {
    w.field("title", &page.title);
    w.field("version_from", version_from);
    w.field("version", version);
    w.items("lines", "line", lines, |w, line| {
        let line_number =
            |number: Option<usize>| number.and_then(|number| i64::try_from(number).ok());
        w.attribute(
            "change",
            match line.change {
                LineChange::Unchanged => "unchanged",
                LineChange::Added => "added",
                LineChange::Removed => "removed",
                LineChange::Gap => "gap",
            },
        );
        if let Some(number) = line_number(line.old) {
            w.attribute("old_line", number);
        }
        if let Some(number) = line_number(line.new) {
            w.attribute("new_line", number);
        }
        w.field("text", &line.text);
    });
}
