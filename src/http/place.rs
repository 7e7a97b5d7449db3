//! Of which projects a list shows records (contract 4.3): of all, or of one project and the projects below it.

use super::{Ask, Error};
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::query::filter::Test;
use crate::domain::setting::Setting;

/// The project in the path or in `project_id`, which is no filter, but a place that must exist and in which the viewer must have
/// the permission to see such records.
pub fn named(ask: &Ask, catalogue: &Catalogue, permission: Permission) -> Result<Option<ProjectId>, Error> {
    let named = match ask.place("id") {
        "" => ask.parameter("project_id"),
        id => Some(id.into()),
    };
    let Some(named) = named else { return Ok(None) };
    if named.trim().is_empty() {
        return Err(Error::invalid("Project cannot be blank"));
    }
    let project = catalogue.project_by(&named).ok_or(Error::NotFound)?.id;
    if !ask.viewer().may(permission, project) {
        return Err(Error::Forbidden);
    }
    Ok(Some(project))
}

/// The project and those below it that are meant: all of them or none, by the setting, unless `subproject_id` says more.
pub fn projects<'t>(catalogue: &Catalogue, root: ProjectId, asked: impl Iterator<Item = &'t Test>) -> Vec<ProjectId> {
    let mut tests = asked.peekable();
    if tests.peek().is_none() && !catalogue.is_on(Setting::DisplaySubprojectsIssues) {
        return vec![root];
    }
    let mut found = catalogue.subtree(root);
    for test in tests {
        found.retain(|project| *project == root || admits(test, *project));
    }
    found
}

fn admits(test: &Test, project: ProjectId) -> bool {
    match test {
        Test::OneOf(ids) => ids.contains(&project.0),
        Test::NoneOf(ids) => !ids.contains(&project.0),
        Test::Missing => false,
        _ => true,
    }
}
