//! `/my/page`: the issues that concern the viewer, in blocks that they can choose, and the viewer's
//! projects.

use super::blocks::{BlockLoader, IssueList};
use super::watched::{self, WatchedLink};
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use quarry_actions::accounts::my_page;
use quarry_domain::values::stable_sort::StableSort;

/// Maximum number of projects of each list.
const MAX_PROJECTS: usize = 20;

#[derive(Template)]
#[template(path = "accounts/my/page.html")]
struct MyPage {
    frame: Frame,
    /// Whether the viewer may see issues anywhere.
    may_view_issues: bool,
    lists: Vec<IssueList>,
    bookmarks: Vec<ProjectLink>,
    projects: Vec<ProjectLink>,
    /// What the viewer watches other than issues.
    watched: Vec<WatchedLink>,
}

struct ProjectLink {
    name: String,
    path: String,
}

/// `GET /my/page`.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let loader = BlockLoader::new(request, db);
    let may_view_issues = viewer.may_somewhere(Permission::ViewIssues);
    let mut lists = Vec::new();
    if may_view_issues {
        for (block, query) in my_page::list(db, viewer)? {
            lists.push(loader.load(block, query)?);
        }
    }
    lists.retain(|list| list.total > 0 || !list.empty.is_empty());
    let bookmarks = catalogue.bookmarks.get(&user).into_iter().flatten();
    let member_ids = viewer.member_project_ids().iter();
    let page = MyPage {
        frame: Frame::new(request, db, "My page").with_width(Width::TwoColumns),
        may_view_issues,
        lists,
        bookmarks: links(viewer, catalogue, &mut bookmarks.copied()),
        watched: watched::links(request, db)?,
        projects: links(viewer, catalogue, &mut member_ids.map(|id| ProjectId(*id))),
    };
    render(&page.frame, &page)
}

fn links(
    viewer: &Viewer,
    catalogue: &Catalogue,
    ids: &mut dyn Iterator<Item = ProjectId>,
) -> Vec<ProjectLink> {
    let visible = ids
        .filter(|id| viewer.sees(*id))
        .filter_map(|id| catalogue.projects.get(&id));
    let mut links: Vec<_> = visible
        .map(|project| ProjectLink {
            name: project.name.clone(),
            path: paths::project(project),
        })
        .collect();
    links.stable_sort_by_key(|link| link.name.to_lowercase());
    links.truncate(MAX_PROJECTS);
    links
}
