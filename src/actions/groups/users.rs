//! Adds users to a group and removes them (compatibility 11.2).

use super::change::{find_managed, symmetric_difference};
use crate::actions::ActionError;
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, groups};
use std::sync::Arc;

/// Adds users to a group, all or none. Returns those who were not in it.
///
/// # Errors
/// `NotFound` if there is no such group; `Forbidden` unless the viewer is an administrator;
/// `Invalid` when a user does not exist, or when all are in the group already.
pub fn add_users(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    users: &[UserId],
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = &find_managed(&catalogue, viewer, id)?.users;
    let mut after: Vec<UserId> = before.iter().chain(users).copied().collect();
    after.sort_unstable();
    after.dedup();
    let added = symmetric_difference(before, &after);
    if added.is_empty() || !added.iter().all(|user| catalogue.users.contains_key(user)) {
        return Err(ActionError::Invalid(vec!["User is invalid".to_owned()]));
    }
    groups::set_users(db, id, &after)?;
    Ok(added)
}

/// Removes users from a group. Returns those who were in it.
///
/// # Errors
/// `NotFound` if there is no such group, or a user does not exist; `Forbidden` unless the viewer is
/// an administrator.
pub fn remove_users(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    users: &[UserId],
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = &find_managed(&catalogue, viewer, id)?.users;
    if !users.iter().all(|user| catalogue.users.contains_key(user)) {
        return Err(ActionError::NotFound);
    }
    let after: Vec<UserId> = before
        .iter()
        .filter(|user| !users.contains(user))
        .copied()
        .collect();
    let removed = symmetric_difference(before, &after);
    if !removed.is_empty() {
        groups::set_users(db, id, &after)?;
    }
    Ok(removed)
}
