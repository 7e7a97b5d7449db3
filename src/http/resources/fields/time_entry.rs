//! The fields of a time entry in a request (compatibility 9).

use crate::{BodyFields, Error};
use quarry_domain::access::viewer::Viewer;
use quarry_domain::ids::UserId;
use quarry_domain::issues::time_entry::TimeEntryChange;
use quarry_domain::values::patch::Patch;
use quarry_wire::Input;

/// Parses the object `time_entry`; without one nothing changes. The user `me` is the viewer.
pub fn parse(input: &Input, viewer: &Viewer) -> Result<TimeEntryChange, Error> {
    let mut body = BodyFields::from_input(input, "time_entry")?;
    let user = match body.text("user_id", "User") {
        Patch::Set(text) if text == "me" => viewer.user.map_or(Patch::Clear, Patch::Set),
        other => other.map(|text| UserId(parse_id(text))),
    };
    let change = TimeEntryChange {
        project: body.text("project_id", "Project"),
        issue: body.text("issue_id", "Issue").map(parse_id).map(Into::into),
        user,
        activity: body
            .text("activity_id", "Activity")
            .map(parse_id)
            .map(Into::into),
        hours: body.text("hours", "Hours"),
        comments: body.text_or_empty("comments", "Comment"),
        spent_on: body.text("spent_on", "Date"),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok(change)
}

/// Parses an id. What is not a number becomes -1, which is the id of nothing.
fn parse_id(text: String) -> i64 {
    text.trim().parse::<i64>().unwrap_or(-1)
}
