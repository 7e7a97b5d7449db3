//! Moves, renames, protects and deletes wiki pages (compatibility 7).

use super::find::{find, require, require_on, resolve};
use crate::prelude::*;
use quarry_domain::content::wiki::{
    Wiki, WikiChange, WikiPage, WikiRedirect, is_protected_by_name, is_same_title, normalize_title,
    validate_title,
};
use quarry_domain::ids::WikiPageId;
use quarry_store::content::{wiki, wiki_redirects};

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
            errors.add("title", "Title", "has already been taken");
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
            Err(message) => errors.add("parent_title", "Parent title", message),
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
) -> Result<(), StoreError> {
    if before.title == after.title && before.parent == after.parent {
        return Ok(());
    }
    wiki::update(db, after)?;
    if before.title == after.title {
        return Ok(());
    }
    wiki_redirects::delete(db, after.wiki, &after.title)?;
    wiki_redirects::retarget(db, (after.wiki, &before.title), (after.wiki, &after.title))?;
    if !is_same_title(&before.title, &after.title) && !change.without_redirect {
        let redirect = WikiRedirect {
            wiki: after.wiki,
            title: before.title.clone(),
            target_wiki: after.wiki,
            target_title: after.title.clone(),
            created_on: db.now(),
        };
        wiki_redirects::insert(db, &redirect)?;
    }
    if is_same_title(&wiki.start_page, &before.title) {
        wiki::set_start_page(db, wiki.id, &after.title)?;
    }
    Ok(())
}

/// Sets the title and the parent of the page that the title resolves to, as far as the change has
/// them, and returns the page. The old title redirects to it unless the change disables that. Other
/// attributes are ignored.
///
/// # Errors
/// `Forbidden` if the viewer may not rename pages, or the page is protected from the viewer.
pub fn rename(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    change: &WikiChange,
) -> Result<WikiPage, ActionError> {
    let page = find(db, viewer, project, Some(title))?.into_page();
    require_on(viewer, Permission::RenameWikiPages, &page)?;
    let wiki = wiki::find_by_project(db, page.project)?.ok_or(ActionError::NotFound)?;
    let mut errors = ValidationErrors::new();
    if change.title == Patch::Clear || !change.title.is_present() && !change.parent.is_present() {
        errors.add("title", "Title", "cannot be blank");
    }
    let after = apply(db, viewer, &wiki, &page, change, &mut errors)?;
    errors.into_result().map_err(ActionError::Invalid)?;
    move_page(db, &wiki, &page, &after, change)?;
    Ok(after)
}

/// Sets whether only users who may protect pages can change the page that the title resolves to,
/// and returns it.
///
/// # Errors
/// `Invalid` for a page that is always protected.
pub fn protect(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    protected: bool,
) -> Result<WikiPage, ActionError> {
    let page = find(db, viewer, project, Some(title))?.into_page();
    require(viewer, Permission::ProtectWikiPages, page.project)?;
    if !protected && is_protected_by_name(&page.title) {
        return Err(ActionError::invalid_attribute(
            "protected",
            "Protected",
            "is invalid (this page is always protected)",
        ));
    }
    wiki::set_protected(db, page.id, protected)?;
    Ok(WikiPage { protected, ..page })
}

/// What happens to the child pages of a deleted page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// They have no parent any more.
    #[default]
    Nullify,
    /// They and their descendants are deleted.
    Destroy,
    /// They become children of this page.
    Reassign(WikiPageId),
}

/// Deletes the page that the title resolves to, with all its versions.
///
/// # Errors
/// `Forbidden`, also if a page that would be deleted is protected; `Invalid` if the new parent is
/// not a page of this wiki, or is one of the descendants.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    children: Children,
) -> Result<(), ActionError> {
    require(viewer, Permission::DeleteWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?;
    let page = resolve(db, viewer, &wiki, title)?
        .ok_or(ActionError::NotFound)?
        .into_page();
    require_on(viewer, Permission::DeleteWikiPages, &page)?;
    match children {
        Children::Nullify => {}
        Children::Reassign(id) => {
            let reassign_to =
                wiki::find_by_id(db, id)?.filter(|reassign_to| reassign_to.wiki == page.wiki);
            let subtree = wiki::subtree(db, page.id)?;
            if reassign_to.is_none_or(|reassign_to| {
                subtree
                    .iter()
                    .any(|descendant| descendant.id == reassign_to.id)
            }) {
                let message = "Reassign to is invalid (reassign_to_id is the number of a page of this wiki that does not stand below this one)";
                return Err(ActionError::invalid(message));
            }
            wiki::move_children(db, page.id, Some(id))?;
        }
        Children::Destroy => {
            let subtree = wiki::subtree(db, page.id)?;
            subtree
                .iter()
                .try_for_each(|page| require_on(viewer, Permission::DeleteWikiPages, page))?;
            subtree
                .iter()
                .filter(|descendant| descendant.id != page.id)
                .try_for_each(|descendant| wiki::delete(db, descendant))?;
        }
    }
    Ok(wiki::delete(db, &page)?)
}

/// Sets the start page of the wiki of a project. The page need not exist yet.
///
/// # Errors
/// `NotFound` if the project has none; `Invalid` for a title that no page can have.
pub fn set_start_page(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
) -> Result<(), ActionError> {
    require(viewer, Permission::ManageWiki, project)?;
    let found = wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?;
    let title = normalize_title(title);
    let mut errors = ValidationErrors::new();
    validate_title(&title, &mut errors);
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(wiki::set_start_page(db, found.id, &title)?)
}
