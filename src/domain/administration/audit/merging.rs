//! Merges the events that actions have recorded with the differences between two catalogues.

use super::{AuditEvent, RecordType};

/// Maximum number of events of one transaction that no action has recorded. If there are more, one
/// further event counts them.
pub const MAX_EVENTS: usize = 200;

/// Adds changed values to the events that actions have recorded, and an event for each difference that
/// no action has recorded.
pub fn merge(mut recorded: Vec<AuditEvent>, found: Vec<AuditEvent>) -> Vec<AuditEvent> {
    let mut others = Vec::new();
    for difference in found {
        let is_same = |event: &AuditEvent| is_same_change(event, &difference);
        let exact = recorded
            .iter()
            .position(|event| is_same(event) && event.details == difference.details);
        let index = exact.or_else(|| recorded.iter().position(is_same));
        match index {
            Some(index) => recorded[index].changes = difference.changes,
            None => others.push(difference),
        }
    }
    recorded.extend(limit(others));
    recorded
}

/// Keeps the first events, and adds one that counts the others.
fn limit(mut events: Vec<AuditEvent>) -> Vec<AuditEvent> {
    let more = events.len().saturating_sub(MAX_EVENTS);
    if more > 0 {
        events.truncate(MAX_EVENTS);
        let event = AuditEvent::new(RecordType::Project, 0, "further changes").unlogged();
        events.push(event.with_details(format!("{more} further changes in the same transaction")));
    }
    events
}

/// Whether the event of an action is about this difference, and still has no values.
fn is_same_change(event: &AuditEvent, difference: &AuditEvent) -> bool {
    let is_same_record = if event.record == RecordType::Membership {
        event.principal.is_some()
            && (event.principal, &event.project) == (difference.principal, &difference.project)
    } else {
        event.id == difference.id
    };
    let is_same_change = match difference.change {
        "created" => matches!(event.change, "created" | "registered"),
        "deleted" => matches!(event.change, "deleted" | "expired"),
        "updated" => !is_of_another_kind(event),
        change => event.change == change,
    };
    event.record == difference.record
        && event.changes.is_empty()
        && is_same_record
        && is_same_change
}

/// Whether the event says something that is no update of the values in the catalogue, such as a new
/// API key.
fn is_of_another_kind(event: &AuditEvent) -> bool {
    let begins_or_ends = ["created", "registered", "deleted", "expired"].contains(&event.change);
    let is_own_fact =
        event.record == RecordType::User && !["updated", "confirmed"].contains(&event.change);
    begins_or_ends || is_own_fact
}
