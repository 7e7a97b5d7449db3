//! JSON and XML of projects (compatibility 8).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use quarry_actions::queries;
use quarry_app::ViewerContext;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::projects::project::Project;
use quarry_domain::query::saved::SavedQuery;
use quarry_store::administration::custom_fields as store_fields;
use quarry_store::projects;
use quarry_store::projects::NamedByProject;
use std::collections::HashMap;
use std::sync::Arc;

/// The values of the parameter `include`.
const INCLUDES: [&str; 5] = [
    "trackers",
    "issue_categories",
    "time_entry_activities",
    "enabled_modules",
    "issue_custom_fields",
];

/// What the parameter `include` adds to projects.
#[derive(Clone, Copy, Default)]
pub struct Include {
    trackers: bool,
    issue_categories: bool,
    time_entry_activities: bool,
    enabled_modules: bool,
    issue_custom_fields: bool,
}

impl Include {
    /// Parses the parameter `include`; unknown names are ignored.
    pub fn from_query(request: &RequestContext) -> Include {
        let [
            trackers,
            issue_categories,
            time_entry_activities,
            enabled_modules,
            issue_custom_fields,
        ] = request.includes(INCLUDES);
        Include {
            trackers,
            issue_categories,
            time_entry_activities,
            enabled_modules,
            issue_custom_fields,
        }
    }
}

/// What the output of projects needs besides the projects.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    viewer_context: Arc<ViewerContext>,
    include: Include,
    categories: NamedByProject,
    modules: NamedByProject,
    values: HashMap<i64, Values>,
    /// The default query of a single project. Responses that must equal Redmine's have none.
    default_query: Option<SavedQuery>,
}

impl ViewContext {
    /// Adds the default query of a project, if the viewer may use it.
    pub fn with_default_query(
        mut self,
        db: &Read<'_>,
        project: &Project,
    ) -> Result<ViewContext, Error> {
        self.default_query =
            queries::find_project_default(db, &self.viewer_context.viewer, project)?;
        Ok(self)
    }

    /// Loads the context of these projects.
    pub fn load(
        db: &Read<'_>,
        viewer_context: &Arc<ViewerContext>,
        include: Include,
        ids: Vec<i64>,
    ) -> Result<ViewContext, Error> {
        let has_fields = db
            .catalogue()
            .custom_fields_of(Customized::Project)
            .next()
            .is_some();
        let ids_if = |is_included: bool| if is_included { ids.as_slice() } else { &[] };
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(viewer_context),
            include,
            categories: projects::categories_by_project(db, ids_if(include.issue_categories))?,
            modules: projects::modules_by_project(db, ids_if(include.enabled_modules))?,
            values: store_fields::list_values(db, Customized::Project, ids_if(has_fields))?,
            default_query: None,
        })
    }
}

/// Writes a project of a list: without the defaults of its issues.
pub fn list_item(w: &mut Fields, project: &Project, context: &ViewContext) {
    identity(w, project);
    state(w, project, context);
    details(w, project, context);
}

/// Writes a single project.
pub fn full_project(w: &mut Fields, project: &Project, context: &ViewContext) {
    identity(w, project);
    state(w, project, context);
    defaults(w, project, context);
    details(w, project, context);
}

fn identity(w: &mut Fields, project: &Project) {
    w.field("id", project.id.0);
    w.field("name", &project.name);
    w.field("identifier", &project.identifier);
    w.field("description", project.description.as_deref());
    w.field("homepage", &project.homepage);
}

fn state(w: &mut Fields, project: &Project, context: &ViewContext) {
    let parent = project
        .parent
        .filter(|parent| context.viewer_context.viewer.sees(*parent));
    let parent = parent.and_then(|parent| context.catalogue.projects.get(&parent));
    w.maybe_reference(
        "parent",
        parent.map(|parent| (parent.id.0, parent.name.as_str())),
    );
    w.field("status", project.status.code());
    w.field("is_public", project.is_public);
    w.field("inherit_members", project.inherit_members);
}

/// Writes the defaults of new issues. A version of a project that the viewer cannot see is omitted,
/// unless it is shared with this project.
fn defaults(w: &mut Fields, project: &Project, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    let version = project
        .default_version
        .and_then(|id| catalogue.versions.get(&id));
    let version = version.filter(|version| {
        viewer.sees(version.project) || catalogue.is_shared_with(version, project.id)
    });
    w.maybe_reference(
        "default_version",
        version.map(|version| (version.id.0, version.name.as_str())),
    );
    let assignee = project
        .default_assignee
        .and_then(|id| Some((id.0, catalogue.principal_name(id)?)));
    w.maybe_reference("default_assignee", assignee);
    w.maybe_reference(
        "default_issue_query",
        context
            .default_query
            .as_ref()
            .map(|query| (query.id.0, query.name.as_str())),
    );
}

fn details(w: &mut Fields, project: &Project, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    let fields = catalogue
        .custom_fields_of(Customized::Project)
        .filter(|field| field.is_visible_to(viewer, project.id));
    write_custom_fields(w, fields, context.values.get(&project.id.0));
    if context.include.trackers {
        let trackers = project
            .trackers
            .iter()
            .filter(|id| viewer.may_on(Permission::ViewIssues, project.id, **id))
            .filter_map(|id| catalogue.tracker(*id));
        w.references(
            "trackers",
            "tracker",
            trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())),
        );
    }
    if context.include.issue_categories {
        w.references(
            "issue_categories",
            "issue_category",
            names_of(&context.categories, project),
        );
    }
    if context.include.time_entry_activities {
        let activities = catalogue.activities_of(project.id);
        w.references(
            "time_entry_activities",
            "time_entry_activity",
            activities.map(|activity| (activity.id.0, activity.name.as_str())),
        );
    }
    if context.include.enabled_modules {
        w.references(
            "enabled_modules",
            "enabled_module",
            names_of(&context.modules, project),
        );
    }
    if context.include.issue_custom_fields {
        let is_local =
            |field: &&CustomField| !field.is_for_all && field.projects.contains(&project.id);
        let fields = catalogue
            .custom_fields_of(Customized::Issue)
            .filter(is_local)
            .filter(|field| field.is_visible_to(viewer, project.id));
        w.references(
            "issue_custom_fields",
            "custom_field",
            fields.map(|field| (field.id.0, field.name.as_str())),
        );
    }
    w.field("created_on", project.created_on);
    w.field("updated_on", project.updated_on);
}

fn names_of<'a>(
    names: &'a NamedByProject,
    project: &Project,
) -> impl Iterator<Item = (i64, &'a str)> {
    names
        .get(&project.id)
        .into_iter()
        .flatten()
        .map(|(id, name)| (*id, name.as_str()))
}
