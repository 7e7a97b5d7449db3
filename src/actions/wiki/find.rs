//! Looking a page up for somebody (compatibility 7).

use crate::actions::ActionError;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::domain::wiki::{WikiPage, WikiVersion};
use crate::store::wiki::Wiki;
use crate::store::{Read, wiki, wiki_redirects};

/// Where a title leads.
pub enum ResolvedPage {
    /// To the page that has it.
    Current(WikiPage),
    /// To a page that had it once, and is called otherwise now.
    Renamed(WikiPage),
}

/// The page that this title leads to in the project's wiki; without a title, the page with which the wiki begins.
///
/// # Errors
/// `Forbidden` where the viewer may not see the wiki; `NotFound` where nothing has the title.
pub fn find(db: &Read<'_>, viewer: &Viewer, project: ProjectId, title: Option<&str>) -> Result<ResolvedPage, ActionError> {
    require(viewer, Permission::ViewWikiPages, project)?;
    let wiki = wiki::find_by_project(db, project)?.ok_or(ActionError::NotFound)?;
    lead(db, viewer, &wiki, title.unwrap_or(&wiki.start_page))?.ok_or(ActionError::NotFound)
}

/// What a page says: now, or in an old version.
///
/// # Errors
/// `Forbidden` where a version is named and the viewer may not see versions; `NotFound` where there is no such version.
/// A page that moved in without any text has none now.
pub fn find_version(db: &Read<'_>, viewer: &Viewer, page: &WikiPage, version: Option<i64>) -> Result<Option<WikiVersion>, ActionError> {
    let Some(version) = version else { return Ok(wiki::find_version(db, page.id, page.version)?) };
    require(viewer, Permission::ViewWikiEdits, page.project)?;
    wiki::find_version(db, page.id, version)?.ok_or(ActionError::NotFound).map(Some)
}

/// Where a title leads in a wiki. A page that has moved to another wiki is there only for those who may see it.
pub(super) fn lead(db: &Read<'_>, viewer: &Viewer, wiki: &Wiki, title: &str) -> Result<Option<ResolvedPage>, ActionError> {
    if let Some(page) = wiki::find(db, wiki.id, title)? {
        return Ok(Some(ResolvedPage::Current(page)));
    }
    let Some(redirect) = wiki_redirects::find(db, wiki.id, title)? else { return Ok(None) };
    let page = wiki::find(db, redirect.wiki, &redirect.title)?;
    Ok(page.filter(|page| page.wiki == wiki.id || viewer.may(Permission::ViewWikiPages, page.project)).map(ResolvedPage::Renamed))
}

impl ResolvedPage {
    /// The page, wherever it was found.
    pub fn into_page(self) -> WikiPage {
        match self {
            ResolvedPage::Current(page) | ResolvedPage::Renamed(page) => page,
        }
    }
}

/// `Forbidden` where the viewer may not.
pub(super) fn require(viewer: &Viewer, permission: Permission, project: ProjectId) -> Result<(), ActionError> {
    if viewer.may(permission, project) { Ok(()) } else { Err(ActionError::Forbidden) }
}

/// `Forbidden` where the viewer may not do this with the page: everybody needs the permission, and for a protected page also
/// that of protecting pages.
pub(super) fn require_on(viewer: &Viewer, permission: Permission, page: &WikiPage) -> Result<(), ActionError> {
    require(viewer, permission, page.project)?;
    if page.is_protected() { require(viewer, Permission::ProtectWikiPages, page.project) } else { Ok(()) }
}
