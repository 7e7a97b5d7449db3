//! Who watches an issue from the start, and who does for having written on it (compatibility 6.4 and 6.6).

use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{IssueId, PrincipalId, ProjectId, UserId};
use crate::domain::issue::Issue;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{StoreError, Write, users, watchers};

/// Returns the requested watchers, if the viewer may add any.
///
/// # Errors
/// `NotFound` when one is nobody, as far as the viewer may know; `Invalid` when one is not active.
pub(super) fn wanted(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    change: &Patch<Vec<PrincipalId>>,
) -> Result<Vec<PrincipalId>, ActionError> {
    let change = change.value().filter(|_| viewer.may(Permission::AddIssueWatchers, project));
    let mut wanted: Vec<PrincipalId> = change.cloned().unwrap_or_default();
    wanted.sort_unstable();
    wanted.dedup();
    let user = |id: &PrincipalId| catalogue.users.get(&UserId(id.0));
    let is_known = |id: &PrincipalId| visibility::can_see_principal(viewer, catalogue, *id);
    if wanted.iter().any(|id| (user(id).is_none() && !catalogue.groups.contains_key(id)) || !is_known(id)) {
        return Err(ActionError::NotFound);
    }
    if wanted.iter().any(|id| user(id).is_some_and(|user| user.status != UserStatus::Active)) {
        return Err(ActionError::Invalid(vec!["Watchers is invalid".to_owned()]));
    }
    Ok(wanted)
}

/// Makes them watch the issue.
pub(super) fn watch(db: &mut Write<'_>, issue: IssueId, principals: &[PrincipalId]) -> Result<(), StoreError> {
    principals.iter().try_for_each(|principal| watchers::insert(db, issue, *principal))
}

/// Makes the author of a change watch the issue, if the author may watch it and has not chosen otherwise.
pub(in crate::actions) fn contributor(db: &mut Write<'_>, viewer: &Viewer, user: UserId, issue: &Issue) -> Result<(), StoreError> {
    if viewer.may(Permission::AddIssueWatchers, issue.project) && users::watches_contributions(db, user)? {
        watchers::insert(db, issue.id, user.into())?;
    }
    Ok(())
}
