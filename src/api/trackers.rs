//! The resource `/trackers` (compatibility 11.3 and 14).

use crate::admin_routes::{AdminResource, admin_routes, show};
use crate::prelude::*;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::administration::tracker::{CORE_FIELDS, Tracker};
use quarry_domain::ids::TrackerId;
use quarry_domain::values::position::position_in;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    admin_routes::<Tracker>(
        read_handler(list),
        read_handler(show::<Tracker>).for_administrators(),
    )
}

/// `GET /trackers` (compatibility 11.3).
///
/// Returns all trackers with their default status and their standard fields, by position.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    Ok(Reply::list(
        "trackers",
        "tracker",
        db.catalogue().trackers.clone(),
        move |w: &mut Fields, tracker: Tracker| {
            write_tracker(w, &tracker, &catalogue);
            if administration {
                write_administration(w, &tracker, &catalogue);
            }
        },
        Vec::new(),
    ))
}

impl AdminResource for Tracker {
    const PATH: &'static str = "/trackers";

    fn reply(db: &Read<'_>, id: TrackerId) -> Result<Reply, Error> {
        let catalogue = Arc::clone(db.catalogue());
        let tracker = catalogue.tracker(id).ok_or(Error::NotFound)?.clone();
        Ok(Reply::object("tracker", move |w| {
            write_tracker(w, &tracker, &catalogue);
            write_administration(w, &tracker, &catalogue);
            write_projects(w, &tracker, &catalogue);
        }))
    }
}

/// Writes the fields of a tracker that everybody sees.
pub fn write_tracker(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
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
pub fn write_administration(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
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
pub fn write_projects(w: &mut Fields, tracker: &Tracker, catalogue: &Catalogue) {
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
