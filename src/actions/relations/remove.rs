//! Taking a relation away (contract 4.8).

use super::find::find;
use super::note;
use crate::actions::Refused;
use crate::actions::issues::{self, watching};
use crate::domain::clock::Clock;
use crate::domain::ids::RelationId;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, relations};

/// Removes the relation; the history of both issues says so. Whoever may manage the relations of one of the two may.
///
/// # Errors
/// `NotFound`; `Forbidden` when the viewer may not see both issues or not manage the relations of either.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, id: RelationId, clock: &dyn Clock) -> Result<(), Refused> {
    let relation = find(db, viewer, id)?;
    let ends = [issues::find(db, viewer, relation.from)?, issues::find(db, viewer, relation.to)?];
    let manages = ends.iter().any(|issue| viewer.may(Permission::ManageIssueRelations, issue.project));
    let Some(user) = viewer.writer(db.catalogue()).filter(|_| manages) else { return Err(Refused::Forbidden) };
    relations::remove(db, id)?;
    note(db, user, relation.from, &[relation], false, clock)?;
    for issue in &ends {
        watching::contributor(db, viewer, user, issue)?;
    }
    Ok(())
}
