//! `GET` and `POST /projects/:id/wiki/new`, `…/wiki/:title/edit`: the form of a page, or of one of
//! its sections.

use super::address::{self, Target, name, path};
use super::conflict;
use super::draft::{Draft, EditedPage, Section, text_format};
use super::show::requested_version;
use super::tree::{self, PageField};
use crate::access;
use crate::attachments::{ReceivedFiles, receive};
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::{FileBox, FormPage};
use crate::form::show_again;
use crate::frame::{Flash, Width};
use crate::render::redirect_with;
use quarry_actions::wiki::{SavedPage, find as find_page, rebase, save as save_page};
use quarry_domain::access::permission::Permission;
use quarry_domain::content::wiki::{WikiChange, WikiPage, is_protected_by_name, normalize_title};
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::project::Project;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::is_blank;
use quarry_http::resources::{fields, paths};
use quarry_http::{Error, Reply, RequestContext};
use quarry_markup::sections::SplitText;
use quarry_store::Read;
use quarry_store::content::{attachments, wiki as store};
use quarry_wire::Input;

/// How often a change is based on the current version, when others save at the same moment, before
/// a person has to merge it.
const MAX_ATTEMPTS: usize = 20;

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
        return Ok(Reply::redirect(format!(
            "{}/edit",
            path(project, &page.title)
        )));
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
) -> Result<(SavedPage, String), Error> {
    let parsed = fields::wiki_page::parse(&request.body)?;
    let project = edited.project;
    let title = match &edited.title {
        Some(title) => title.clone(),
        None => request
            .app
            .read(|db| new_title(request, db, project, &parsed))?,
    };
    let text = request
        .app
        .read(|db| draft.whole_text(db, edited.page.as_ref()))?
        .ok_or_else(|| Error::Conflict(String::new()))?;
    let typed_parent = normalize_title(parsed.parent.value().map_or("", String::as_str));
    let change = WikiChange {
        text: Patch::Set(text.clone()),
        comments: parsed.comments.filter(|comments| !comments.is_empty()),
        base_version: Patch::Set(draft.version),
        // What somebody else has chosen meanwhile stays.
        parent: if draft.section.is_some() || typed_parent == normalize_title(&draft.parent) {
            Patch::Unset
        } else {
            parsed.parent
        },
        deleted_files: parsed.deleted_files,
        ..WikiChange::default()
    };
    for attempt in 1..=MAX_ATTEMPTS {
        let mut is_merged = false;
        let mut change = change.clone();
        // A text that is missing is an error, whatever the version.
        if !is_blank(&text) {
            let rebased = request.app.read(|db| -> Result<_, Error> {
                Ok(rebase(db, request.viewer(), project, &title, change)?)
            })?;
            let rebased = rebased.ok_or_else(|| Error::Conflict(String::new()))?;
            is_merged = rebased.is_merged;
            change = rebased.change;
        }
        let uploads = files.uploads();
        let title = title.clone();
        let saved = request.write_in_project(project, move |db, viewer| {
            save_page(db, viewer, project, &title, &change, &uploads)
        });
        match saved {
            Err(Error::Conflict(_)) if attempt < MAX_ATTEMPTS => {}
            Err(error) => return Err(error),
            Ok(saved) => {
                let message = if is_merged {
                    "The page was saved, together with what somebody else has changed meanwhile."
                } else if saved.is_new {
                    "The page was created."
                } else {
                    "The page was saved."
                };
                return Ok((saved, message.to_owned()));
            }
        }
    }
    Err(Error::Conflict(String::new()))
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
