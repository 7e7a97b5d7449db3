//! Moves wiki pages to the wiki of another project.

use super::change::apply;
use super::find::{find, require_on};
use crate::prelude::*;
use quarry_domain::content::wiki::{
    Wiki, WikiChange, WikiPage, WikiRedirect, is_protected_by_name, is_same_title,
};
use quarry_store::content::{wiki, wiki_redirects};

/// Whether the viewer may move pages to the wiki of this project.
pub fn may_receive(viewer: &Viewer, project: ProjectId) -> bool {
    viewer.may(Permission::RenameWikiPages, project)
        && viewer.may(Permission::ViewWikiPages, project)
}

/// Moves the page that the title resolves to, and all pages below it, to the wiki of another
/// project, and returns the page there. It gets the title and the parent of the change, or else its
/// title and no parent. The old addresses redirect unless the change disables that.
///
/// # Errors
/// `Forbidden` if the viewer may not rename pages in both projects, or one of the pages is
/// protected from the viewer; `Invalid` with a message for each attribute, also if the other wiki
/// has a page with the title of one below.
pub fn transfer(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: &str,
    target: ProjectId,
    change: &WikiChange,
) -> Result<WikiPage, ActionError> {
    let page = find(db, viewer, project, Some(title))?.into_page();
    let subtree = wiki::subtree(db, page.id)?;
    subtree
        .iter()
        .try_for_each(|page| require_on(viewer, Permission::RenameWikiPages, page))?;
    if !may_receive(viewer, target) || target == page.project {
        return Err(ActionError::Forbidden);
    }
    let target_wiki = match wiki::find_by_project(db, target)? {
        Some(wiki) => wiki,
        None => {
            wiki::insert(db, target)?;
            wiki::find_by_project(db, target)?.ok_or(ActionError::NotFound)?
        }
    };
    let draft = WikiPage {
        wiki: target_wiki.id,
        project: target,
        parent: None,
        parent_title: None,
        ..page.clone()
    };
    let mut errors = ValidationErrors::new();
    if change.title == Patch::Clear {
        errors.add("title", "Title", "cannot be blank");
    }
    let after = apply(db, viewer, &target_wiki, &draft, change, &mut errors)?;
    // Otherwise the title was checked.
    if after.title == page.title && wiki::find(db, target_wiki.id, &after.title)?.is_some() {
        errors.add("title", "Title", "has already been taken");
    }
    for descendant in subtree.iter().filter(|descendant| descendant.id != page.id) {
        let is_taken = is_same_title(&descendant.title, &after.title)
            || wiki::find(db, target_wiki.id, &descendant.title)?.is_some();
        if is_taken {
            let message = format!(
                "cannot be moved, because the other wiki has a page “{}” already",
                descendant.title
            );
            errors.add("project_id", "Page", &message);
            break;
        }
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    for moved in &subtree {
        let moved_after = if moved.id == page.id {
            after.clone()
        } else {
            WikiPage {
                wiki: target_wiki.id,
                project: target,
                ..moved.clone()
            }
        };
        let is_protected_there = is_protected_by_name(&moved_after.title);
        if is_protected_there && !viewer.may(Permission::ProtectWikiPages, target) {
            return Err(ActionError::Forbidden);
        }
        move_page(db, moved, &moved_after, &target_wiki, change)?;
    }
    Ok(after)
}

fn move_page(
    db: &mut Write<'_>,
    before: &WikiPage,
    after: &WikiPage,
    target: &Wiki,
    change: &WikiChange,
) -> Result<(), ActionError> {
    wiki::move_to_wiki(db, after)?;
    wiki_redirects::delete(db, target.id, &after.title)?;
    wiki_redirects::retarget(db, (before.wiki, &before.title), (target.id, &after.title))?;
    if !change.without_redirect {
        let redirect = WikiRedirect {
            wiki: before.wiki,
            title: before.title.clone(),
            target_wiki: target.id,
            target_title: after.title.clone(),
            created_on: db.now(),
        };
        wiki_redirects::insert(db, &redirect)?;
    }
    Ok(())
}
