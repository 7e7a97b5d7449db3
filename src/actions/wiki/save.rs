//! Writing a page: the first time it is made, then each new text is a new version (spec, "Wiki pages"; contract 5).

use super::find::{lead, require, require_on};
use super::place::{move_page, placed};
use crate::actions::Refused;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::attachment::Container;
use crate::domain::clock::Clock;
use crate::domain::ids::{AttachmentId, ProjectId, WikiPageId};
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::text::is_blank;
use crate::domain::validation::Complaints;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{LONGEST_COMMENT, WikiChange, WikiPage, WikiVersion, is_protected_by_name, normalised};
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

/// Writes the page that this title leads to, or makes it, and hangs the uploads on it.
///
/// A text that is not new makes no version, and then it does not matter which version the asker saw (contract 5).
///
/// # Errors
/// `Forbidden`; `Invalid` with a sentence for each attribute; `Conflict` when the page is not in the version that the asker
/// saw: it was changed since, or it is gone.
pub fn save(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    asked: &WikiChange,
    uploads: &[NewUpload],
    clock: &dyn Clock,
) -> Result<Saved, Refused> {
    require(viewer, Permission::EditWikiPages, project)?;
    let wiki = wiki::of_project(db, project)?;
    let found = wiki.as_ref().map_or(Ok(None), |wiki| lead(db, viewer, wiki, title))?;
    let saved = match (wiki, found) {
        (Some(wiki), Some(found)) => change(db, viewer, &wiki, &found.page(), asked, clock),
        (wiki, _) => create(db, viewer, project, wiki, title, asked, clock),
    }?;
    attach(db, viewer, Kind::WikiPage, saved.page.id.0, uploads)?;
    take_files(db, viewer, &saved.page, &asked.without_files)?;
    Ok(saved)
}

fn change(
    db: &mut Write<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    asked: &WikiChange,
    clock: &dyn Clock,
) -> Result<Saved, Refused> {
    require_on(viewer, Permission::EditWikiPages, page)?;
    let moved;
    let wiki = if page.wiki == wiki.id {
        wiki
    } else {
        moved = wiki::of_project(db, page.project)?.ok_or(Refused::NotFound)?;
        &moved
    };
    let mut complaints = Complaints::new();
    judge(asked, "Text field", &mut complaints);
    let current = wiki::find_version(db, page.id, page.version)?;
    let text = asked.text.value().map_or("", String::as_str);
    // A text that was imported may be longer as long as it stays.
    if current.as_ref().is_none_or(|current| current.text != text) {
        complaints.limit_text("Text", text, db.catalogue().max_text_length());
    }
    let mut after = placed(db, viewer, wiki, page, asked, &mut complaints)?;
    complaints.into_result().map_err(Refused::Invalid)?;
    let version = match current.filter(|current| current.text == text) {
        Some(current) => current,
        None => {
            if asked.seen.value().is_some_and(|seen| *seen != page.version) {
                return Err(changed_since(viewer, page));
            }
            let version = new_version(viewer, wiki::next_version(db, page.id)?, asked, clock);
            wiki::insert_version(db, page.id, &stored(&version))?;
            version
        }
    };
    after.version = version.version;
    move_page(db, wiki, page, &after, asked, clock.now())?;
    begin_with(db, viewer, wiki, &after, asked)?;
    Ok(Saved { page: after, version, is_new: false })
}

fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    wiki: Option<Wiki>,
    title: &str,
    asked: &WikiChange,
    clock: &dyn Clock,
) -> Result<Saved, Refused> {
    let wiki = match wiki {
        Some(wiki) => wiki,
        None => {
            wiki::insert(db, project)?;
            wiki::of_project(db, project)?.ok_or(Refused::NotFound)?
        }
    };
    let draft = WikiPage {
        id: WikiPageId(0),
        wiki: wiki.id,
        project,
        title: normalised(title),
        parent: None,
        parent_title: None,
        protected: false,
        version: 1,
        created_on: clock.now(),
    };
    let mut complaints = Complaints::new();
    // Redmine calls it a field where it demands a text; where it makes a page without one, the sentence is ours.
    judge(asked, if asked.text.is_mentioned() { "Text field" } else { "Text" }, &mut complaints);
    complaints.limit_text("Text", asked.text.value().map_or("", String::as_str), db.catalogue().max_text_length());
    let mut page = placed(db, viewer, &wiki, &draft, asked, &mut complaints)?;
    complaints.into_result().map_err(Refused::Invalid)?;
    if asked.seen.value().is_some_and(|seen| *seen != 0) {
        return Err(Refused::Conflict("There is no such page any more; send no version, or version 0, to make it".to_owned()));
    }
    page.protected = is_protected_by_name(&page.title);
    let version = new_version(viewer, page.version, asked, clock);
    let new = NewPage {
        wiki: page.wiki,
        title: &page.title,
        parent: page.parent.map(i64::from),
        protected: page.protected,
        created_on: page.created_on,
        versions: &[stored(&version)],
    };
    page.id = wiki::insert_page(db, &new)?.into();
    wiki_redirects::remove(db, page.wiki, &page.title)?;
    begin_with(db, viewer, &wiki, &page, asked)?;
    Ok(Saved { page, version, is_new: true })
}

/// What is wrong with the text and the comment, in the order in which Redmine says it.
fn judge(asked: &WikiChange, label: &str, complaints: &mut Complaints) {
    if asked.text.value().is_none_or(|text| is_blank(text)) {
        complaints.add(label, "cannot be blank");
    }
    if asked.comments.as_ref().is_some_and(|comments| comments.chars().count() > LONGEST_COMMENT) {
        complaints.add("Comment", &format!("is too long (maximum is {LONGEST_COMMENT} characters)"));
    }
}

/// Who may not read the page is told no number.
fn changed_since(viewer: &Viewer, page: &WikiPage) -> Refused {
    let now = match viewer.may(Permission::ViewWikiPages, page.project) {
        true => format!(": it is in version {} now", page.version),
        false => String::new(),
    };
    Refused::Conflict(format!(
        "The page was changed since the version that you saw{now}; read it again and send your text with its version"
    ))
}

fn new_version(viewer: &Viewer, number: i64, asked: &WikiChange, clock: &dyn Clock) -> WikiVersion {
    WikiVersion {
        version: number,
        author: viewer.user,
        comments: asked.comments.clone(),
        updated_on: clock.now(),
        text: asked.text.value().cloned().unwrap_or_default(),
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
fn take_files(db: &mut Write<'_>, viewer: &Viewer, page: &WikiPage, files: &[AttachmentId]) -> Result<(), Refused> {
    if !viewer.may(Permission::DeleteWikiPagesAttachments, page.project) {
        return Ok(());
    }
    let here = Container { holder: Kind::WikiPage.into(), id: page.id.0 };
    for id in files {
        if let Some(file) = attachments::find(db, *id)?.filter(|file| file.container == Some(here)) {
            attachments::remove(db, &file)?;
        }
    }
    Ok(())
}

/// Who manages the wiki may let it begin with the page.
fn begin_with(db: &mut Write<'_>, viewer: &Viewer, wiki: &Wiki, page: &WikiPage, asked: &WikiChange) -> Result<(), Refused> {
    if asked.is_start_page && viewer.may(Permission::ManageWiki, page.project) {
        wiki::change_start_page(db, wiki.id, &page.title)?;
    }
    Ok(())
}
