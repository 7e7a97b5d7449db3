//! Tells which options a viewer has in the form of a new project, or of an existing one.

use super::create::{may_create, settable_attributes, with_defaults};
use super::rules;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::projects::project::{Project, ProjectStatus};
use quarry_store::administration::custom_fields;
use std::collections::HashMap;

/// The options that a viewer has for a project.
pub struct ProjectOptions<'c> {
    /// The project as it is; a new one has the defaults of the settings.
    pub project: Project,
    /// Whether it may have no parent.
    pub may_be_top_level: bool,
    /// The possible parents in the order of the tree, each with its depth among them. Empty where
    /// the viewer may not change the parent, also where it is hidden.
    pub parents: Vec<(&'c Project, usize)>,
    /// Whether the viewer may choose whether it is public.
    pub may_set_publicity: bool,
    /// Whether the viewer may choose its modules.
    pub may_set_modules: bool,
    /// The custom fields that the viewer may set.
    pub fields: Vec<&'c CustomField>,
    /// The values of the custom fields.
    pub values: Values,
}

/// Returns the options of the viewer for a new project.
///
/// # Errors
/// `Forbidden` if the viewer may add neither projects nor subprojects.
pub fn new<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    now: Timestamp,
) -> Result<ProjectOptions<'c>, ActionError> {
    if !may_create(viewer) {
        return Err(ActionError::Forbidden);
    }
    let role = rules::creator_role(catalogue).filter(|_| !viewer.admin);
    let settable = settable_attributes(viewer, role);
    let defaults = with_defaults(catalogue, String::new(), now);
    Ok(ProjectOptions {
        may_be_top_level: viewer.may_somewhere(Permission::AddProject),
        parents: parents(catalogue, viewer, None),
        may_set_publicity: settable.publicity,
        may_set_modules: settable.modules,
        fields: rules::fields(catalogue, viewer, defaults.id),
        values: Values::defaults(catalogue.custom_fields_of(Customized::Project)),
        project: defaults,
    })
}

/// Returns the options of the viewer for a project.
pub fn edit<'c>(
    db: &'c Read<'_>,
    viewer: &Viewer,
    project: &Project,
) -> Result<ProjectOptions<'c>, StoreError> {
    let catalogue = db.catalogue();
    let sees_parent = project.parent.is_none_or(|parent| viewer.sees(parent));
    let may_be_top_level = project.parent.is_none() || viewer.may_somewhere(Permission::AddProject);
    Ok(ProjectOptions {
        project: project.clone(),
        may_be_top_level,
        parents: if sees_parent {
            parents(catalogue, viewer, Some(project))
        } else {
            Vec::new()
        },
        may_set_publicity: viewer.may(Permission::SelectProjectPublicity, project.id),
        may_set_modules: viewer.may(Permission::SelectProjectModules, project.id),
        fields: rules::fields(catalogue, viewer, project.id),
        values: custom_fields::find_values(db, Customized::Project, project.id.0)?,
    })
}

/// Returns the active projects below which the viewer may add projects. For an existing project
/// they are its own parent, too, and not the projects below it.
fn parents<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    child: Option<&Project>,
) -> Vec<(&'c Project, usize)> {
    let below = child.map_or_else(Vec::new, |child| catalogue.subtree(child.id));
    let mut depths: HashMap<ProjectId, usize> = HashMap::new();
    let mut found = Vec::new();
    for project in catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id))
    {
        let is_current = child.is_some_and(|child| child.parent == Some(project.id));
        let may_add = project.status == ProjectStatus::Active
            && viewer.sees(project.id)
            && viewer.may(Permission::AddSubprojects, project.id);
        if (may_add || is_current) && !below.contains(&project.id) {
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
