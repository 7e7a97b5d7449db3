//! Who watches an issue from the start, and who does for having written on it (contract 4.4, 4.6).

use crate::actions::Refused;
use crate::domain::catalogue::Catalogue;
use crate::domain::given::Given;
use crate::domain::ids::{IssueId, PrincipalId, ProjectId, UserId};
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::user::UserStatus;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{StoreError, Write, users, watchers};

/// The watchers that were asked for, if the viewer may add any.
///
/// # Errors
/// `NotFound` when one is nobody, as far as the viewer may know; `Invalid` when one is not active.
pub(super) fn wanted(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    asked: &Given<Vec<PrincipalId>>,
) -> Result<Vec<PrincipalId>, Refused> {
    let asked = asked.value().filter(|_| viewer.may(Permission::AddIssueWatchers, project));
    let mut wanted: Vec<PrincipalId> = asked.cloned().unwrap_or_default();
    wanted.sort_unstable();
    wanted.dedup();
    let user = |id: &PrincipalId| catalogue.users.get(&UserId(id.0));
    let is_known = |id: &PrincipalId| visibility::knows(viewer, catalogue, *id);
    if wanted.iter().any(|id| (user(id).is_none() && !catalogue.groups.contains_key(id)) || !is_known(id)) {
        return Err(Refused::NotFound);
    }
    if wanted.iter().any(|id| user(id).is_some_and(|user| user.status != UserStatus::Active)) {
        return Err(Refused::Invalid(vec!["Watchers is invalid".to_owned()]));
    }
    Ok(wanted)
}

/// Makes them watch the issue.
pub(super) fn watch(db: &mut Write<'_>, issue: IssueId, principals: &[PrincipalId]) -> Result<(), StoreError> {
    principals.iter().try_for_each(|principal| watchers::insert(db, issue, *principal))
}

/// Makes whoever has written on the issue watch it, if that person may and has not said otherwise.
pub(in crate::actions) fn contributor(db: &mut Write<'_>, viewer: &Viewer, user: UserId, issue: &Issue) -> Result<(), StoreError> {
    if viewer.may(Permission::AddIssueWatchers, issue.project) && users::watches_contributions(db, user)? {
        watchers::insert(db, issue.id, user.into())?;
    }
    Ok(())
}
