//! Deleting issues (spec, "Issues"; contract 4.5).

use super::find::find;
use super::parents;
use crate::actions::Refused;
use crate::domain::clock::Clock;
use crate::domain::ids::IssueId;
use crate::domain::permission::Permission;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::store::{Write, issues, time_entries};

/// What becomes of the hours that were spent on what is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// They are deleted too.
    Removed,
    /// They stay with the project.
    Kept,
    /// They are put on another issue.
    Moved(IssueId),
}

/// Deletes the issues and everything below them, with journals, relations and attachments: all of them or none.
///
/// # Errors
/// `NotFound` when one is not there; `Forbidden` when the viewer may not see one or not delete it; `Invalid` when the hours cannot
/// go where they are to go.
pub fn remove(db: &mut Write<'_>, viewer: &Viewer, ids: &[IssueId], spent: Spent, clock: &dyn Clock) -> Result<(), Refused> {
    let mut doomed = Vec::with_capacity(ids.len());
    for id in ids {
        let issue = find(db, viewer, *id)?;
        if !viewer.may_on(Permission::DeleteIssues, issue.project, issue.tracker) {
            return Err(Refused::Forbidden);
        }
        doomed.push(issue);
    }
    let subtrees = issues::subtrees(db, ids)?;
    let goes = subtrees.iter().any(|id| matches!(spent, Spent::Moved(target) if target == *id));
    match spent {
        Spent::Removed => {}
        Spent::Kept if db.catalogue().words(Setting::TimelogRequiredFields).any(|field| field == "issue_id") => {
            return Err(Refused::Invalid(vec!["Issue cannot be blank".to_owned()]));
        }
        Spent::Kept => time_entries::change_issue(db, &subtrees, None)?,
        Spent::Moved(target) => {
            let invalid = || Refused::Invalid(vec!["Issue is invalid".to_owned()]);
            let target = find(db, viewer, target).map_err(|_| invalid())?;
            let at_home = doomed.iter().all(|issue| issue.project == target.project);
            if goes || !at_home {
                return Err(invalid());
            }
            time_entries::change_issue(db, &subtrees, Some((target.id, target.project)))?;
        }
    }
    issues::remove(db, &subtrees)?;
    doomed.iter().try_for_each(|issue| parents::derive_upward(db, issue.parent, parents::Reach::Top, clock))
}
