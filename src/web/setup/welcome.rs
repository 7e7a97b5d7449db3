//! `GET /admin/welcome`: what to do after the set-up.

use crate::domain::setting::Setting;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::access::require_admin;
use crate::web::frame::{Frame, Width, project_path};
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "setup/welcome.html")]
struct WelcomePage {
    frame: Frame,
    /// The address to log in at, for somebody who is not logged in.
    login: Option<String>,
    /// Name and address of the first project.
    project: Option<(String, String)>,
    has_api: bool,
}

/// Shows the next steps.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    page(request, db, None)
}

/// Renders the page for an administrator who has to log in at another address.
pub fn at_another_address(
    request: &RequestContext,
    db: &Read<'_>,
    login: String,
) -> Result<Reply, Error> {
    page(request, db, Some(login))
}

fn page(request: &RequestContext, db: &Read<'_>, login: Option<String>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = catalogue
        .tree
        .first()
        .and_then(|id| catalogue.projects.get(id))
        .filter(|_| login.is_none());
    let page = WelcomePage {
        project: project.map(|project| (project.name.clone(), project_path(project))),
        has_api: catalogue.is_on(Setting::RestApiEnabled),
        frame: Frame::new(request, db, "Welcome").with_width(Width::Narrow),
        login,
    };
    render(&page.frame, &page)
}
