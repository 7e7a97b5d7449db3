//! To which statuses an issue can be put by whom (compatibility 6.6).

use super::rights::roles;
use crate::domain::ids::StatusId;
use crate::domain::issue::Issue;
use crate::domain::viewer::Viewer;
use crate::domain::workflow::Involvement;
use crate::store::{Read, StoreError, relations, subtasks};

/// The statuses that the viewer may give the issue as it stands, in the order of their positions; its own is among them, unless
/// the workflow permits no step at all. What is blocked by an open issue or has an open one below it cannot be closed, what is
/// below a closed one cannot be open.
pub fn allowed_statuses(db: &Read<'_>, viewer: &Viewer, issue: &Issue) -> Result<Vec<StatusId>, StoreError> {
    let catalogue = db.catalogue();
    let involvement = Involvement {
        author: viewer.user == Some(issue.author),
        assignee: issue.assignee.is_some_and(|assignee| viewer.principals.contains(&assignee)),
    };
    let next = catalogue.workflow.next_statuses(issue.tracker, &roles(catalogue, viewer, issue.project), Some(issue.status), involvement);
    if next.is_empty() {
        return Ok(Vec::new());
    }
    let reached = |id: StatusId| id == issue.status || next.contains(&id);
    let mut found: Vec<_> = catalogue.statuses.iter().filter(|status| reached(status.id)).collect();
    if found.iter().any(|status| status.is_closed) && (relations::is_blocked(db, issue.id)? || subtasks::has_open_descendant(db, issue.id)?)
    {
        found.retain(|status| !status.is_closed);
    }
    if issue.parent.is_some() && subtasks::has_closed_ancestor(db, issue.id)? {
        found.retain(|status| status.is_closed);
    }
    Ok(found.into_iter().map(|status| status.id).collect())
}
