//! How a project looks outside (contract 6).

use crate::api::custom_fields::view::custom_fields;
use crate::app::Asker;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Values};
use crate::domain::project::Project;
use crate::http::{Ask, Error};
use crate::store::projects::NamedByProject;
use crate::store::{Read, custom_fields as store_fields, projects};
use crate::wire::Fields;
use std::collections::HashMap;
use std::sync::Arc;

/// What is shown with projects when it is asked for.
#[derive(Clone, Copy, Default)]
pub struct Include {
    trackers: bool,
    issue_categories: bool,
    time_entry_activities: bool,
    enabled_modules: bool,
    issue_custom_fields: bool,
}

impl Include {
    /// Reads `include`; names that are not known are passed over.
    pub fn read(ask: &Ask) -> Include {
        let asked = ask.parameter("include").unwrap_or_default();
        let named = |name| asked.split(',').any(|part| part.trim() == name);
        Include {
            trackers: named("trackers"),
            issue_categories: named("issue_categories"),
            time_entry_activities: named("time_entry_activities"),
            enabled_modules: named("enabled_modules"),
            issue_custom_fields: named("issue_custom_fields"),
        }
    }
}

/// What stands around the projects of an answer.
pub struct Around {
    catalogue: Arc<Catalogue>,
    asker: Arc<Asker>,
    include: Include,
    categories: NamedByProject,
    modules: NamedByProject,
    values: HashMap<i64, Values>,
}

impl Around {
    /// Reads what is to be included for these projects.
    pub fn load(db: &Read<'_>, asker: &Arc<Asker>, include: Include, ids: Vec<i64>) -> Result<Around, Error> {
        let has_fields = db.catalogue().custom_fields_of(Customized::Project).next().is_some();
        let wanted = |on: bool| if on { ids.as_slice() } else { &[] };
        Ok(Around {
            catalogue: Arc::clone(db.catalogue()),
            asker: Arc::clone(asker),
            include,
            categories: projects::categories_of(db, wanted(include.issue_categories))?,
            modules: projects::modules_of(db, wanted(include.enabled_modules))?,
            values: store_fields::values(db, Customized::Project, wanted(has_fields))?,
        })
    }
}

/// A project in a list: without its home page and the defaults of its issues.
pub fn in_list(w: &mut Fields, project: &Project, around: &Around) {
    opening(w, project);
    middle(w, project, around);
    ending(w, project, around);
}

/// A project on its own.
pub fn alone(w: &mut Fields, project: &Project, around: &Around) {
    opening(w, project);
    w.field("homepage", &project.homepage);
    middle(w, project, around);
    defaults(w, project, around);
    ending(w, project, around);
}

fn opening(w: &mut Fields, project: &Project) {
    w.field("id", project.id.0);
    w.field("name", &project.name);
    w.field("identifier", &project.identifier);
    w.field("description", project.description.as_deref());
}

fn middle(w: &mut Fields, project: &Project, around: &Around) {
    let parent = project.parent.filter(|parent| around.asker.viewer.rights(*parent).is_some());
    let parent = parent.and_then(|parent| around.catalogue.projects.get(&parent));
    w.maybe_reference("parent", parent.map(|parent| (parent.id.0, parent.name.as_str())));
    w.field("status", project.status.code());
    w.field("is_public", project.is_public);
    w.field("inherit_members", project.inherit_members);
}

/// What new issues have when nothing else is said. A version of a project that the viewer cannot see is not named, unless it is
/// shared with this one.
fn defaults(w: &mut Fields, project: &Project, around: &Around) {
    let (catalogue, viewer) = (&around.catalogue, &around.asker.viewer);
    let version = project.default_version.and_then(|id| catalogue.versions.get(&id));
    let version = version.filter(|version| viewer.rights(version.project).is_some() || version.is_shared_with(project.id, catalogue));
    w.maybe_reference("default_version", version.map(|version| (version.id.0, version.name.as_str())));
    let assignee = project.default_assignee.and_then(|id| Some((id.0, catalogue.principal_name(id)?)));
    w.maybe_reference("default_assignee", assignee);
}

fn ending(w: &mut Fields, project: &Project, around: &Around) {
    let (catalogue, viewer) = (&around.catalogue, &around.asker.viewer);
    let fields = catalogue.custom_fields_of(Customized::Project).filter(|field| field.is_visible_to(viewer, project.id));
    custom_fields(w, fields, around.values.get(&project.id.0));
    if around.include.trackers {
        let trackers = project.trackers.iter().filter_map(|id| catalogue.tracker(*id));
        named(w, "trackers", "tracker", trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())));
    }
    if around.include.issue_categories {
        named(w, "issue_categories", "issue_category", of(&around.categories, project));
    }
    if around.include.time_entry_activities {
        let activities = catalogue.activities_of(project.id);
        named(w, "time_entry_activities", "time_entry_activity", activities.map(|activity| (activity.id.0, activity.name.as_str())));
    }
    if around.include.enabled_modules {
        named(w, "enabled_modules", "enabled_module", of(&around.modules, project));
    }
    if around.include.issue_custom_fields {
        let here = |field: &&CustomField| !field.everywhere && field.projects.contains(&project.id);
        let fields = catalogue.custom_fields_of(Customized::Issue).filter(here).filter(|field| field.is_visible_to(viewer, project.id));
        named(w, "issue_custom_fields", "custom_field", fields.map(|field| (field.id.0, field.name.as_str())));
    }
    w.field("created_on", project.created_on);
    w.field("updated_on", project.updated_on);
}

fn of<'a>(found: &'a NamedByProject, project: &Project) -> impl Iterator<Item = (i64, &'a str)> {
    found.get(&project.id).into_iter().flatten().map(|(id, name)| (*id, name.as_str()))
}

fn named<'a>(w: &mut Fields, name: &'static str, item: &'static str, items: impl Iterator<Item = (i64, &'a str)>) {
    w.items(name, item, items, |w, (id, label)| {
        w.attribute("id", id);
        w.attribute("name", label);
    });
}
