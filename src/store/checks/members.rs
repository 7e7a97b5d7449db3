//! The rows of inherited memberships, which follow from groups and parent projects.

use super::damage::Damage;
use super::repair::Repair;
use crate::StoreError;
use crate::accounts::memberships;
use crate::transaction::snapshot::Snapshot;

/// Compares the memberships with those that groups and parents grant.
pub(super) fn check(db: &Snapshot<'_>) -> Result<Option<Damage>, StoreError> {
    let (missing, ended) = memberships::unsynchronized(db)?;
    let missing = missing.into_iter().map(|(project, user)| {
        format!("user {user} inherits a role in project {project}, but has no membership there")
    });
    let ended = ended.into_iter().map(|(project, user)| {
        format!("user {user} has a membership in project {project} without any role")
    });
    Ok(Damage::from_examples(
        missing.chain(ended).collect(),
        Some(Repair::SynchronizeMemberships),
    ))
}
