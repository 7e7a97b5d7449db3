//! Saved searches: the one from which the search of a page comes, and those that the start page
//! lists. They run with the rights of the reader.

use super::address::Address;
use crate::access;
use crate::prelude::*;
use quarry_actions::queries::QueryChange;
use quarry_domain::ids::QueryId;
use quarry_domain::query::saved::{Audience, QueryKind, SavedFilter, SavedQuery};
use quarry_domain::values::patch::Patch;
use quarry_store as store;

/// Maximum number of shared searches on the start page. The viewer's own ones have a limit of their
/// own.
const MAX_SHARED: usize = 500;
/// Maximum number of those that are always shown.
const MAX_VISIBLE: usize = 8;
/// Maximum number of characters of the words of a search in the list.
const MAX_WORDS_CHARS: usize = 200;

/// The saved search in use.
pub struct SavedSearch {
    pub name: String,
    /// The address of the same results without it; `None` if the query is long.
    pub close_path: Option<String>,
    /// The address to which the search is sent to replace what the saved one says, and its
    /// parameters; `None` if it says the same, or the viewer may not change it.
    pub update: Option<(String, Vec<(&'static str, String)>)>,
    /// The addresses of the forms that rename, share and delete it, if the viewer may.
    pub edit_paths: Option<(String, String)>,
    /// Whether the search is another than the saved one.
    pub is_changed: bool,
}

impl SavedSearch {
    /// Returns what the page of a search shows about the saved one from which it comes.
    pub fn new(
        request: &RequestContext,
        query: &SavedQuery,
        address: &Address,
        project: Option<&Project>,
    ) -> SavedSearch {
        let is_changed = !Address::from_saved(query, project).is_same_search(address);
        let is_editable = query.is_editable_by(request.viewer());
        // A search for all projects does not keep which part of a project it was opened in.
        let is_its_scope = query.project == project.map(|project| project.id);
        SavedSearch {
            name: query.name.clone(),
            close_path: Address {
                saved: None,
                ..address.clone()
            }
            .link(),
            update: (is_editable && is_changed && is_its_scope)
                .then(|| (paths::query(query.id), address.parameters())),
            edit_paths: is_editable.then(|| {
                let edit = format!("{}/edit", paths::query(query.id));
                (edit, paths::delete_query(query.id))
            }),
            is_changed,
        }
    }
}

/// Returns the saved search in `query_id`, and whether the address says nothing else, or belongs to
/// another project: then the page redirects to what the saved search says.
///
/// # Errors
/// As for a missing record if the viewer may not use it here.
pub fn find(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<ProjectId>,
) -> Result<Option<(SavedQuery, bool)>, Error> {
    let Some(id) = request
        .query_param("query_id")
        .filter(|id| !id.trim().is_empty())
    else {
        return Ok(None);
    };
    let id = id.trim().parse().map(QueryId);
    let id = id.map_err(|_| access::missing(request))?;
    let query = store::lists::queries::find(db, QueryKind::Searches, id)?;
    let query = query.filter(|query| {
        let project = project.or(query.project);
        query.is_usable_by(request.viewer(), project)
    });
    let query = query.ok_or_else(|| access::missing(request))?;
    let is_elsewhere = query.project.is_some() && query.project != project;
    let is_alone = request.query_param("q").is_none();
    Ok(Some((query, is_elsewhere || is_alone)))
}

/// Returns the search of a saved one: on the page of its project, or else of this project.
pub fn address(query: &SavedQuery, catalogue: &Catalogue, project: Option<ProjectId>) -> Address {
    let project = query.project.or(project);
    let project = project.and_then(|id| catalogue.projects.get(&id));
    Address::from_saved(query, project)
}

/// Whether the viewer may save a search of the project, or of all with `None`.
pub fn may_save(request: &RequestContext, project: Option<ProjectId>) -> bool {
    let viewer = request.viewer();
    viewer.user.is_some() && Audience::any_is_savable_by(viewer, project)
}

/// Returns the search of the query string, or of the form, as a change of a saved one, and the path of
/// its page: that of a project, or of all with `None`.
pub fn requested(
    request: &RequestContext,
    catalogue: &Catalogue,
    project: Option<ProjectId>,
) -> (QueryChange, String) {
    let project = project.and_then(|id| catalogue.projects.get(&id));
    let address = Address::from_params(project, |name| {
        let sent = || request.body.get(name).and_then(Input::as_text);
        request.query_param(name).or_else(sent)
    });
    let parameters = address.parameters().into_iter();
    let parameters = parameters.map(|(name, value)| SavedFilter {
        name: name.to_owned(),
        operator: "=".to_owned(),
        values: vec![value],
    });
    let change = QueryChange {
        filters: Patch::Set(parameters.collect()),
        ..QueryChange::default()
    };
    (change, address.path)
}

/// The saved searches on the start page, the viewer's own ones first.
pub struct SavedSearches {
    pub rows: Vec<SavedRow>,
    /// Further ones, which unfold.
    pub more: Vec<SavedRow>,
}

/// A saved search in the list.
pub struct SavedRow {
    pub name: String,
    /// Its address.
    pub path: String,
    /// What is searched for.
    pub words: String,
    pub description: String,
    /// Where it belongs, if that is not the page.
    pub place: Option<String>,
    /// Whether somebody else has saved it.
    pub is_shared: bool,
    /// The address of its feed.
    pub feed: String,
}

/// Lists the saved searches that the viewer may use, in a project or in all with `None`.
pub fn list(
    request: &RequestContext,
    db: &Read<'_>,
    project: Option<ProjectId>,
) -> Result<SavedSearches, Error> {
    let viewer = request.viewer();
    let mut own = Vec::new();
    let mut shared = Vec::new();
    for query in store::lists::queries::list(db, QueryKind::Searches, viewer.user)? {
        let is_own = query.owner.is_some() && query.owner == viewer.user;
        let rows = if is_own { &mut own } else { &mut shared };
        let is_usable = query.is_listed_for(viewer)
            && project.is_none_or(|project| query.is_usable_by(viewer, Some(project)));
        if is_usable && (is_own || rows.len() < MAX_SHARED) {
            rows.push(row(query, db.catalogue(), project, !is_own));
        }
    }
    let mut rows: Vec<SavedRow> = own.into_iter().chain(shared).collect();
    let more = rows.split_off(MAX_VISIBLE.min(rows.len()));
    Ok(SavedSearches { rows, more })
}

fn row(
    query: SavedQuery,
    catalogue: &Catalogue,
    shown_in: Option<ProjectId>,
    is_shared: bool,
) -> SavedRow {
    let address = address(&query, catalogue, shown_in);
    let path = &address.path;
    let place = match (query.project, shown_in) {
        (None, Some(_)) => Some("for all projects".to_owned()),
        (Some(id), shown_in) if shown_in != Some(id) => {
            Some(format!("in {}", catalogue.project_name(id)))
        }
        _ => None,
    };
    SavedRow {
        path: format!("{path}?query_id={}", query.id),
        feed: format!("{path}.atom?query_id={}", query.id),
        words: address.query.chars().take(MAX_WORDS_CHARS).collect(),
        name: query.name,
        description: query.description,
        place,
        is_shared,
    }
}
