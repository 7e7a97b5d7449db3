//! Watchers that are added by creating and updating issues (compatibility 6.4 and 6.6).

use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::content::watcher::Watcher;
use quarry_domain::ids::PrincipalId;
use quarry_domain::issues::issue::Issue;
use quarry_store::accounts::users;
use quarry_store::content::watchers;

/// Returns the requested watchers, if the viewer may add any.
///
/// # Errors
/// `NotFound` if one does not exist or is hidden from the viewer; `Invalid` if one is not active.
pub(super) fn requested_watchers(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    change: &Patch<Vec<PrincipalId>>,
) -> Result<Vec<PrincipalId>, ActionError> {
    let change = change
        .value()
        .filter(|_| viewer.may(Permission::AddIssueWatchers, project));
    // In the order of the request, in which the list of watchers shows them.
    let mut requested: Vec<PrincipalId> = Vec::new();
    for principal in change.into_iter().flatten() {
        if !requested.contains(principal) {
            requested.push(*principal);
        }
    }
    let user = |id: &PrincipalId| catalogue.users.get(&UserId(id.0));
    if requested.iter().any(|id| {
        (user(id).is_none() && !catalogue.groups.contains_key(id))
            || !visibility::can_see_principal(viewer, catalogue, *id)
    }) {
        return Err(ActionError::NotFound);
    }
    if requested
        .iter()
        .any(|id| user(id).is_some_and(|user| user.status != UserStatus::Active))
    {
        return Err(ActionError::invalid_attribute(
            "watcher_user_ids",
            "Watchers",
            "is invalid",
        ));
    }
    Ok(requested)
}

/// Adds watchers to the issue.
pub(super) fn watch(
    db: &mut Write<'_>,
    issue: IssueId,
    principals: &[PrincipalId],
) -> Result<(), StoreError> {
    principals
        .iter()
        .try_for_each(|principal| watchers::insert(db, &Watcher::new(issue, *principal)))
}

/// Adds the viewer, in whose name an entry of the history is written next, as a watcher, if they may
/// add watchers, can see the issue, and want that (compatibility 6.6).
pub(crate) fn add_contributor(
    db: &mut Write<'_>,
    viewer: &Viewer,
    issue: &Issue,
) -> Result<(), StoreError> {
    let may_watch = viewer.may(Permission::AddIssueWatchers, issue.project)
        && visibility::issues(viewer).matches(&issue.access_attributes());
    let Some(user) = viewer.user.filter(|_| may_watch) else {
        return Ok(());
    };
    if users::preferences(db, user)?.watches_contributions {
        watchers::insert(db, &Watcher::new(issue.id, user))?;
    }
    Ok(())
}
