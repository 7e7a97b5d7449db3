//! The options for a new project.

use super::create::{settable_attributes, with_defaults};
use super::rules;
use crate::actions::ActionError;
use crate::domain::catalogue::Catalogue;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::ids::ProjectId;
use crate::domain::permission::Permission;
use crate::domain::project::{Project, ProjectStatus};
use crate::domain::viewer::Viewer;
use std::collections::HashMap;

/// The options that a viewer has for a new project.
pub struct NewProjectOptions<'c> {
    /// A project with the defaults of the settings.
    pub defaults: Project,
    /// Whether it may have no parent.
    pub may_be_top_level: bool,
    /// The possible parents in the order of the tree, each with its depth among them.
    pub parents: Vec<(&'c Project, usize)>,
    /// Whether the viewer may choose whether it is public.
    pub may_set_publicity: bool,
    /// Whether the viewer may choose its modules.
    pub may_set_modules: bool,
    /// The custom fields that the viewer may set.
    pub fields: Vec<&'c CustomField>,
    /// The default values of the custom fields.
    pub values: Values,
}

/// Whether the viewer may create top-level projects or subprojects.
pub fn may_create(viewer: &Viewer) -> bool {
    viewer.user.is_some()
        && (viewer.may_somewhere(Permission::AddProject)
            || viewer
                .projects_with(Permission::AddSubprojects)
                .next()
                .is_some())
}

/// Returns the options of the viewer for a new project.
///
/// # Errors
/// `Forbidden` if the viewer may add neither projects nor subprojects.
pub fn new<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    clock: &dyn Clock,
) -> Result<NewProjectOptions<'c>, ActionError> {
    if !may_create(viewer) {
        return Err(ActionError::Forbidden);
    }
    let role = rules::creator_role(catalogue).filter(|_| !viewer.admin);
    let settable = settable_attributes(viewer, role);
    let defaults = with_defaults(catalogue, String::new(), clock.now());
    Ok(NewProjectOptions {
        may_be_top_level: viewer.may_somewhere(Permission::AddProject),
        parents: parents(catalogue, viewer),
        may_set_publicity: settable.publicity,
        may_set_modules: settable.modules,
        fields: rules::fields(catalogue, viewer, defaults.id),
        values: Values::defaults(catalogue.custom_fields_of(Customized::Project)),
        defaults,
    })
}

/// Returns the active projects below which the viewer may add projects.
fn parents<'c>(catalogue: &'c Catalogue, viewer: &Viewer) -> Vec<(&'c Project, usize)> {
    let mut depths: HashMap<ProjectId, usize> = HashMap::new();
    let mut found = Vec::new();
    for project in catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
    {
        if project.status == ProjectStatus::Active
            && viewer.sees(project.id)
            && viewer.may(Permission::AddSubprojects, project.id)
        {
            let depth = project
                .parent
                .and_then(|parent| depths.get(&parent))
                .map_or(0, |depth| depth + 1);
            depths.insert(project.id, depth);
            found.push((project, depth));
        }
    }
    found
}
