//! Writing a page: the first time it is made, then each new text is a new version (compatibility 7).

use super::find::{lead, require, require_on};
use super::move_page::{move_page, placed};
use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::attachment::Container;
use crate::domain::clock::Clock;
use crate::domain::ids::{AttachmentId, ProjectId, WikiPageId};
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{MAX_COMMENT_LENGTH, WikiChange, WikiPage, WikiVersion, is_protected_by_name, normalize_title};
use crate::store::wiki::{NewPage, NewVersion, Wiki};
use crate::store::{Write, attachments, wiki, wiki_redirects};

/// A page that was written.
pub struct Saved {
    /// The page.
    pub page: WikiPage,
    /// What it says now.
    pub version: WikiVersion,
    /// Whether it was made just now.
    pub is_new: bool,
}

/// Updates the page that this title resolves to, or creates it, and attaches the uploads.
///
/// A text that is not new makes no version, and then it does not matter which version the viewer saw (compatibility 7).
///
/// # Errors
/// `Forbidden`; `Invalid` with a sentence for each attribute; `Conflict` when the page is not in the version that the viewer
/// saw: it was changed since, or it is gone.
pub fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    wiki_change: &WikiChange,
    uploads: &[NewUpload],
    clock: &dyn Clock,
) -> Result<Saved, ActionError> {
    require(viewer, Permission::EditWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?;
    let found = wiki.as_ref().map_or(Ok(None), |wiki| lead(db, viewer, wiki, title))?;
    let saved = match (wiki, found) {
        (Some(wiki), Some(found)) => change(db, viewer, &wiki, &found.into_page(), wiki_change, clock),
        (wiki, _) => create(db, viewer, project, wiki, title, wiki_change, clock),
    }?;
    attach(db, viewer, Kind::WikiPage, saved.page.id.0, uploads)?;
    take_files(db, viewer, &saved.page, &wiki_change.deleted_files)?;
    Ok(saved)
}

fn change(
    db: &mut Write<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    wiki_change: &WikiChange,
    clock: &dyn Clock,
) -> Result<Saved, ActionError> {
    require_on(viewer, Permission::EditWikiPages, page)?;
    let moved;
    let wiki = if page.wiki == wiki.id {
        wiki
    } else {
        moved = wiki::find_by_project(db, page.project)?.ok_or(ActionError::NotFound)?;
        &moved
    };
    let mut errors = ValidationErrors::new();
    validate(wiki_change, "Text field", &mut errors);
    let current = wiki::find_version(db, page.id, page.version)?;
    let text = wiki_change.text.value().map_or("", String::as_str);
    // A text that was imported may be longer as long as it stays.
    if current.as_ref().is_none_or(|current| current.text != text) {
        errors.limit_text("Text", text, db.catalogue().max_text_length());
    }
    let mut after = placed(db, viewer, wiki, page, wiki_change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    let version = match current.filter(|current| current.text == text) {
        Some(current) => current,
        None => {
            if wiki_change.base_version.value().is_some_and(|seen| *seen != page.version) {
                return Err(changed_since(viewer, page));
            }
            let version = new_version(viewer, wiki::next_version(db, page.id)?, wiki_change, clock);
            wiki::insert_version(db, page.id, &stored(&version))?;
            version
        }
    };
    after.version = version.version;
    move_page(db, wiki, page, &after, wiki_change, clock.now())?;
    begin_with(db, viewer, wiki, &after, wiki_change)?;
    Ok(Saved { page: after, version, is_new: false })
}

fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    wiki: Option<Wiki>,
    title: &str,
    wiki_change: &WikiChange,
    clock: &dyn Clock,
) -> Result<Saved, ActionError> {
    let wiki = match wiki {
        Some(wiki) => wiki,
        None => {
            wiki::insert(db, project)?;
            wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?
        }
    };
    let draft = WikiPage {
        id: WikiPageId(0),
        wiki: wiki.id,
        project,
        title: normalize_title(title),
        parent: None,
        parent_title: None,
        protected: false,
        version: 1,
        created_on: clock.now(),
    };
    let mut errors = ValidationErrors::new();
    // Redmine calls it a field where it demands a text; where it makes a page without one, the sentence is ours.
    validate(wiki_change, if wiki_change.text.is_present() { "Text field" } else { "Text" }, &mut errors);
    errors.limit_text("Text", wiki_change.text.value().map_or("", String::as_str), db.catalogue().max_text_length());
    let mut page = placed(db, viewer, &wiki, &draft, wiki_change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    if wiki_change.base_version.value().is_some_and(|seen| *seen != 0) {
        return Err(ActionError::Conflict("There is no such page any more; send no version, or version 0, to make it".to_owned()));
    }
    page.protected = is_protected_by_name(&page.title);
    let version = new_version(viewer, page.version, wiki_change, clock);
    let new = NewPage {
        wiki: page.wiki,
        title: &page.title,
        parent: page.parent.map(i64::from),
        protected: page.protected,
        created_on: page.created_on,
        versions: &[stored(&version)],
    };
    page.id = wiki::insert_page(db, &new)?.into();
    wiki_redirects::delete(db, page.wiki, &page.title)?;
    begin_with(db, viewer, &wiki, &page, wiki_change)?;
    Ok(Saved { page, version, is_new: true })
}

/// What is wrong with the text and the comment, in the order in which Redmine says it.
fn validate(wiki_change: &WikiChange, label: &str, errors: &mut ValidationErrors) {
    if wiki_change.text.value().is_none_or(|text| is_blank(text)) {
        errors.add(label, "cannot be blank");
    }
    if wiki_change.comments.as_ref().is_some_and(|comments| comments.chars().count() > MAX_COMMENT_LENGTH) {
        errors.add("Comment", &format!("is too long (maximum is {MAX_COMMENT_LENGTH} characters)"));
    }
}

/// Who may not read the page is told no number.
fn changed_since(viewer: &Viewer, page: &WikiPage) -> ActionError {
    let now = match viewer.may(Permission::ViewWikiPages, page.project) {
        true => format!(": it is in version {} now", page.version),
        false => String::new(),
    };
    ActionError::Conflict(format!(
        "The page was changed since the version that you saw{now}; read it again and send your text with its version"
    ))
}

fn new_version(viewer: &Viewer, number: i64, wiki_change: &WikiChange, clock: &dyn Clock) -> WikiVersion {
    WikiVersion {
        version: number,
        author: viewer.user,
        comments: wiki_change.comments.clone(),
        updated_on: clock.now(),
        text: wiki_change.text.value().cloned().unwrap_or_default(),
    }
}

fn stored(version: &WikiVersion) -> NewVersion<'_> {
    NewVersion {
        version: version.version,
        author: version.author,
        comments: version.comments.as_deref(),
        updated_on: version.updated_on,
        text: &version.text,
    }
}

/// Takes files from the page, as far as they hang on it and the viewer may. What they contain is tidied away later.
fn take_files(db: &mut Write<'_>, viewer: &Viewer, page: &WikiPage, files: &[AttachmentId]) -> Result<(), ActionError> {
    if !viewer.may(Permission::DeleteWikiPagesAttachments, page.project) {
        return Ok(());
    }
    let here = Container { container_type: Kind::WikiPage.into(), id: page.id.0 };
    for id in files {
        if let Some(file) = attachments::find(db, *id)?.filter(|file| file.container == Some(here)) {
            attachments::delete(db, &file)?;
        }
    }
    Ok(())
}

/// Who manages the wiki may let it begin with the page.
fn begin_with(db: &mut Write<'_>, viewer: &Viewer, wiki: &Wiki, page: &WikiPage, wiki_change: &WikiChange) -> Result<(), ActionError> {
    if wiki_change.is_start_page && viewer.may(Permission::ManageWiki, page.project) {
        wiki::set_start_page(db, wiki.id, &page.title)?;
    }
    Ok(())
}
