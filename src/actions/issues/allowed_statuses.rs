//! The statuses that a viewer may give an issue (compatibility 6.6).

use super::rights::roles;
use crate::domain::ids::StatusId;
use crate::domain::issue::Issue;
use crate::domain::viewer::Viewer;
use crate::domain::workflow::Involvement;
use crate::store::{Read, StoreError, relations, subtasks};

/// Returns the statuses that the viewer may give the issue, by position. They include the current
/// status, unless the workflow permits no transition at all. An issue with an open blocker or open
/// subtask cannot be closed; an issue below a closed one cannot be reopened.
pub fn allowed_statuses(
    db: &Read<'_>,
    viewer: &Viewer,
    issue: &Issue,
) -> Result<Vec<StatusId>, StoreError> {
    let catalogue = db.catalogue();
    let involvement = Involvement {
        author: viewer.user == Some(issue.author),
        assignee: issue
            .assignee
            .is_some_and(|assignee| viewer.principals.contains(&assignee)),
    };
    let targets = catalogue.workflow.next_statuses(
        issue.tracker,
        &roles(catalogue, viewer, issue.project),
        Some(issue.status),
        involvement,
    );
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let is_reachable = |id: StatusId| id == issue.status || targets.contains(&id);
    let mut statuses: Vec<_> = catalogue
        .statuses
        .iter()
        .filter(|status| is_reachable(status.id))
        .collect();
    if statuses.iter().any(|status| status.is_closed)
        && (relations::is_blocked(db, issue.id)? || subtasks::has_open_descendant(db, issue.id)?)
    {
        statuses.retain(|status| !status.is_closed);
    }
    if issue.parent.is_some() && subtasks::has_closed_ancestor(db, issue.id)? {
        statuses.retain(|status| status.is_closed);
    }
    Ok(statuses.into_iter().map(|status| status.id).collect())
}
