//! Finds relations.

use crate::actions::ActionError;
use crate::domain::ids::RelationId;
use crate::domain::relation::Relation;
use crate::domain::viewer::Viewer;
use crate::store::{Read, issues, relations};

/// Returns the relation if the viewer may see both issues.
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not see both issues.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: RelationId) -> Result<Relation, ActionError> {
    let relation = relations::find(db, id)?.ok_or(ActionError::NotFound)?;
    let visible = issues::visible_ids(db, viewer, &[relation.from.0, relation.to.0])?;
    if visible.contains(&relation.from) && visible.contains(&relation.to) {
        Ok(relation)
    } else {
        Err(ActionError::Forbidden)
    }
}
