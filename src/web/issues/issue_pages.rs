//! What the pages below an issue share: the issue in the path, the frame, and the way back.

use crate::access;
use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame, ProjectTab, Width};
use crate::prelude::*;
use quarry_actions::issues;
use quarry_domain::access::visibility;
use quarry_store::issues as stored_issues;

/// Returns the issue in the path. A hidden one looks like one that does not exist.
pub fn find(request: &RequestContext, db: &Read<'_>) -> Result<Issue, Error> {
    let id: IssueId = request.id_param("id")?;
    access::found(request, issues::find(db, request.viewer(), id))
}

/// Returns the frame of a page below the issue.
pub fn frame(request: &RequestContext, db: &Read<'_>, issue: &Issue, title: &str) -> Frame {
    let catalogue = db.catalogue();
    let title = format!("{title} · #{}", issue.id);
    let frame = Frame::new(request, db, title).with_width(Width::Narrow);
    let frame = match catalogue.projects.get(&issue.project) {
        Some(project) => frame.in_project(db, request.viewer(), project, Some(ProjectTab::Issues)),
        None => frame,
    };
    frame.below(
        format!("#{}: {}", issue.id, issue.subject),
        paths::issue(issue.id),
    )
}

/// Leads back to the page of the issue with a message, or to the list of issues when the viewer
/// does not see the issue any more.
pub fn back(request: &RequestContext, id: IssueId, message: &str) -> Result<Reply, Error> {
    let issue = request
        .app
        .read(|db| stored_issues::find(db, visibility::issues(request.viewer()), id))?;
    let (path, message) = if issue.is_some() {
        (paths::issue(id), message.to_owned())
    } else {
        (
            "/issues".to_owned(),
            format!("{message} You cannot see issue #{id} any more."),
        )
    };
    Ok(redirect_with(request, path, &Flash::notice(message)))
}
