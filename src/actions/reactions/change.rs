//! Adds and removes the viewer's own reactions (compatibility 13.8).

use super::find::{ReactionTarget, may_react};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::UserId;
use crate::domain::reactable::Reactable;
use crate::domain::viewer::Viewer;
use crate::store::{Read, Write, reactions};

/// Adds the viewer's reaction. Not an error if there is one.
///
/// # Errors
/// As for [`ReactionTarget::find`]; `Forbidden` for anonymous, without the scope, and in a closed
/// or archived project.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let (reactable, user) = find(db, viewer, target)?;
    Ok(reactions::insert(db, reactable, user, clock.now())?)
}

/// Removes the viewer's reaction. Not an error if there is none.
///
/// # Errors
/// As for [`create`].
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
) -> Result<(), ActionError> {
    let (reactable, user) = find(db, viewer, target)?;
    Ok(reactions::delete(db, reactable, user)?)
}

fn find(
    db: &Read<'_>,
    viewer: &Viewer,
    target: &ReactionTarget,
) -> Result<(Reactable, UserId), ActionError> {
    let (reactable, project) = target.find(db, viewer)?;
    let has_scope = viewer.has_scope(reactable.reactable_type.scope());
    let user = viewer
        .user
        .filter(|_| has_scope && may_react(db, viewer, project));
    Ok((reactable, user.ok_or(ActionError::Forbidden)?))
}
