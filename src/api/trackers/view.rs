//! JSON and XML of trackers (compatibility 11.3 and 14).

use crate::domain::catalogue::{CORE_FIELDS, Catalogue, Tracker};
use crate::domain::custom_field::Customized;
use crate::domain::position::position_in;
use crate::wire::Fields;

/// Writes the fields of a tracker that everybody sees.
pub fn tracker(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
    w.field("id", tracker.id.0);
    w.field("name", &tracker.name);
    let status = catalogue.status(tracker.default_status);
    w.reference(
        "default_status",
        tracker.default_status.0,
        status.map_or("", |status| &status.name),
    );
    w.field("description", tracker.description.as_deref());
    // Redmine 5 does not list the priority, which cannot be disabled.
    let fields = CORE_FIELDS
        .iter()
        .filter(|field| **field != "priority_id" && tracker.has(field));
    w.texts("enabled_standard_fields", "field", fields);
}

/// Writes the further fields that administrators see.
pub fn administration(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
    w.field(
        "position",
        position_in(
            catalogue.trackers.iter().map(|sibling| sibling.id),
            tracker.id,
        ),
    );
    w.texts(
        "disabled_core_fields",
        "field",
        CORE_FIELDS.iter().filter(|field| !tracker.has(field)),
    );
    let fields = catalogue
        .custom_fields_of(Customized::Issue)
        .filter(|field| field.trackers.contains(&tracker.id));
    w.references(
        "custom_fields",
        "custom_field",
        fields.map(|field| (field.id.0, field.name.as_str())),
    );
}

/// Writes the projects that use a tracker, in the order of the tree. Not for lists, which they
/// would make very long.
pub fn projects(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
    let projects = catalogue
        .tree
        .iter()
        .filter_map(|id| catalogue.projects.get(id));
    let projects = projects.filter(|project| project.trackers.contains(&tracker.id));
    w.references(
        "projects",
        "project",
        projects.map(|project| (project.id.0, project.name.as_str())),
    );
}
