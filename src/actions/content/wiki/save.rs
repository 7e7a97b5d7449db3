//! Creates and updates wiki pages; each new text is a new version (compatibility 7).

use super::change::{apply, move_page};
use super::find::{require, require_on, resolve};
use crate::content::attachments::{NewUpload, attach};
use crate::notices;
use crate::prelude::*;
use quarry_domain::content::attachment::Container;
use quarry_domain::content::wiki::{
    MAX_COMMENT_LENGTH, Wiki, WikiChange, WikiPage, WikiVersion, is_protected_by_name,
    normalize_title,
};
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::text::is_blank;
use quarry_store::content::{attachments, wiki, wiki_redirects};

/// A saved page.
pub struct SavedPage {
    pub page: WikiPage,
    /// Its current version.
    pub version: WikiVersion,
    /// Whether it was created.
    pub is_new: bool,
    /// Whether the text was changed.
    pub has_new_version: bool,
}

/// Updates the page that this title resolves to, or creates it, and attaches the uploads.
///
/// An unchanged text creates no version, and then the base version does not matter (compatibility
/// 7).
///
/// # Errors
/// `Conflict` if the page was changed or deleted since the base version.
pub fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    wiki_change: &WikiChange,
    uploads: &[NewUpload],
) -> Result<SavedPage, ActionError> {
    require(viewer, Permission::EditWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?;
    let page = wiki
        .as_ref()
        .map_or(Ok(None), |wiki| resolve(db, viewer, wiki, title))?;
    let saved = match (wiki, page) {
        (Some(wiki), Some(page)) => update(db, viewer, &wiki, &page.into_page(), wiki_change),
        (wiki, _) => create(db, viewer, project, wiki, title, wiki_change),
    }?;
    attach(db, viewer, Kind::WikiPage, saved.page.id.0, uploads)?;
    delete_files(db, viewer, &saved.page, &wiki_change.deleted_files)?;
    if saved.has_new_version {
        notices::wiki_page_saved(db, &saved.page, &saved.version, saved.is_new)?;
    }
    Ok(saved)
}

fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    wiki_change: &WikiChange,
) -> Result<SavedPage, ActionError> {
    require_on(viewer, Permission::EditWikiPages, page)?;
    let other_wiki;
    let wiki = if page.wiki == wiki.id {
        wiki
    } else {
        other_wiki = wiki::find_by_project(db, page.project)?.ok_or(ActionError::NotFound)?;
        &other_wiki
    };
    let mut errors = ValidationErrors::new();
    validate(wiki_change, "Text field", &mut errors);
    let current = wiki::find_version(db, page.id, page.version)?;
    let text = wiki_change.text.value().map_or("", String::as_str);
    // An imported text may be longer if it is unchanged.
    if current.as_ref().is_none_or(|current| current.text != text) {
        errors.limit_text("text", "Text", text, db.catalogue().max_text_length());
    }
    let mut after = apply(db, viewer, wiki, page, wiki_change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    let version = match current.filter(|current| current.text == text) {
        Some(current) => current,
        None => {
            if wiki_change
                .base_version
                .value()
                .is_some_and(|base| *base != page.version)
            {
                return Err(conflict(viewer, page));
            }
            let version = new_version(db, viewer, wiki::next_version(db, page.id)?, wiki_change);
            wiki::insert_version(db, page.id, &version)?;
            version
        }
    };
    let has_new_version = version.version != page.version;
    after.version = version.version;
    move_page(db, wiki, page, &after, wiki_change)?;
    apply_start_page(db, viewer, wiki, &after, wiki_change)?;
    Ok(SavedPage {
        page: after,
        version,
        is_new: false,
        has_new_version,
    })
}

fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    wiki: Option<Wiki>,
    title: &str,
    wiki_change: &WikiChange,
) -> Result<SavedPage, ActionError> {
    let wiki = match wiki {
        Some(wiki) => wiki,
        None => {
            wiki::insert(db, project)?;
            wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?
        }
    };
    let draft = WikiPage {
        wiki: wiki.id,
        project,
        title: normalize_title(title),
        version: 1,
        created_on: db.now(),
        ..WikiPage::default()
    };
    let mut errors = ValidationErrors::new();
    // Redmine creates pages without a text; for that case the message is ours.
    validate(
        wiki_change,
        if wiki_change.text.is_present() {
            "Text field"
        } else {
            "Text"
        },
        &mut errors,
    );
    errors.limit_text(
        "text",
        "Text",
        wiki_change.text.value().map_or("", String::as_str),
        db.catalogue().max_text_length(),
    );
    let mut page = apply(db, viewer, &wiki, &draft, wiki_change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    if wiki_change
        .base_version
        .value()
        .is_some_and(|base| *base != 0)
    {
        return Err(ActionError::Conflict(
            "There is no such page any more; send no version, or version 0, to make it".to_owned(),
        ));
    }
    page.protected = is_protected_by_name(&page.title);
    let version = new_version(db, viewer, page.version, wiki_change);
    page.id = wiki::insert_page(db, &page, std::slice::from_ref(&version))?;
    wiki_redirects::delete(db, page.wiki, &page.title)?;
    apply_start_page(db, viewer, &wiki, &page, wiki_change)?;
    Ok(SavedPage {
        page,
        version,
        is_new: true,
        has_new_version: true,
    })
}

/// Adds the errors of text and comment, in the order of Redmine.
fn validate(wiki_change: &WikiChange, label: &str, errors: &mut ValidationErrors) {
    if wiki_change.text.value().is_none_or(|text| is_blank(text)) {
        errors.add("text", label, "cannot be blank");
    }
    if wiki_change
        .comments
        .as_ref()
        .is_some_and(|comments| comments.chars().count() > MAX_COMMENT_LENGTH)
    {
        errors.add(
            "comments",
            "Comment",
            &format!("is too long (maximum is {MAX_COMMENT_LENGTH} characters)"),
        );
    }
}

/// Returns the error of an outdated base version. It reveals the current version only to viewers
/// who may see the page.
fn conflict(viewer: &Viewer, page: &WikiPage) -> ActionError {
    let now = if viewer.may(Permission::ViewWikiPages, page.project) {
        format!(": it is in version {} now", page.version)
    } else {
        String::new()
    };
    ActionError::Conflict(format!(
        "The page was changed since the version that you saw{now}; read it again and send your text with its version"
    ))
}

fn new_version(
    db: &Read<'_>,
    viewer: &Viewer,
    version: i64,
    wiki_change: &WikiChange,
) -> WikiVersion {
    WikiVersion {
        version,
        author: viewer.user,
        comments: wiki_change.comments.clone(),
        updated_on: db.now(),
        text: wiki_change.text.value().cloned().unwrap_or_default(),
    }
}

/// Deletes files of the page, if the viewer may. The cleanup job deletes their contents.
fn delete_files(
    db: &mut Write<'_>,
    viewer: &Viewer,
    page: &WikiPage,
    files: &[AttachmentId],
) -> Result<(), ActionError> {
    if !viewer.may(Permission::DeleteWikiPagesAttachments, page.project) {
        return Ok(());
    }
    let container = Container {
        container_type: Kind::WikiPage.into(),
        id: page.id.0,
    };
    for id in files {
        if let Some(file) =
            attachments::find(db, *id)?.filter(|file| file.container == Some(container))
        {
            attachments::delete(db, &file)?;
        }
    }
    Ok(())
}

/// Makes the page the start page if requested, and if the viewer may manage the wiki.
fn apply_start_page(
    db: &mut Write<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    wiki_change: &WikiChange,
) -> Result<(), ActionError> {
    if wiki_change.is_start_page && viewer.may(Permission::ManageWiki, page.project) {
        wiki::set_start_page(db, wiki.id, &page.title)?;
    }
    Ok(())
}
