//! `/admin/projects`: all projects in every status, for administrators.

use crate::components::list_page::{Cell, Link, ListPage};
use crate::components::pager::Pager;
use crate::components::time::Moment;
use crate::frame::Frame;
use crate::prelude::*;
use quarry_domain::projects::project::ProjectStatus;
use quarry_http::Pagination;

/// Number of projects on a page without `limit`.
const DEFAULT_LIMIT: i64 = 100;

/// Lists the projects as a tree.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let projects = catalogue.tree.iter();
    let projects: Vec<&Project> = projects
        .filter_map(|id| catalogue.projects.get(id))
        .collect();
    let pagination = Pagination::with_default_limit(&request.query, DEFAULT_LIMIT);
    let (shown, total) = pagination.slice(projects);
    let rows = shown.into_iter().map(|project| {
        let depth = catalogue.ancestors(project.id).len();
        let name = format!("{}{}", "\u{2003}".repeat(depth.min(8)), project.name);
        let path = paths::project(project);
        let link = |label: &str, below: &str| Link::new(label, format!("{path}/{below}"));
        let is_archived = project.status == ProjectStatus::Archived;
        let name = if is_archived {
            Cell::Text(name)
        } else {
            Cell::record(name, path.clone())
        };
        let mut links = Vec::new();
        if is_archived {
            links.push(link("Unarchive", "unarchive"));
        } else {
            links.push(link("Settings", "settings"));
            links.push(Link::new(
                "Copy",
                format!(
                    "/projects/new?copy_from={}",
                    paths::encode(&project.identifier)
                ),
            ));
            links.push(link("Archive", "archive"));
        }
        links.push(link("Delete", "delete"));
        vec![
            name,
            Cell::Text(status_label(project.status).to_owned()),
            Cell::Check(project.is_public),
            Cell::Moment(Some(Moment::new(project.created_on))),
            Cell::Links(links),
        ]
    });
    let pager = Pager::for_list(request, pagination.offset, pagination.limit, total);
    let frame = Frame::for_administration(request, db, "Projects");
    ListPage::new(
        frame,
        &["Name", "Status", "Public", "Created", ""],
        rows.collect(),
    )
    .with_button("New project", "/projects/new")
    .with_empty(
        "There is no project yet.",
        "Issues, pages and files belong to projects.",
    )
    .with_pager(pager, total)
    .render()
}

fn status_label(status: ProjectStatus) -> &'static str {
    match status {
        ProjectStatus::Active => "Active",
        ProjectStatus::Closed => "Closed",
        ProjectStatus::Archived => "Archived",
    }
}
