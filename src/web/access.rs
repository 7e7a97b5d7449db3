//! Access checks of pages: what a viewer gets in place of a hidden record.

use crate::prelude::*;

/// Returns the error for a record that is missing or hidden: both look the same. Anonymous is asked
/// to log in, so that links in mails work; everybody else gets a 404.
pub fn missing(request: &RequestContext) -> Error {
    if request.viewer().user.is_none() {
        Error::Forbidden
    } else {
        Error::NotFound
    }
}

/// Replaces the errors that would tell a hidden record from a missing one.
pub fn found<T, E: Into<Error>>(
    request: &RequestContext,
    result: Result<T, E>,
) -> Result<T, Error> {
    result.map_err(|error| match error.into() {
        Error::NotFound | Error::Forbidden => missing(request),
        error => error,
    })
}

/// Returns the project in the path, if the viewer has the permission there.
pub fn project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    permission: Permission,
) -> Result<&'c Project, Error> {
    let project = catalogue
        .project_by(request.path_param("id"))
        .filter(|project| {
            let is_visible = request.viewer().sees(project.id);
            is_visible
                && (permission == Permission::ViewProject
                    || request.viewer().may(permission, project.id))
        });
    project.ok_or_else(|| missing(request))
}

/// Returns the project in the path, if the viewer has the permission there; `None` where the path
/// names no project, for all projects.
pub fn optional_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    permission: Permission,
) -> Result<Option<&'c Project>, Error> {
    if request.path_param("id").is_empty() {
        return Ok(None);
    }
    project(request, catalogue, permission).map(Some)
}

/// Returns the project in the path, if the viewer sees it and has the permission there. Those who
/// see it without the permission are told so.
pub fn managed_project<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    permission: Permission,
) -> Result<&'c Project, Error> {
    let project = catalogue.project_by(request.path_param("id"));
    permitted(request, project, permission)
}

/// Returns the project of a record, if the viewer sees it and has the permission there. Those who
/// see it without the permission are told so.
pub fn managed_by_id<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    id: ProjectId,
    permission: Permission,
) -> Result<&'c Project, Error> {
    permitted(request, catalogue.projects.get(&id), permission)
}

fn permitted<'c>(
    request: &RequestContext,
    project: Option<&'c Project>,
    permission: Permission,
) -> Result<&'c Project, Error> {
    let viewer = request.viewer();
    let project = project.filter(|project| viewer.sees(project.id));
    let project = project.ok_or_else(|| missing(request))?;
    if viewer.may(permission, project.id) {
        Ok(project)
    } else {
        Err(Error::Forbidden)
    }
}

/// Returns a visible project.
pub fn by_id<'c>(
    request: &RequestContext,
    catalogue: &'c Catalogue,
    id: ProjectId,
) -> Result<&'c Project, Error> {
    permitted(
        request,
        catalogue.projects.get(&id),
        Permission::ViewProject,
    )
}
