//! Deleting issues (compatibility 6.5).

use super::find::find;
use super::parents;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::IssueId;
use crate::domain::issue::Issue;
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::{Read, Write, issues, time_entries};

/// What becomes of the hours that were spent on what is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpentTime {
    /// They are deleted too.
    Delete,
    /// They stay with the project.
    Keep,
    /// They are put on another issue.
    Reassign(IssueId),
}

/// Deletes the issues and everything below them, with journals, relations and attachments: all of them or none.
///
/// # Errors
/// `NotFound` when one is not there; `Forbidden` when the viewer may not see one or not delete it; `Invalid` when there are subtasks
/// that the viewer may not see or not delete, or when the hours cannot go where they are to go.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, ids: &[IssueId], spent: SpentTime, clock: &dyn Clock) -> Result<(), ActionError> {
    let mut doomed = Vec::with_capacity(ids.len());
    for id in ids {
        let issue = find(db, viewer, *id)?;
        if !may_delete(viewer, &issue) {
            return Err(ActionError::Forbidden);
        }
        doomed.push(issue);
    }
    let subtrees = issues::subtrees(db, ids)?;
    check_subtasks(db, viewer, &subtrees)?;
    let goes = subtrees.iter().any(|id| matches!(spent, SpentTime::Reassign(target) if target == *id));
    match spent {
        SpentTime::Delete => {}
        SpentTime::Keep if db.catalogue().list_setting(Setting::TimelogRequiredFields).any(|field| field == "issue_id") => {
            return Err(ActionError::Invalid(vec!["Issue cannot be blank".to_owned()]));
        }
        SpentTime::Keep => time_entries::move_to_issue(db, &subtrees, None)?,
        SpentTime::Reassign(target) => {
            let invalid = || ActionError::Invalid(vec!["Issue is invalid".to_owned()]);
            let target = find(db, viewer, target).map_err(|_| invalid())?;
            let at_home = doomed.iter().all(|issue| issue.project == target.project);
            if goes || !at_home {
                return Err(invalid());
            }
            time_entries::move_to_issue(db, &subtrees, Some((target.id, target.project)))?;
        }
    }
    issues::delete(db, &subtrees)?;
    doomed.iter().try_for_each(|issue| parents::derive_upward(db, issue.parent, parents::Reach::Top, clock))
}

fn may_delete(viewer: &Viewer, issue: &Issue) -> bool {
    viewer.may_on(Permission::DeleteIssues, issue.project, issue.tracker)
}

/// Fails when the viewer may not see or not delete one of these issues. The sentence tells neither which nor why.
fn check_subtasks(db: &Read<'_>, viewer: &Viewer, subtrees: &[IssueId]) -> Result<(), ActionError> {
    for id in subtrees {
        let Some(issue) = issues::find_any(db, *id)? else { continue };
        if !visibility::issues(viewer).matches(&issue.access_attributes()) || !may_delete(viewer, &issue) {
            let sentence = "Issue cannot be deleted because it has subtasks that you cannot see or delete";
            return Err(ActionError::Invalid(vec![sentence.to_owned()]));
        }
    }
    Ok(())
}
