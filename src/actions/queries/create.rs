//! Creates saved queries (compatibility 13.7).

use super::QueryChange;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::QueryId;
use crate::domain::query::saved::{Audience, QueryKind, SavedQuery};
use crate::domain::viewer::Viewer;
use crate::store::{Write, queries};

/// Maximum number of queries of one user.
const MAX_QUERIES: i64 = 1_000;

/// Creates a query of the viewer and returns its id. Unless the request says otherwise, it is
/// private, for all projects, and has the default filters of the list.
///
/// # Errors
/// `Forbidden` if the viewer may save no query there; `Invalid` with a message for each invalid
/// attribute.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &QueryChange,
    clock: &dyn Clock,
) -> Result<QueryId, ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let blank = SavedQuery {
        id: QueryId(0),
        kind: QueryKind::Issues,
        name: String::new(),
        description: String::new(),
        project: None,
        owner: Some(user),
        audience: Audience::Owner,
        filters: None,
        columns: Vec::new(),
        order: Vec::new(),
        group_by: String::new(),
        totals: Vec::new(),
    };
    let query = change.apply_to(db.catalogue(), viewer, &blank, clock.now())?;
    if queries::count_of_user(db, user)? >= MAX_QUERIES {
        return Err(ActionError::invalid(format!(
            "Queries are too many (maximum is {MAX_QUERIES} for one user)"
        )));
    }
    Ok(queries::insert(db, &query)?)
}
