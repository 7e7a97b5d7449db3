//! Title and parent of wiki pages (compatibility 7).

use super::find::{require, resolve};
use crate::actions::ActionError;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{
    WikiChange, WikiPage, is_protected_by_name, is_same_title, normalize_title, validate_title,
};
use crate::store::wiki::Wiki;
use crate::store::{Read, StoreError, Write, wiki, wiki_redirects};
use jiff::Timestamp;

/// Returns the page with the requested title and parent, and adds their errors. A new page has the
/// id 0.
pub(super) fn apply(
    db: &Read<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    change: &WikiChange,
    errors: &mut ValidationErrors,
) -> Result<WikiPage, ActionError> {
    let mut after = page.clone();
    let is_new = page.id.0 == 0;
    if let Some(title) = change
        .title
        .value()
        .filter(|_| is_new || viewer.may(Permission::RenameWikiPages, page.project))
    {
        after.title = normalize_title(title);
    }
    if is_new || after.title != page.title {
        validate_title(&after.title, errors);
        if wiki::find(db, wiki.id, &after.title)?.is_some_and(|existing| existing.id != page.id) {
            errors.add("Title", "has already been taken");
        }
        if is_protected_by_name(&after.title) {
            require(viewer, Permission::ProtectWikiPages, page.project)?;
        }
    }
    match &change.parent {
        Patch::Unset => {}
        Patch::Clear => (after.parent, after.parent_title) = (None, None),
        Patch::Set(title) => match find_parent(db, viewer, wiki, page, title)? {
            Ok(parent) => {
                (after.parent, after.parent_title) = (Some(parent.id), Some(parent.title))
            }
            Err(message) => errors.add("Parent title", message),
        },
    }
    Ok(after)
}

/// Returns the page with this title if it can be the parent of the page; otherwise the error
/// message.
fn find_parent(
    db: &Read<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    page: &WikiPage,
    title: &str,
) -> Result<Result<WikiPage, &'static str>, ActionError> {
    let parent = resolve(db, viewer, wiki, title)?
        .map(super::ResolvedPage::into_page)
        .filter(|parent| parent.wiki == wiki.id);
    let Some(parent) = parent else {
        return Ok(Err("is invalid (this wiki has no such page)"));
    };
    let is_cycle = page.id.0 != 0
        && wiki::subtree(db, page.id)?
            .iter()
            .any(|descendant| descendant.id == parent.id);
    Ok(if is_cycle {
        Err("is invalid (a page cannot stand below itself)")
    } else {
        Ok(parent)
    })
}

/// Stores title and parent. Redirects the old title to the page unless the change disables that,
/// and keeps the start page of the wiki.
pub(super) fn move_page(
    db: &mut Write<'_>,
    wiki: &Wiki,
    before: &WikiPage,
    after: &WikiPage,
    change: &WikiChange,
    now: Timestamp,
) -> Result<(), StoreError> {
    if before.title == after.title && before.parent == after.parent {
        return Ok(());
    }
    wiki::update(db, after)?;
    if before.title == after.title {
        return Ok(());
    }
    wiki_redirects::delete(db, after.wiki, &after.title)?;
    if is_same_title(&before.title, &after.title) || change.without_redirect {
        wiki_redirects::retarget(db, after.wiki, &before.title, &after.title)?;
    } else {
        wiki_redirects::insert(db, after.wiki, &before.title, &after.title, now)?;
    }
    if is_same_title(&wiki.start_page, &before.title) {
        wiki::set_start_page(db, wiki.id, &after.title)?;
    }
    Ok(())
}
