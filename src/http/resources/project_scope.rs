//! The projects whose records a list shows (compatibility 6.3): all, or one project with its
//! subprojects.

use crate::error::Error;
use crate::request::context::RequestContext;
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visible::Visible;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::query::filter::Predicate;
use std::sync::Arc;

/// Returns the project in the path or in `project_id`. It must exist, and the viewer must have the
/// permission there, unlike for a filter.
pub fn project(
    request: &RequestContext,
    catalogue: &Catalogue,
    permission: Permission,
) -> Result<Option<ProjectId>, Error> {
    let reference = match request.path_param("id") {
        "" => request.filter_param("project_id")?,
        id => Some(id.into()),
    };
    let Some(reference) = reference else {
        return Ok(None);
    };
    if reference.trim().is_empty() {
        return Err(Error::invalid_attribute(
            "project_id",
            "Project",
            "cannot be blank",
        ));
    }
    let project = catalogue.project_by(&reference).ok_or(Error::NotFound)?.id;
    if !request.viewer().may(permission, project) {
        return Err(Error::Forbidden);
    }
    Ok(Some(project))
}

/// Returns those of the visible records that are in the projects of a list: of all projects without
/// `root`, otherwise of [`projects`].
pub fn visible<'t>(
    catalogue: &Catalogue,
    all: &Visible,
    root: Option<ProjectId>,
    subprojects: impl Iterator<Item = &'t Predicate>,
) -> Visible {
    match root {
        Some(root) => {
            let projects = projects(catalogue, root, subprojects);
            all.within_projects(Arc::new(projects.into_iter().collect()))
        }
        None => all.clone(),
    }
}

/// Returns the project and its subprojects: all or none by the setting, unless there are filters by
/// `subproject_id`.
pub fn projects<'t>(
    catalogue: &Catalogue,
    root: ProjectId,
    filters: impl Iterator<Item = &'t Predicate>,
) -> Vec<ProjectId> {
    let mut filters = filters.peekable();
    if filters.peek().is_none() && !catalogue.is_on(Setting::DisplaySubprojectsIssues) {
        return vec![root];
    }
    let mut projects = catalogue.subtree(root);
    for filter in filters {
        projects.retain(|project| *project == root || matches(filter, *project));
    }
    projects
}

fn matches(filter: &Predicate, project: ProjectId) -> bool {
    match filter {
        Predicate::OneOf(ids) => ids.contains(&project.0),
        Predicate::NoneOf(ids) => !ids.contains(&project.0),
        Predicate::Empty => false,
        _ => true,
    }
}
