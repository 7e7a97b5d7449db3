//! The saved queries on the page of an issue list.

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::domain::query::saved::{Audience, QueryKind, SavedQuery};
use crate::http::{Error, RequestContext};
use crate::store::{Read, queries};
use crate::web::components::pager::with_params;
use crate::web::frame::project_path;

/// Maximum number of links; the query in use has one in any case.
const MAX_LINKS: usize = 100;

/// The queries to choose from, the one in use, and what the viewer may do.
pub struct QueryMenu {
    /// Links to the queries that the viewer may use for this list.
    pub links: Vec<QueryLink>,
    /// Name and address of the form to delete the query in use, if it is one of the viewer's own.
    pub deletion: Option<(String, String)>,
    /// The address to which the list is sent to be saved, if the viewer may save it.
    pub save_path: Option<String>,
    /// Whether the viewer may save it for everybody.
    pub may_share: bool,
}

/// A link to a query.
pub struct QueryLink {
    /// Its name.
    pub name: String,
    /// The list with it.
    pub path: String,
    /// Whether it is in use.
    pub is_current: bool,
}

impl QueryMenu {
    /// Loads the queries for a list of one project, or of all projects with `None`.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        project: Option<ProjectId>,
    ) -> Result<QueryMenu, Error> {
        let catalogue = db.catalogue();
        let viewer = request.viewer();
        let used = request
            .query_param("query_id")
            .and_then(|id| id.trim().parse::<i64>().ok());
        let path = list_path(catalogue, project);
        let mut links = Vec::new();
        let mut deletion = None;
        for query in queries::list(db, QueryKind::Issues, viewer.user)? {
            let is_current = used == Some(query.id.0);
            if is_current
                && query.owner.is_some()
                && query.owner == viewer.user
                && query.is_editable_by(viewer)
            {
                deletion = Some((query.name.clone(), format!("/queries/{}/delete", query.id)));
            }
            if (links.len() < MAX_LINKS || is_current) && is_for_list(&query, request, project) {
                links.push(QueryLink {
                    path: format!("{path}?query_id={}", query.id),
                    name: query.name,
                    is_current,
                });
            }
        }
        let may_save =
            |audience: Audience| viewer.user.is_some() && audience.is_savable_by(viewer, project);
        let base = path.trim_end_matches("/issues");
        Ok(QueryMenu {
            links,
            deletion,
            save_path: may_save(Audience::Owner)
                .then(|| format!("{base}/queries{}", with_params(request, &[]))),
            may_share: may_save(Audience::Everybody),
        })
    }
}

fn is_for_list(query: &SavedQuery, request: &RequestContext, project: Option<ProjectId>) -> bool {
    query.is_listed_for(request.viewer()) && query.is_usable_by(request.viewer(), project)
}

/// Returns the path of the list of the issues of a project, or of all with `None`.
pub fn list_path(catalogue: &Catalogue, project: Option<ProjectId>) -> String {
    let project = project.and_then(|project| catalogue.projects.get(&project));
    format!("{}/issues", project.map(project_path).unwrap_or_default())
}
