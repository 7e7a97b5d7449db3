//! Deletes issues (compatibility 6.5).

use super::parents;
use super::rights::find;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::issue::Issue;
use quarry_store::issues;
use quarry_store::issues::time_entries;
use std::sync::Arc;

/// What happens to the time entries of deleted issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpentTime {
    /// They are deleted.
    Delete,
    /// They stay in the project, without an issue.
    Keep,
    /// They move to another issue.
    Reassign(IssueId),
}

/// Deletes the issues and their subtasks, with journals, relations and attachments: all of them or
/// none.
///
/// # Errors
/// `NotFound` if one does not exist; `Invalid` if there are subtasks that the viewer may not see or
/// not delete, or if the time entries cannot move to the target.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    ids: &[IssueId],
    spent: SpentTime,
) -> Result<(), ActionError> {
    let mut issues_to_delete = Vec::with_capacity(ids.len());
    for id in ids {
        let issue = find(db, viewer, *id)?;
        if !may_delete(viewer, &issue) {
            return Err(ActionError::Forbidden);
        }
        issues_to_delete.push(issue);
    }
    let subtrees = issues::subtrees(db, ids)?;
    check_subtasks(db, viewer, &subtrees)?;
    let deletes_target = subtrees
        .iter()
        .any(|id| matches!(spent, SpentTime::Reassign(target) if target == *id));
    match spent {
        SpentTime::Delete => {}
        SpentTime::Keep
            if time_entries::exist_on(db, &subtrees)?
                && db
                    .catalogue()
                    .list_setting(Setting::TimelogRequiredFields)
                    .any(|field| field == "issue_id") =>
        {
            return Err(ActionError::invalid_attribute(
                "reassign_to_id",
                "Issue",
                "cannot be blank",
            ));
        }
        SpentTime::Keep => time_entries::move_to_issue(db, &subtrees, None)?,
        SpentTime::Reassign(target) => {
            let target = find(db, viewer, target).map_err(|_| invalid_issue())?;
            let same_project = issues_to_delete
                .iter()
                .all(|issue| issue.project == target.project);
            if deletes_target || !same_project {
                return Err(invalid_issue());
            }
            time_entries::move_to_issue(db, &subtrees, Some((target.id, target.project)))?;
        }
    }
    let catalogue = Arc::clone(db.catalogue());
    for id in &subtrees {
        if let Some(issue) = issues::find_any(db, *id)? {
            db.audit(event(&catalogue, &issue));
        }
    }
    issues::delete(db, &subtrees)?;
    issues_to_delete
        .iter()
        .try_for_each(|issue| parents::derive_upward(db, issue.parent, parents::Extent::All))
}

fn invalid_issue() -> ActionError {
    ActionError::invalid_attribute("issue_id", "Issue", "is invalid")
}

/// Returns the audit event of a deletion, without the subject, which may be private.
fn event(catalogue: &Catalogue, issue: &Issue) -> AuditEvent {
    AuditEvent::new(RecordType::Issue, issue.id, "deleted")
        .in_project(catalogue.projects.get(&issue.project))
}

/// Whether the viewer may delete an issue that they see.
pub fn may_delete(viewer: &Viewer, issue: &Issue) -> bool {
    viewer.may_on(Permission::DeleteIssues, issue.project, issue.tracker)
}

/// Fails if the viewer may not see or not delete one of these issues. The message reveals neither
/// which nor why.
fn check_subtasks(db: &Read<'_>, viewer: &Viewer, subtrees: &[IssueId]) -> Result<(), ActionError> {
    for id in subtrees {
        let Some(issue) = issues::find_any(db, *id)? else {
            continue;
        };
        if !visibility::issues(viewer).matches(&issue.access_attributes())
            || !may_delete(viewer, &issue)
        {
            let message =
                "Issue cannot be deleted because it has subtasks that you cannot see or delete";
            return Err(ActionError::invalid(message));
        }
    }
    Ok(())
}
