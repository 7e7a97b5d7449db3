//! Trackers (compatibility 11.3).

use crate::domain::catalogue::CORE_FIELDS;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use std::sync::Arc;

/// `GET /trackers`: all trackers with their default status and their standard fields.
pub fn list(_: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut crate::wire::Fields, tracker: crate::domain::catalogue::Tracker| {
        w.field("id", tracker.id.0);
        w.field("name", &tracker.name);
        let status = catalogue.status(tracker.default_status);
        w.reference("default_status", tracker.default_status.0, status.map_or("", |status| &status.name));
        w.field("description", tracker.description.as_deref());
        // Redmine 5 does not list the priority, which cannot be disabled.
        let fields = CORE_FIELDS.iter().filter(|field| **field != "priority_id" && tracker.has(field));
        w.texts("enabled_standard_fields", "field", fields);
    };
    Ok(Reply::list("trackers", "tracker", db.catalogue().trackers.clone(), describe, Vec::new()))
}
