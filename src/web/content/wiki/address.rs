//! Finds the wiki page of an address, and checks what the viewer may do with it.

use crate::access;
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use quarry_actions::content::wiki;
use quarry_actions::content::wiki::ResolvedPage;
use quarry_domain::content::wiki::{WikiPage, normalize_title};

/// What an address leads to.
pub enum Target<'c> {
    /// A page.
    Page(&'c Project, Box<WikiPage>),
    /// A page under another title, and perhaps in another project.
    Moved(&'c Project, Box<WikiPage>),
    /// No page. The viewer may see the wiki.
    Missing(&'c Project),
}

/// Finds the page in the path; without a title, the start page. A wiki that the viewer may not see
/// is an error.
pub fn find<'c>(request: &RequestContext, db: &'c Read<'_>) -> Result<Target<'c>, Error> {
    let catalogue = db.catalogue();
    let project = access::project(request, catalogue, Permission::ViewWikiPages)?;
    let title = Some(request.path_param("title")).filter(|title| !title.is_empty());
    let page = match wiki::find(db, request.viewer(), project.id, title) {
        Err(ActionError::NotFound) => return Ok(Target::Missing(project)),
        page => access::found(request, page)?,
    };
    match page {
        ResolvedPage::Current(page) => Ok(Target::Page(project, Box::new(page))),
        ResolvedPage::Renamed(page) => {
            let project = catalogue
                .projects
                .get(&page.project)
                .ok_or(Error::NotFound)?;
            Ok(Target::Moved(project, Box::new(page)))
        }
    }
}

/// Redirects from a former title of a page to the same page below the present one, with the query
/// string.
pub fn redirect(
    request: &RequestContext,
    project: &Project,
    page: &WikiPage,
    below: &str,
) -> Reply {
    let address = request.path_and_query();
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let separator = if query.is_empty() { "" } else { "?" };
    let path = path(project, &page.title);
    Reply::redirect(format!("{path}{below}{separator}{query}"))
}

/// Whether the viewer may do this with the page. A protected page needs the permission to protect
/// pages as well.
pub fn may(viewer: &Viewer, permission: Permission, page: &WikiPage) -> bool {
    viewer.may(permission, page.project)
        && (!page.is_protected() || viewer.may(Permission::ProtectWikiPages, page.project))
}

/// Fails unless the viewer, who sees the page, may do this with it.
pub fn require(
    request: &RequestContext,
    permission: Permission,
    page: &WikiPage,
) -> Result<(), Error> {
    may(request.viewer(), permission, page)
        .then_some(())
        .ok_or(Error::Forbidden)
}

/// Returns the address of a page.
pub fn path(project: &Project, title: &str) -> String {
    paths::wiki_page(&project.identifier, title)
}

/// Returns the address of the form of a new page below this one.
pub fn new_path(project: &Project, parent: Option<&str>) -> String {
    let path = format!("{}/wiki/new", paths::project(project));
    match parent {
        Some(title) => format!(
            "{path}?wiki_page%5Bparent_title%5D={}",
            paths::encode(title)
        ),
        None => path,
    }
}

/// Returns a title for people.
pub fn name(title: &str) -> String {
    title.replace('_', " ")
}

/// Returns a title for a form: as people write it, if that is the same title.
pub fn typed_name(title: &str) -> String {
    let name = name(title);
    if normalize_title(&name) == title {
        name
    } else {
        title.to_owned()
    }
}

/// Returns the frame of a page of this wiki.
pub fn frame(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    title: impl Into<String>,
) -> Frame {
    Frame::new(request, db, title).in_project(db, request.viewer(), project, Some(ProjectTab::Wiki))
}

/// Returns a project by its id.
pub fn project<'c>(db: &'c Read<'_>, id: ProjectId) -> Result<&'c Project, Error> {
    db.catalogue().projects.get(&id).ok_or(Error::NotFound)
}
