//! Links changesets to issues (compatibility 11.10).

use crate::issues;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_store::issues as stored;
use quarry_store::projects::changesets;
use std::sync::Arc;

/// Where a changeset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesetAddress {
    /// The project of the repository.
    pub project: ProjectId,
    /// The identifier or the id of the repository.
    pub repository: String,
    /// The revision, or its beginning.
    pub revision: String,
}

/// Links an issue to a changeset.
///
/// # Errors
/// `Forbidden` if the viewer may not manage related issues in the project, or not see its
/// changesets; `NotFound` if there is no such changeset; `Invalid` for an issue that does not
/// exist, is hidden from the viewer, is in an unrelated project, or is linked already.
pub fn add_issue(
    db: &mut Write<'_>,
    viewer: &Viewer,
    address: &ChangesetAddress,
    issue: IssueId,
) -> Result<(), ActionError> {
    let changeset = find_changeset(db, viewer, address)?;
    let catalogue = Arc::clone(db.catalogue());
    let visible = stored::find(db, visibility::issues(viewer), issue)?;
    let is_linkable =
        visible.is_some_and(|issue| is_related(&catalogue, address.project, issue.project));
    if !is_linkable || changesets::is_linked(db, changeset, issue)? {
        return Err(ActionError::invalid_attribute(
            "issue_id",
            "Issue",
            "is invalid",
        ));
    }
    Ok(changesets::link_issue(db, changeset, issue)?)
}

/// Removes the link of an issue to a changeset. Not an error if there is none.
///
/// # Errors
/// `Forbidden` and `NotFound` as for [`add_issue`]; both also for an issue that is hidden from the
/// viewer or does not exist.
pub fn remove_issue(
    db: &mut Write<'_>,
    viewer: &Viewer,
    address: &ChangesetAddress,
    issue: IssueId,
) -> Result<(), ActionError> {
    let changeset = find_changeset(db, viewer, address)?;
    let issue = issues::find(db, viewer, issue)?;
    Ok(changesets::unlink_issue(db, changeset, issue.id)?)
}

/// Returns the id of the changeset.
fn find_changeset(
    db: &Write<'_>,
    viewer: &Viewer,
    address: &ChangesetAddress,
) -> Result<i64, ActionError> {
    let project = address.project;
    if !viewer.may(Permission::ManageRelatedIssues, project)
        || !viewer.may(Permission::ViewChangesets, project)
    {
        return Err(ActionError::Forbidden);
    }
    let changeset = changesets::find_in_project(
        db,
        viewer,
        project,
        Some(&address.repository),
        &address.revision,
    )?;
    changeset
        .map(|changeset| changeset.id)
        .ok_or(ActionError::NotFound)
}

/// Whether changesets of the project can refer to issues of the other one: the same project, one
/// above or one below.
pub(super) fn is_related(catalogue: &Catalogue, project: ProjectId, other: ProjectId) -> bool {
    project == other
        || catalogue.ancestors(project).contains(&other)
        || catalogue.ancestors(other).contains(&project)
}
