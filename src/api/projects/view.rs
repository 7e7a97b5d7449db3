//! How a project looks outside (contract 6).

use crate::app::Asker;
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::project::Project;
use crate::http::{Ask, Error};
use crate::store::projects::NamedByProject;
use crate::store::{Read, projects};
use crate::wire::Fields;
use std::sync::Arc;

/// What is shown with projects when it is asked for.
#[derive(Clone, Copy, Default)]
pub struct Include {
    trackers: bool,
    issue_categories: bool,
    time_entry_activities: bool,
    enabled_modules: bool,
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
}

impl Around {
    /// Reads what is to be included for these projects.
    pub fn load(db: &Read<'_>, asker: &Arc<Asker>, include: Include, ids: Vec<i64>) -> Result<Around, Error> {
        let wanted = |on: bool| if on { ids.as_slice() } else { &[] };
        Ok(Around {
            catalogue: Arc::clone(db.catalogue()),
            asker: Arc::clone(asker),
            include,
            categories: projects::categories_of(db, wanted(include.issue_categories))?,
            modules: projects::modules_of(db, wanted(include.enabled_modules))?,
        })
    }
}

/// A project in a list: without its home page.
pub fn in_list(w: &mut Fields, project: &Project, around: &Around) {
    opening(w, project);
    rest(w, project, around);
}

/// A project on its own.
pub fn alone(w: &mut Fields, project: &Project, around: &Around) {
    opening(w, project);
    w.field("homepage", &project.homepage);
    rest(w, project, around);
}

fn opening(w: &mut Fields, project: &Project) {
    w.field("id", project.id.0);
    w.field("name", &project.name);
    w.field("identifier", &project.identifier);
    w.field("description", project.description.as_deref());
}

fn rest(w: &mut Fields, project: &Project, around: &Around) {
    let parent = project.parent.filter(|parent| around.asker.viewer.rights(*parent).is_some());
    let parent = parent.and_then(|parent| around.catalogue.projects.get(&parent));
    w.maybe_reference("parent", parent.map(|parent| (parent.id.0, parent.name.as_str())));
    w.field("status", project.status.code());
    w.field("is_public", project.is_public);
    w.field("inherit_members", project.inherit_members);
    let catalogue = &around.catalogue;
    if around.include.trackers {
        let trackers = project.trackers.iter().filter_map(|id| catalogue.tracker(*id));
        named(w, "trackers", "tracker", trackers.map(|tracker| (tracker.id.0, tracker.name.as_str())));
    }
    if around.include.issue_categories {
        named(w, "issue_categories", "issue_category", of(&around.categories, project));
    }
    if around.include.time_entry_activities {
        let activities = catalogue.enumerations_of(EnumerationKind::TimeEntryActivity).filter(|activity| activity.active);
        named(w, "time_entry_activities", "time_entry_activity", activities.map(|activity| (activity.id.0, activity.name.as_str())));
    }
    if around.include.enabled_modules {
        named(w, "enabled_modules", "enabled_module", of(&around.modules, project));
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
