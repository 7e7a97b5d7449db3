//! Timers: users start one when they begin to work on an issue, and log the time that it has
//! measured. A user has at most one.

use super::{LogTarget, create};
use crate::issues;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::time_entry::{TimeEntry, TimeEntryChange};
use quarry_domain::issues::timer::Timer;
use quarry_domain::validation::ValidationError;
use quarry_store::issues::timers;

/// Whether the viewer may log time on the issue.
pub fn may_log(catalogue: &Catalogue, viewer: &Viewer, issue: &Issue) -> bool {
    let accepts_time =
        !catalogue.is_closed(issue.status) || catalogue.is_on(Setting::TimelogAcceptClosedIssues);
    accepts_time && viewer.user.is_some() && viewer.may(Permission::LogTime, issue.project)
}

/// Returns the running timer of the viewer.
pub fn find(db: &Read<'_>, viewer: &Viewer) -> Result<Option<Timer>, StoreError> {
    match viewer.user {
        Some(user) => timers::find(db, user),
        None => Ok(None),
    }
}

/// Starts a timer on an issue. One that already runs on it goes on.
///
/// # Errors
/// `NotFound` and `Forbidden` when the viewer does not see the issue, `Forbidden` if they may not
/// log time on it; `Invalid` while a timer runs on another issue.
pub fn start(db: &mut Write<'_>, viewer: &Viewer, id: IssueId) -> Result<(), ActionError> {
    let issue = issues::find(db, viewer, id)?;
    let Some(user) = viewer
        .user
        .filter(|_| may_log(db.catalogue(), viewer, &issue))
    else {
        return Err(ActionError::Forbidden);
    };
    match timers::find(db, user)? {
        None => Ok(timers::insert(db, user, id)?),
        Some(timer) if timer.issue == id => Ok(()),
        Some(timer) => {
            let message = format!(
                "A timer is running on #{}. Log its time or discard it first.",
                timer.issue
            );
            Err(ActionError::Invalid(
                ValidationError::for_record(message).into(),
            ))
        }
    }
}

/// Logs time on the issue of the running timer, and removes the timer. `shown` is the issue of the
/// timer that the viewer saw.
///
/// # Errors
/// `NotFound` if no timer is running; `Invalid` if one on another issue is; those of [`create()`].
pub fn log(
    db: &mut Write<'_>,
    viewer: &Viewer,
    shown: IssueId,
    change: &TimeEntryChange,
) -> Result<TimeEntry, ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    let timer = timers::find(db, user)?.ok_or(ActionError::NotFound)?;
    if timer.issue != shown {
        let message =
            "Another timer is running since this page was shown. Check its time and save again.";
        return Err(ActionError::Invalid(
            ValidationError::for_record(message).into(),
        ));
    }
    let entry = create(db, viewer, LogTarget::Issue(timer.issue), change)?;
    timers::delete(db, user)?;
    Ok(entry)
}

/// Removes the running timer of the viewer, if there is one.
///
/// # Errors
/// `Forbidden` without a user.
pub fn discard(db: &mut Write<'_>, viewer: &Viewer) -> Result<(), ActionError> {
    let user = viewer.user.ok_or(ActionError::Forbidden)?;
    Ok(timers::delete(db, user)?)
}
