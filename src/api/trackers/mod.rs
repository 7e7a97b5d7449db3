//! Trackers (contract 9).

use crate::domain::catalogue::CORE_FIELDS;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;
use std::sync::Arc;

/// `GET /trackers`: each with the status with which its issues begin and the fields that they have.
pub fn list(_: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let describe = move |w: &mut crate::wire::Fields, tracker: crate::domain::catalogue::Tracker| {
        w.field("id", tracker.id.0);
        w.field("name", &tracker.name);
        let status = catalogue.status(tracker.default_status);
        w.reference("default_status", tracker.default_status.0, status.map_or("", |status| &status.name));
        w.field("description", tracker.description.as_deref());
        // Every issue has a priority; Redmine 5 does not name it among the fields that can be switched off.
        let fields = CORE_FIELDS.iter().filter(|field| **field != "priority_id" && tracker.has(field));
        w.texts("enabled_standard_fields", "field", fields);
    };
    Ok(Reply::list("trackers", "tracker", db.catalogue().trackers.clone(), describe, Vec::new()))
}
