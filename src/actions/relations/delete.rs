//! Deletes relations (compatibility 6.8).

use super::find::find;
use super::record;
use crate::actions::ActionError;
use crate::actions::issues::{self, watching};
use crate::domain::clock::Clock;
use crate::domain::ids::RelationId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, relations};

/// Deletes the relation, and records it in the history of both issues. Requires the permission to
/// manage the relations of either.
///
/// # Errors
/// `NotFound`; `Forbidden` if the viewer may not see both issues, or not manage the relations of
/// either.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: RelationId,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let relation = find(db, viewer, id)?;
    let ends = [
        issues::find(db, viewer, relation.from)?,
        issues::find(db, viewer, relation.to)?,
    ];
    let manages = ends
        .iter()
        .any(|issue| viewer.may(Permission::ManageIssueRelations, issue.project));
    let Some(user) = viewer.author_id(db.catalogue()).filter(|_| manages) else {
        return Err(ActionError::Forbidden);
    };
    relations::delete(db, id)?;
    record(db, user, relation.from, &[relation], false, clock)?;
    for issue in &ends {
        watching::add_contributor(db, viewer, issue)?;
    }
    Ok(())
}
