//! What a body says of an issue, read into a change (contract 4.4, 4.5).

use crate::domain::ids::PrincipalId;
use crate::domain::issue::{Given, IssueChange};
use crate::domain::text::switch;
use crate::http::{Ask, Error};
use crate::wire::Input;

/// Reads the object `issue`; without one there is nothing to change. A value of the wrong shape is named in a 422.
pub fn read(ask: &Ask) -> Result<IssueChange, Error> {
    let fields = match ask.body.get("issue") {
        None | Some(Input::Null) => return Ok(IssueChange::default()),
        Some(fields) if fields.is_map() => fields,
        Some(other) => return Err(Error::Unreadable(format!("issue must be an object with the fields of an issue, not {}", other.kind()))),
    };
    let mut complaints = Vec::new();
    let mut text = |name: &str, label: &str| given(fields, name, label, &mut complaints);
    let project = text("project_id", "Project");
    let subject = text("subject", "Subject");
    let description = text("description", "Description");
    let (tracker, status) = (text("tracker_id", "Tracker"), text("status_id", "Status"));
    let (priority, assignee) = (text("priority_id", "Priority"), text("assigned_to_id", "Assignee"));
    let (private, notes) = (text("is_private", "Private"), text("notes", "Notes"));
    let private_notes = text("private_notes", "Private notes");
    if !complaints.is_empty() {
        return Err(Error::Invalid(complaints));
    }
    let me = ask.viewer().user.map(PrincipalId::from);
    let assignee = match assignee {
        Given::Value(text) if text == "me" => me.map_or(Given::Empty, Given::Value),
        other => number(other),
    };
    Ok(IssueChange {
        project,
        tracker: number(tracker),
        status: number(status),
        priority: number(priority),
        assignee,
        subject,
        description,
        private: on_or_off(private),
        notes,
        private_notes: on_or_off(private_notes),
    })
}

fn given(fields: &Input, name: &str, label: &str, complaints: &mut Vec<String>) -> Given<String> {
    match fields.get(name) {
        None => Given::Absent,
        Some(Input::Null) => Given::Empty,
        Some(value) => match value.as_text() {
            Some(text) if text.is_empty() => Given::Empty,
            Some(text) if text.contains('\0') => {
                complaints.push(format!("{label} is invalid (it contains a NUL character)"));
                Given::Absent
            }
            Some(text) => Given::Value(text.into_owned()),
            None => {
                complaints.push(format!("{label} is invalid (one value is expected, not {})", value.kind()));
                Given::Absent
            }
        },
    }
}

/// What is not a number becomes 0, which no record has.
fn number<Id: From<i64>>(text: Given<String>) -> Given<Id> {
    match text {
        Given::Absent => Given::Absent,
        Given::Empty => Given::Empty,
        Given::Value(text) => Given::Value(Id::from(text.trim().parse().unwrap_or(0))),
    }
}

fn on_or_off(text: Given<String>) -> Given<bool> {
    match text {
        Given::Absent => Given::Absent,
        Given::Empty => Given::Value(false),
        Given::Value(text) => Given::Value(switch(&text).unwrap_or(true)),
    }
}
