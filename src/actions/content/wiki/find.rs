//! Finds wiki pages (compatibility 7).

use crate::prelude::*;
use quarry_domain::content::wiki::{Wiki, WikiPage, WikiVersion};
use quarry_domain::projects::module::Module;
use quarry_store::content::{wiki, wiki_redirects};

/// The page that a title resolves to.
pub enum ResolvedPage {
    /// The page with this title.
    Current(WikiPage),
    /// The page that had this title before it was renamed.
    Renamed(WikiPage),
}

/// Returns the wiki of the project; `None` if it has none yet.
///
/// # Errors
/// `NotFound` if the viewer can see the project, but wikis are disabled and there is none.
pub fn find_wiki(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Option<Wiki>, ActionError> {
    let wiki = wiki::find_by_project(db, project)?;
    let is_disabled = db
        .catalogue()
        .projects
        .get(&project)
        .is_some_and(|project| !project.modules.contains(Module::Wiki));
    if wiki.is_none() && is_disabled && viewer.rights(project).is_some() {
        return Err(ActionError::NotFound);
    }
    require(viewer, Permission::ViewWikiPages, project)?;
    Ok(wiki)
}

/// Returns the page that the title resolves to in the project's wiki; without a title, the start
/// page.
///
/// # Errors
/// `NotFound` if the title resolves to no page.
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
    title: Option<&str>,
) -> Result<ResolvedPage, ActionError> {
    let wiki = find_wiki(db, viewer, project)?.ok_or(ActionError::NotFound)?;
    resolve(db, viewer, &wiki, title.unwrap_or(&wiki.start_page))?.ok_or(ActionError::NotFound)
}

/// Returns a version of a page; `None` for the current version means that the page was imported
/// without a text.
///
/// # Errors
/// `Forbidden` if a version is requested and the viewer may not see versions; `NotFound` if there
/// is no such version.
pub fn find_version(
    db: &Read<'_>,
    viewer: &Viewer,
    page: &WikiPage,
    version: Option<i64>,
) -> Result<Option<WikiVersion>, ActionError> {
    let Some(version) = version else {
        return Ok(wiki::find_version(db, page.id, page.version)?);
    };
    require(viewer, Permission::ViewWikiEdits, page.project)?;
    wiki::find_version(db, page.id, version)?
        .ok_or(ActionError::NotFound)
        .map(Some)
}

/// Resolves a title in a wiki. A page that was moved to another wiki is found only if the viewer
/// may see it there.
pub(super) fn resolve(
    db: &Read<'_>,
    viewer: &Viewer,
    wiki: &Wiki,
    title: &str,
) -> Result<Option<ResolvedPage>, ActionError> {
    if let Some(page) = wiki::find(db, wiki.id, title)? {
        return Ok(Some(ResolvedPage::Current(page)));
    }
    let Some(redirect) = wiki_redirects::find(db, wiki.id, title)? else {
        return Ok(None);
    };
    let page = wiki::find(db, redirect.target_wiki, &redirect.target_title)?;
    Ok(page
        .filter(|page| page.wiki == wiki.id || viewer.may(Permission::ViewWikiPages, page.project))
        .map(ResolvedPage::Renamed))
}

impl ResolvedPage {
    /// Returns the page.
    pub fn into_page(self) -> WikiPage {
        match self {
            ResolvedPage::Current(page) | ResolvedPage::Renamed(page) => page,
        }
    }
}

/// Fails with `Forbidden` unless the viewer has the permission in the project.
pub(super) fn require(
    viewer: &Viewer,
    permission: Permission,
    project: ProjectId,
) -> Result<(), ActionError> {
    if viewer.may(permission, project) {
        Ok(())
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Fails with `Forbidden` unless the viewer has the permission and, for a protected page, the
/// permission to protect pages.
pub(super) fn require_on(
    viewer: &Viewer,
    permission: Permission,
    page: &WikiPage,
) -> Result<(), ActionError> {
    require(viewer, permission, page.project)?;
    if page.is_protected() {
        require(viewer, Permission::ProtectWikiPages, page.project)
    } else {
        Ok(())
    }
}
