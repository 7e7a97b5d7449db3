//! The kinds of queries that have pages, and the addresses of the lists that they change.

use crate::prelude::*;
use quarry_domain::query::saved::{QueryKind, SavedQuery};

/// The kinds of queries that have pages.
pub const KINDS: [QueryKind; 2] = [QueryKind::Issues, QueryKind::Searches];

/// Returns the kind of the query that is saved, which `type` names.
pub fn kind(request: &RequestContext) -> QueryKind {
    match request.query_param("type") {
        Some(name) if name == QueryKind::Searches.name() => QueryKind::Searches,
        _ => QueryKind::Issues,
    }
}

/// Returns the word for a query of this kind.
pub fn noun(kind: QueryKind) -> &'static str {
    match kind {
        QueryKind::Searches => "search",
        _ => "query",
    }
}

/// Returns the path of the list of the issues of a project, or of all with `None`.
pub fn list_path(catalogue: &Catalogue, project: Option<ProjectId>) -> String {
    path_of_kind(catalogue, QueryKind::Issues, project)
}

/// Returns the path of the page that a query changes: the list of issues, or the search.
pub fn path(catalogue: &Catalogue, query: &SavedQuery) -> String {
    path_of_kind(catalogue, query.kind, query.project)
}

/// Returns the path of the page that queries of this kind change.
pub fn path_of_kind(catalogue: &Catalogue, kind: QueryKind, project: Option<ProjectId>) -> String {
    let page = match kind {
        QueryKind::Searches => "search",
        _ => "issues",
    };
    let project = project.and_then(|project| catalogue.projects.get(&project));
    let project = project.map(paths::project).unwrap_or_default();
    format!("{project}/{page}")
}
