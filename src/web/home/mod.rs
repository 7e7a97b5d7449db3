//! The start page: the search box in the header, and the projects.

use super::frame::{Frame, project_path};
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "home/home.html")]
struct Home<'a> {
    frame: Frame,
    projects: Vec<Row<'a>>,
}

struct Row<'a> {
    name: &'a str,
    path: String,
    description: &'a str,
}

/// Shows the projects that the viewer can see, in the order of the tree.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let visible = catalogue.tree.iter().filter(|id| request.viewer().rights(**id).is_some());
    let projects = visible.filter_map(|id| catalogue.projects.get(id)).map(|project| Row {
        name: &project.name,
        path: project_path(project),
        description: project.description.as_deref().unwrap_or_default(),
    });
    let page = Home { frame: Frame::new(request, db, "Start"), projects: projects.collect() };
    render(&page.frame, &page)
}
