//! The sidebar of wide windows: the bookmarked projects of the viewer and their own saved queries.

use crate::components::tabs::Tab;
use crate::prelude::*;
use quarry_domain::query::saved::QueryKind;
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::lists::queries;

/// Maximum number of links of each kind.
const MAX_LINKS: usize = 8;

/// What the sidebar has besides the main navigation and the parts of the project.
#[derive(Default)]
pub struct Sidebar {
    /// The bookmarked projects that the viewer sees, by name.
    pub bookmarks: Vec<Tab>,
    /// The viewer's own queries of lists of issues, by name.
    pub queries: Vec<Tab>,
}

impl Sidebar {
    /// Loads the links for the page at `path`. A page does not fail because of them.
    pub fn load(db: &Read<'_>, viewer: &Viewer, path: &str) -> Sidebar {
        let Some(user) = viewer.user else {
            return Sidebar::default();
        };
        let catalogue = db.catalogue();
        let bookmarks = catalogue.bookmarks.get(&user).into_iter().flatten();
        let bookmarks = bookmarks.filter(|id| viewer.sees(**id));
        let mut bookmarks: Vec<&Project> = bookmarks
            .filter_map(|id| catalogue.projects.get(id))
            .collect();
        bookmarks.stable_sort_by_key(|project| project.name.to_lowercase());
        let bookmarks = bookmarks.into_iter().take(MAX_LINKS);
        let queries = queries::list_own(db, QueryKind::Issues, user).unwrap_or_default();
        let queries = queries.into_iter();
        let queries = queries.filter(|query| query.is_usable_by(viewer, query.project));
        Sidebar {
            bookmarks: bookmarks
                .map(|project| {
                    let target = paths::project(project);
                    let is_current = path == target;
                    Tab::new(&project.name, target, is_current)
                })
                .collect(),
            queries: queries
                .take(MAX_LINKS)
                .map(|query| {
                    let project = query.project.and_then(|id| catalogue.projects.get(&id));
                    let below = project.map_or_else(String::new, paths::project);
                    let target = format!("{below}/issues?query_id={}", query.id);
                    let is_current = path == target;
                    Tab::new(query.name, target, is_current)
                })
                .collect(),
        }
    }
}
