//! The form again when somebody else has changed the same lines of a page, or has deleted it: both
//! texts, and how they differ. What was typed is in the form.

use super::address::{self, name};
use super::draft::{Draft, EditedPage, Section, text_format};
use super::form::form;
use crate::components::diff::{DiffLine, lines};
use crate::components::form_field::FieldKind;
use crate::components::form_page::{FileBox, FormPage};
use crate::content::received_files::ReceivedFiles;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::content::wiki::find;
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::validation::ValidationError;
use quarry_markup::sections::SplitText;
use quarry_store::content::wiki;

const CHANGED: &str = "Somebody else has changed the same lines since you opened this form. Your text is below, and was not saved yet. Add to it what should stay of the other text, and save.";
const CREATED: &str = "Somebody else has created this page meanwhile. Your text is below, and was not saved yet. Add to it what should stay of the other text, and save.";
const DELETED: &str = "Somebody else has deleted this page meanwhile. Your text is below. Save it to create the page again.";
const SECTION_GONE: &str = "The section that you have edited does not exist any more. Your text stands at the end of the whole text of the page below, and was not saved yet.";

#[derive(Template)]
#[template(path = "content/wiki/conflict.html")]
struct ConflictPage {
    frame: Frame,
    title: String,
    message: &'static str,
    form: FormPage,
    /// How the text of the form differs from the saved one.
    lines: Vec<DiffLine>,
    /// The text that somebody else has saved; `None` if the page was deleted.
    saved: Option<String>,
}

/// Returns the page, with status 409.
pub fn page(
    request: &RequestContext,
    edited: &EditedPage,
    draft: &Draft,
    files: &ReceivedFiles,
) -> Result<Reply, Error> {
    let reply = request
        .app
        .read(|db| conflict_page(request, db, edited, draft, files))?;
    Ok(reply.with_status(StatusCode::CONFLICT))
}

fn conflict_page(
    request: &RequestContext,
    db: &Read<'_>,
    edited: &EditedPage,
    draft: &Draft,
    files: &ReceivedFiles,
) -> Result<Reply, Error> {
    let title = edited.title.as_deref();
    let current = find(db, request.viewer(), edited.project, title)
        .ok()
        .map(quarry_actions::content::wiki::ResolvedPage::into_page);
    let edited = EditedPage {
        project: current.as_ref().map_or(edited.project, |page| page.project),
        title: match &current {
            Some(page) => Some(page.title.clone()),
            None => edited.title.clone(),
        },
        page: current,
    };
    let (mut draft, saved, message) = match &edited.page {
        Some(page) => rebased(db, page, draft)?,
        None => {
            let draft = Draft {
                version: 0,
                section: None,
                ..draft.clone()
            };
            (draft, None, DELETED)
        }
    };
    if let Some(page) = &edited.page {
        draft.parent = page.parent_title.clone().unwrap_or_default();
    }
    let mut form = form(request, db, &edited, &draft, &request.body)?
        .with_files(FileBox::new(request, db, files))
        .with_errors(ValidationError::for_record(message).into());
    form.messages.clear();
    let fields = form
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.fields);
    for field in fields.filter(|field| field.kind == FieldKind::LongText) {
        field.value.clone_from(&draft.text);
        // What has happened stands above the form.
        field.has_focus = false;
    }
    let project = address::project(db, edited.project)?;
    let view = ConflictPage {
        title: form.title.clone(),
        message,
        frame: address::frame(request, db, project, form.frame.title.clone())
            .with_width(Width::Medium)
            .below(
                edited.title.as_deref().map_or(String::new(), name),
                edited.path(project),
            ),
        lines: lines(
            saved.as_deref().unwrap_or_default(),
            &draft.text.replace("\r\n", "\n"),
        ),
        form,
        saved,
    };
    render(&view.frame, &view)
}

/// Returns what the form shows, now that it is based on the current version; the saved text to
/// compare with; and the message.
fn rebased(
    db: &Read<'_>,
    page: &WikiPage,
    draft: &Draft,
) -> Result<(Draft, Option<String>, &'static str), Error> {
    let current = wiki::find_version(db, page.id, page.version)?;
    let current = current.map_or(String::new(), |current| current.text.replace("\r\n", "\n"));
    let based_on_current = |text: String, section: Option<Section>| Draft {
        text,
        section,
        version: page.version,
        ..draft.clone()
    };
    if let Some(text) = draft.whole_text(db, Some(page))? {
        let message = if draft.version == 0 { CREATED } else { CHANGED };
        return Ok((based_on_current(text, None), Some(current), message));
    }
    // The text that the section was part of is not known.
    let number = draft.section.as_ref().map_or(0, |section| section.number);
    Ok(match SplitText::at(&current, text_format(db), number) {
        Some(split) => {
            let section = Section::new(number, &split.section);
            let draft = based_on_current(draft.text.clone(), Some(section));
            (draft, Some(split.section), CHANGED)
        }
        None => {
            let text = format!("{}\n\n{}", current.trim_end(), draft.text);
            (based_on_current(text, None), Some(current), SECTION_GONE)
        }
    })
}
