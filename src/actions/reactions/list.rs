//! Lists reactions (compatibility 13.8).

use super::find::{ReactionTarget, is_enabled};
use crate::actions::ActionError;
use crate::domain::reactable::ReactableType;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::reactions::{self, Reaction};
use crate::store::{Read, StoreError};
use std::collections::HashMap;

/// Returns the reactions to a record by users whom the viewer may see, oldest first.
///
/// # Errors
/// As for [`ReactionTarget::find`].
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
) -> Result<Vec<Reaction>, ActionError> {
    let (reactable, _) = target.find(db, viewer)?;
    Ok(
        list_by_records(db, viewer, reactable.reactable_type, &[reactable.id])?
            .remove(&reactable.id)
            .unwrap_or_default(),
    )
}

/// As [`list`], for several records of a type that the viewer may see, by record. Empty when
/// reactions are disabled.
pub fn list_by_records(
    db: &Read<'_>,
    viewer: &Viewer,
    reactable_type: ReactableType,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Reaction>>, StoreError> {
    if !is_enabled(db) {
        return Ok(HashMap::new());
    }
    let mut found = reactions::list(db, reactable_type, ids)?;
    for reactions in found.values_mut() {
        reactions.retain(|reaction| {
            visibility::can_see_principal(viewer, db.catalogue(), reaction.user.into())
        });
    }
    Ok(found)
}
