//! `GET` and `POST /projects/:id/wiki/new`, `…/wiki/:title/edit`: the form of a page, or of one of
//! its sections.

use super::address::{self, Target, name};
use super::conflict;
use super::draft::{Draft, EditedPage, Section, text_format};
use super::form::form;
use super::show::requested_version;
use crate::access;
use crate::components::form_page::FileBox;
use crate::content::received_files::{ReceivedFiles, receive};
use crate::form::show_again;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::content::wiki::{
    SavedPage, find as find_page, rebase, save as save_page, save_merged,
};
use quarry_domain::content::wiki::{WikiChange, is_protected_by_name, normalize_title};
use quarry_http::resources::fields;
use quarry_markup::sections::SplitText;

/// `GET /projects/:id/wiki/new`: the form of a page whose title is a field.
pub fn new(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let edited = EditedPage::with_new_title(request, db)?;
    form(request, db, &edited, &Draft::default(), &request.query)?.render()
}

/// `POST /projects/:id/wiki/new`: creates the page.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let edited = request
        .app
        .read(|db| EditedPage::with_new_title(request, db))?;
    submit(request, &edited)
}

/// `GET …/wiki/:title/edit`: the form. `section` is the number of a section, `version` that of an
/// old version to restore.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let target = address::find(request, db)?;
    if let Target::Moved(project, page) = &target {
        return Ok(address::redirect(request, project, page, "/edit"));
    }
    let edited = EditedPage::new(request, target)?;
    let Some(page) = &edited.page else {
        return form(request, db, &edited, &Draft::default(), &request.query)?.render();
    };
    let stored = requested_version(request, db, page)?;
    let is_old = stored
        .as_ref()
        .is_some_and(|stored| stored.version != page.version);
    let mut draft = Draft {
        comments: match &stored {
            Some(stored) if is_old => format!("Restored version {}", stored.version),
            _ => String::new(),
        },
        text: stored.map(|stored| stored.text).unwrap_or_default(),
        version: page.version,
        page: Some(page.id.0),
        section: None,
        parent: page.parent_title.clone().unwrap_or_default(),
    };
    if let Some(number) = request.query_param("section") {
        let number = number.parse().map_err(|_| access::missing(request))?;
        let split = SplitText::at(&draft.text, text_format(db), number);
        let split = split.ok_or_else(|| access::missing(request))?;
        draft.section = Some(Section::new(number, &split.section));
        draft.text = split.section;
    }
    form(request, db, &edited, &draft, &Input::Null)?.render()
}

/// `POST …/wiki/:title/edit`: saves the page, or creates it.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let edited = request
        .app
        .read(|db| EditedPage::new(request, address::find(request, db)?))?;
    submit(request, &edited)
}

/// Saves what was sent. Files are kept when something else is wrong.
fn submit(request: &RequestContext, edited: &EditedPage) -> Result<Reply, Error> {
    let files = receive(request)?;
    let draft = Draft::from_body(&request.body);
    let result = if files.errors.is_empty() {
        save(request, edited, &draft, &files)
    } else {
        Err(Error::Invalid(ValidationErrors::new()))
    };
    let errors = match result {
        Ok((saved, message)) => {
            let path = paths::below_project(
                &*request.app.store.catalogue()?,
                saved.page.project,
                &format!("/wiki/{}", paths::encode(&saved.page.title)),
            );
            return Ok(redirect_with(request, path, &Flash::notice(message)));
        }
        Err(Error::Invalid(errors)) => errors,
        Err(Error::Conflict(_)) => return conflict::page(request, edited, &draft, &files),
        Err(error) => return Err(error),
    };
    show_again(request, |db| {
        form(request, db, edited, &draft, &request.body)?
            .with_files(FileBox::new(request, db, &files))
            .with_errors(errors)
            .render()
    })
}

/// Saves the page, merged with what somebody else has saved meanwhile, and returns what to say.
fn save(
    request: &RequestContext,
    edited: &EditedPage,
    draft: &Draft,
    files: &ReceivedFiles,
) -> Result<(SavedPage, &'static str), Error> {
    // Another page has the title of one that was deleted meanwhile.
    let current = edited.page.as_ref().map(|page| page.id.0);
    if draft.page.is_some() && current.is_some() && draft.page != current {
        return Err(Error::Conflict(String::new()));
    }
    let parsed = fields::wiki_page::parse(&request.body)?;
    let project = edited.project;
    let (title, change) = request.app.read(|db| -> Result<_, Error> {
        let title = match &edited.title {
            Some(title) => title.clone(),
            None => new_title(request, db, project, &parsed)?,
        };
        let text = draft.whole_text(db, edited.page.as_ref())?;
        let text = text.ok_or_else(|| Error::Conflict(String::new()))?;
        Ok((title, draft.change(text, parsed)))
    })?;
    let merged = save_merged(
        &|| {
            request.app.read(|db| {
                rebase(db, request.viewer(), project, &title, change.clone()).map_err(Error::from)
            })
        },
        &|change| {
            let title = title.clone();
            let uploads = files.uploads();
            request.write_in_project(project, move |db, viewer| {
                save_page(db, viewer, project, &title, &change, &uploads)
            })
        },
        |error| matches!(error, Error::Conflict(_)),
    )?;
    let message = if merged.is_merged {
        "The page was saved, together with what somebody else has changed meanwhile."
    } else if merged.saved.is_new {
        "The page was created."
    } else {
        "The page was saved."
    };
    Ok((merged.saved, message))
}

/// Returns the title of a new page from the form.
fn new_title(
    request: &RequestContext,
    db: &Read<'_>,
    project: ProjectId,
    change: &WikiChange,
) -> Result<String, Error> {
    let title = normalize_title(change.title.value().map_or("", String::as_str));
    let message = if name(&title).trim().is_empty() {
        "cannot be blank"
    } else if find_page(db, request.viewer(), project, Some(&title)).is_ok() {
        "has already been taken"
    } else if is_protected_by_name(&title)
        && !request.viewer().may(Permission::ProtectWikiPages, project)
    {
        "is invalid (only users who may protect pages can create this page)"
    } else {
        return Ok(title);
    };
    Err(Error::invalid_attribute("title", "Title", message))
}
