//! The fields of the form of a wiki page.

use super::address::{self, name};
use super::draft::{Draft, EditedPage};
use super::tree::{self, PageField};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice};
use crate::components::form_page::{FileBox, FormPage};
use crate::content::received_files::ReceivedFiles;
use crate::frame::Width;
use crate::prelude::*;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::content::{attachments, wiki as store};

/// Returns the form.
pub fn form(
    request: &RequestContext,
    db: &Read<'_>,
    edited: &EditedPage,
    draft: &Draft,
    sent: &Input,
) -> Result<FormPage, Error> {
    let project = address::project(db, edited.project)?;
    let title = match (&edited.page, &edited.title) {
        (Some(page), _) if draft.section.is_some() => {
            format!("Edit a section of {}", name(&page.title))
        }
        (Some(page), _) => format!("Edit {}", name(&page.title)),
        (None, Some(title)) => format!("New page: {}", name(title)),
        (None, None) => "New page".to_owned(),
    };
    let builder = FieldBuilder::new("wiki_page", sent);
    let mut fields = vec![hidden("wiki_page[version]", draft.version.to_string())];
    if let Some(page) = draft.page {
        fields.push(hidden("page_id", page.to_string()));
    }
    if edited.title.is_none() {
        let field = builder.line("title", "Title", "").required().focused();
        fields.push(
            field.with_hint("Links name it: [[Title]]. The characters . , / ? ; | : are left out."),
        );
    }
    let preview = match &edited.page {
        Some(page) => paths::preview("wiki_page", page.id),
        None => paths::preview("project", project.id),
    };
    let mut text = builder
        .long_text("text", "Text", &draft.text)
        .with_preview(preview);
    if let Some(section) = &draft.section {
        fields.push(hidden("section", section.number.to_string()));
        fields.push(hidden("section_hash", section.hash.clone()));
        text = text.with_hint(
            "The other sections stay as they are. Without any text, the section is deleted.",
        );
    } else {
        text = text.required();
    }
    if edited.title.is_some() {
        text = text.focused();
    }
    fields.push(text);
    fields.push(
        builder
            .line("comments", "Comment", &draft.comments)
            .with_hint("What you changed and why, for the history. May be empty."),
    );
    if draft.section.is_none() {
        let wiki = store::find_by_project(db, project.id)?.map(|wiki| wiki.id);
        let excluded = match &edited.page {
            Some(page) => store::subtree(db, page.id)?,
            None => Vec::new(),
        };
        let parent = PageField {
            attribute: "parent_title",
            label: "Parent page",
            stored: &draft.parent,
            excluded: &excluded,
        };
        fields.push(hidden("former_parent", draft.parent.clone()));
        fields.push(tree::field(db, builder, wiki, &parent)?);
    }
    fields.extend(deleted_files(request, db, edited, builder)?);
    let frame = address::frame(request, db, project, title).with_width(Width::Medium);
    let page_path = edited.path(project);
    let action = match edited.title {
        Some(_) => format!("{page_path}/edit"),
        None => format!("{page_path}/new"),
    };
    let submit = if edited.page.is_some() {
        "Save"
    } else {
        "Create"
    };
    Ok(FormPage::new(frame, action, fields)
        .with_submit(submit)
        .with_cancel(page_path)
        .with_files(FileBox::new(request, db, &ReceivedFiles::default())))
}

fn hidden(name: &str, value: String) -> FormField {
    FormField::new(FieldKind::Hidden, name, "", value)
}

/// Returns the field of the files to delete, if there are any that the viewer may delete.
fn deleted_files(
    request: &RequestContext,
    db: &Read<'_>,
    edited: &EditedPage,
    builder: FieldBuilder<'_>,
) -> Result<Option<FormField>, Error> {
    let Some(page) = edited.page.as_ref().filter(|page| {
        request
            .viewer()
            .may(Permission::DeleteWikiPagesAttachments, page.project)
    }) else {
        return Ok(None);
    };
    let files = attachments::list_by_container(db, Kind::WikiPage, &[page.id.0])?
        .remove(&page.id.0)
        .unwrap_or_default();
    let choices = files
        .iter()
        .map(|file| choice(file.id, file.filename.as_str()));
    Ok((!files.is_empty())
        .then(|| builder.checkboxes("deleted_attachment_ids", "Delete files", [""; 0], choices)))
}
