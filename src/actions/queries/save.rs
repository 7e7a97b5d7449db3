//! Finds, creates, updates and deletes saved queries.

use super::QueryChange;
use crate::prelude::*;
use quarry_domain::accounts::preferences::Preferences;
use quarry_domain::ids::QueryId;
use quarry_domain::projects::project::Project;
use quarry_domain::query::saved::{QueryKind, SavedQuery};
use quarry_store::accounts::users;
use quarry_store::lists::queries;

/// Returns the query with this id, of one of the kinds (compatibility 13.7).
pub fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    kinds: &[QueryKind],
    id: QueryId,
) -> Result<SavedQuery, ActionError> {
    for kind in kinds {
        if let Some(query) = queries::find(db, *kind, id)? {
            return Some(query)
                .filter(|query| query.is_visible_to(viewer))
                .ok_or_else(|| ActionError::missing(viewer));
        }
    }
    Err(ActionError::missing(viewer))
}

/// Returns the default query of a project, if it has one that the viewer may use there.
pub fn find_project_default(
    db: &Read<'_>,
    viewer: &Viewer,
    project: &Project,
) -> Result<Option<SavedQuery>, StoreError> {
    let Some(id) = project.default_query else {
        return Ok(None);
    };
    let query = queries::find(db, QueryKind::Issues, id)?;
    Ok(query.filter(|query| query.is_usable_by(viewer, Some(project.id))))
}

/// Returns the query with which lists start for the viewer, if it can be used for the issues of the
/// project, or of all projects with `None`.
pub fn find_user_default(
    db: &Read<'_>,
    viewer: &Viewer,
    project: Option<ProjectId>,
) -> Result<Option<SavedQuery>, StoreError> {
    let Some(user) = viewer.user else {
        return Ok(None);
    };
    let Some(id) = users::preferences(db, user)?.default_query else {
        return Ok(None);
    };
    let query = queries::find(db, QueryKind::Issues, id)?;
    Ok(query.filter(|query| query.is_usable_by(viewer, project)))
}

/// Makes a query the one with which lists of issues start for the viewer; without one they start
/// without a query.
///
/// # Errors
/// `Forbidden` without a user.
pub fn set_user_default(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: Option<QueryId>,
) -> Result<Option<SavedQuery>, ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let query = id
        .map(|id| find(db, viewer, &[QueryKind::Issues], id))
        .transpose()?;
    let is_usable = |query: &SavedQuery| query.is_usable_by(viewer, query.project);
    if query.as_ref().is_some_and(|query| !is_usable(query)) {
        return Err(ActionError::missing(viewer));
    }
    let preferences = Preferences {
        default_query: id,
        ..users::preferences(db, user)?
    };
    users::update_preferences(db, user, preferences)?;
    Ok(query)
}

/// As [`find`], for viewers who may change and delete it.
pub(super) fn find_editable(
    db: &Read<'_>,
    viewer: &Viewer,
    kinds: &[QueryKind],
    id: QueryId,
) -> Result<SavedQuery, ActionError> {
    let query = find(db, viewer, kinds, id)?;
    if query.is_editable_by(viewer) {
        Ok(query)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Maximum number of queries of one user.
const MAX_QUERIES: i64 = 1_000;

/// Creates a query of this kind for the viewer and returns its id. Unless the request says otherwise, it is
/// private, for all projects, and has the default filters of the list.
///
/// # Errors
/// `Forbidden` if the viewer may save no query there.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kind: QueryKind,
    change: &QueryChange,
) -> Result<QueryId, ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let blank = SavedQuery {
        kind,
        owner: Some(user),
        ..SavedQuery::default()
    };
    let query = change.apply_to(db.catalogue(), viewer, &blank, db.now())?;
    if queries::count_of_user(db, user)? >= MAX_QUERIES {
        return Err(ActionError::invalid(format!(
            "Queries are too many (maximum is {MAX_QUERIES} for one user)"
        )));
    }
    Ok(queries::insert(db, &query)?)
}

/// Updates a query. It is no longer the default query of projects that may not have it as such.
///
/// # Errors
/// `Forbidden` if the viewer may not change it, or may save no query in the new project.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kinds: &[QueryKind],
    id: QueryId,
    change: &QueryChange,
) -> Result<(), ActionError> {
    let before = find_editable(db, viewer, kinds, id)?;
    let after = change.apply_to(db.catalogue(), viewer, &before, db.now())?;
    if after == before {
        return Ok(());
    }
    Ok(queries::update(db, &after)?)
}

/// Deletes a query. Projects whose default query it was have none.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    kinds: &[QueryKind],
    id: QueryId,
) -> Result<(), ActionError> {
    find_editable(db, viewer, kinds, id)?;
    Ok(queries::delete(db, id)?)
}
