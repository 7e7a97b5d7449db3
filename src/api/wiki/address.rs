//! The URL of a wiki page: `/projects/:project_id/wiki/:title` (compatibility 7).

use crate::prelude::*;
use quarry_domain::content::wiki::WikiPage;
use quarry_domain::ids::ProjectId;
use quarry_http::resources::paths;

/// Path of the list of pages, which is also a title.
const INDEX: &str = "index";
/// Parameters that a redirect keeps. The API key is not one of them: URLs end up in histories and
/// logs.
const KEPT_PARAMETERS: &[&str] = &[
    "version",
    "version_from",
    "include",
    "offset",
    "limit",
    "page",
];

/// Returns the project in the path.
pub fn project(request: &RequestContext, catalogue: &Catalogue) -> Result<ProjectId, Error> {
    Ok(catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id)
}

/// Returns the title in the path. A title with a dot is not found, as in Redmine, where a dot
/// separates the format.
pub fn title(request: &RequestContext) -> Result<&str, Error> {
    match request.path_param("title") {
        "" => Ok(INDEX),
        title if title.contains('.') => Err(Error::NotFoundByFramework),
        title => Ok(title),
    }
}

/// Returns the path of a page, without a format.
pub fn path(catalogue: &Catalogue, page: &WikiPage) -> String {
    let project = catalogue
        .projects
        .get(&page.project)
        .map_or("", |project| &project.identifier);
    paths::wiki_page(project, &page.title)
}

/// Returns the URL of a page that was requested by a former title, with the same format, version
/// and parameters.
pub fn redirect_target(request: &RequestContext, catalogue: &Catalogue, page: &WikiPage) -> String {
    let version = match request.path_param("version") {
        "" => String::new(),
        version => format!("/{}", paths::encode(version)),
    };
    redirect_below(request, catalogue, page, &version)
}

/// As [`redirect_target`], for an address below that of the page, such as `/history`.
pub fn redirect_below(
    request: &RequestContext,
    catalogue: &Catalogue,
    page: &WikiPage,
    below: &str,
) -> String {
    let suffix = request
        .format
        .map_or(String::new(), |format| format!(".{}", format.suffix()));
    let parameters = KEPT_PARAMETERS.iter().filter_map(|name| {
        Some(format!(
            "{name}={}",
            paths::encode(&request.query_param(name)?)
        ))
    });
    let query = parameters.collect::<Vec<_>>().join("&");
    let separator = if query.is_empty() { "" } else { "?" };
    format!(
        "{}{}{below}{suffix}{separator}{query}",
        request.base_url(),
        path(catalogue, page)
    )
}
