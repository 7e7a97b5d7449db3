//! Finds the wiki page of an address.

use crate::access;
use quarry_actions::ActionError;
use quarry_actions::wiki;
use quarry_actions::wiki::ResolvedPage;
use quarry_domain::access::permission::Permission;
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::projects::project::Project;
use quarry_http::resources::paths;
use quarry_http::{Error, RequestContext};
use quarry_store::Read;

/// What an address leads to.
pub enum Target<'c> {
    /// A page.
    Page(&'c Project, Box<WikiPage>),
    /// A page under another title, with its address.
    Moved(String),
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
            Ok(Target::Moved(path(project, &page.title)))
        }
    }
}

/// Returns the address of a page.
pub fn path(project: &Project, title: &str) -> String {
    paths::wiki_page(&project.identifier, title)
}

/// Returns a title for people.
pub fn name(title: &str) -> String {
    title.replace('_', " ")
}
