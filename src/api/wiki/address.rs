//! The address of a page: `/projects/:project_id/wiki/:title` (spec, conventions rule 7).

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::domain::wiki::WikiPage;
use crate::http::search::title::encoded;
use crate::http::{Ask, Error};

/// The name of the list of pages; as a title it is written too.
const INDEX: &str = "index";
/// Parameters that a redirect keeps. An API key is not among them: addresses end up in histories and logs.
const KEPT: &[&str] = &["version", "include"];

/// The project of the path.
pub fn project(ask: &Ask, catalogue: &Catalogue) -> Result<ProjectId, Error> {
    Ok(catalogue.project_by(ask.place("id")).ok_or(Error::NotFound)?.id)
}

/// The title in the path. One with a dot is no address, as in Redmine: what stands behind a dot is a format.
pub fn title(ask: &Ask) -> Result<&str, Error> {
    match ask.place("title") {
        "" => Ok(INDEX),
        title if title.contains('.') => Err(Error::NotFound),
        title => Ok(title),
    }
}

/// The path of a page, without a format.
pub fn path(catalogue: &Catalogue, page: &WikiPage) -> String {
    let project = catalogue.projects.get(&page.project).map_or("", |project| &project.identifier);
    format!("/projects/{project}/wiki/{}", encoded(&page.title))
}

/// Where the page is that was asked for by a title that it had once: the same format, version and parameters.
pub fn moved(ask: &Ask, catalogue: &Catalogue, page: &WikiPage) -> String {
    let version = match ask.place("version") {
        "" => String::new(),
        version => format!("/{}", encoded(version)),
    };
    let suffix = ask.format.map_or(String::new(), |format| format!(".{}", format.suffix()));
    let kept = KEPT.iter().filter_map(|name| Some(format!("{name}={}", encoded(&ask.parameter(name)?))));
    let query = kept.collect::<Vec<_>>().join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{}{version}{suffix}{mark}{query}", ask.base(), path(catalogue, page))
}
