//! The address of the members of a project, and helpers for their forms.

use crate::frame::render::redirect_with;
use crate::frame::{Flash, Frame, Width};
use crate::prelude::*;

/// Returns the address of the members of a project.
pub fn members_path(project: &Project) -> String {
    format!("{}/settings/members", paths::project(project))
}

/// Returns the frame of a form below the members of a project.
pub(super) fn form_frame(
    request: &RequestContext,
    db: &Read<'_>,
    project: &Project,
    title: String,
) -> Frame {
    Frame::for_project_settings(request, db, project, "Members", &title)
        .with_width(Width::Narrow)
        .below("Members", members_path(project))
}

/// Redirects to the members after a change, or to the projects if the viewer can no longer see the
/// members.
pub(super) fn redirect_after_change(
    request: &RequestContext,
    project: ProjectId,
    message: String,
) -> Result<Reply, Error> {
    let catalogue = request.app.store.catalogue()?;
    let viewer = request.viewer().renewed(&catalogue);
    let project = catalogue.projects.get(&project).filter(|project| {
        viewer.sees(project.id) && viewer.may(Permission::ViewMembers, project.id)
    });
    Ok(redirect_with(
        request,
        project.map_or_else(|| "/projects".to_owned(), members_path),
        &Flash::notice(message),
    ))
}
