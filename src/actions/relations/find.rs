//! Looking a relation up for somebody.

use crate::actions::ActionError;
use crate::domain::ids::RelationId;
use crate::domain::relation::Relation;
use crate::domain::viewer::Viewer;
use crate::store::{Read, issues, relations};

/// The relation.
///
/// # Errors
/// `NotFound` where there is none; `Forbidden` where the viewer may not see the issues at both ends.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: RelationId) -> Result<Relation, ActionError> {
    let relation = relations::find(db, id)?.ok_or(ActionError::NotFound)?;
    let seen = issues::visible_ids(db, viewer, &[relation.from.0, relation.to.0])?;
    if seen.contains(&relation.from) && seen.contains(&relation.to) { Ok(relation) } else { Err(ActionError::Forbidden) }
}
