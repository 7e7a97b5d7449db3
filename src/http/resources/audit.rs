//! Representation of audit log events in pages, exports and commands.

use quarry_domain::administration::audit::StoredEvent;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::UserId;
use quarry_wire::Fields;

/// The columns of a table of events.
pub const COLUMNS: [&str; 14] = [
    "id",
    "time",
    "user_id",
    "user",
    "switched_by",
    "address",
    "by",
    "application",
    "record",
    "record_id",
    "name",
    "change",
    "project",
    "details",
];

/// The last column of a table of events.
pub const CHANGES: &str = "changes";

/// Returns the cells of an event, in the order of [`COLUMNS`] and [`CHANGES`].
pub fn cells(catalogue: &Catalogue, event: &StoredEvent) -> Vec<String> {
    let id = |user: Option<UserId>| user.map_or_else(String::new, |user| user.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    vec![
        event.id.to_string(),
        event.created_on.to_string(),
        id(event.user),
        user_name(catalogue, event.user),
        user_name(catalogue, event.switched_by),
        event.address.clone(),
        event.origin.clone(),
        text(&event.application),
        event.record.clone(),
        event.record_id.to_string(),
        text(&event.name),
        event.change.clone(),
        text(&event.project),
        text(&event.details),
        changes(event),
    ]
}

/// Returns the changed values in one text.
fn changes(event: &StoredEvent) -> String {
    let changes = event.changes.iter().map(|change| {
        let value = |value: &Option<String>| value.clone().unwrap_or_default();
        let before = value(&change.before);
        let after = value(&change.after);
        format!("{}: {before} → {after}", change.field)
    });
    changes.collect::<Vec<_>>().join("; ")
}

/// Returns the login of a user; the id of a deleted one.
pub fn user_name(catalogue: &Catalogue, user: Option<UserId>) -> String {
    match user {
        None => String::new(),
        Some(id) => catalogue
            .users
            .get(&id)
            .map_or_else(|| format!("user {id}"), |user| user.login.clone()),
    }
}

/// Describes an event as JSON.
pub fn describe(catalogue: &Catalogue, w: &mut Fields, event: &StoredEvent) {
    w.field("id", event.id);
    w.field("created_on", event.created_on);
    w.field("user_id", event.user.map(|user| user.0));
    w.field("user", user_name(catalogue, event.user).as_str());
    w.field("switched_by_id", event.switched_by.map(|user| user.0));
    w.field("address", event.address.as_str());
    w.field("by", event.origin.as_str());
    w.field("application", event.application.as_deref());
    w.field("record", event.record.as_str());
    w.field("record_id", event.record_id);
    w.field("name", event.name.as_deref());
    w.field("change", event.change.as_str());
    w.field("project", event.project.as_deref());
    w.field("details", event.details.as_deref());
    w.items("changes", "change", &event.changes, |w, change| {
        w.field("field", change.field.as_str());
        w.field("before", change.before.as_deref());
        w.field("after", change.after.as_deref());
    });
}
