//! Parses the body of a request about a time entry (compatibility 9).

use crate::domain::ids::UserId;
use crate::domain::patch::Patch;
use crate::domain::time_entry::TimeEntryChange;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `time_entry`; without one nothing changes. A value of the wrong type is a 422
/// that names it.
pub fn parse(request: &RequestContext) -> Result<TimeEntryChange, Error> {
    let mut body = BodyFields::from_body(request, "time_entry")?;
    let parse_id = |text: String| text.trim().parse::<i64>().unwrap_or(-1);
    let user = match body.text("user_id", "User") {
        Patch::Set(text) if text == "me" => request.viewer().user.map_or(Patch::Clear, Patch::Set),
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
