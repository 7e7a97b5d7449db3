//! What a body says of a time entry, read into a change (contract 7).

use crate::domain::given::Given;
use crate::domain::ids::UserId;
use crate::domain::time_entry::TimeEntryChange;
use crate::http::{Ask, Error, Said};

/// Reads the object `time_entry`; without one nothing is said. A value of the wrong shape is named in a 422.
pub fn read(ask: &Ask) -> Result<TimeEntryChange, Error> {
    let mut said = Said::of(ask, "time_entry")?;
    let number = |text: String| text.trim().parse::<i64>().unwrap_or(-1);
    let user = match said.text("user_id", "User") {
        Given::Value(text) if text == "me" => ask.viewer().user.map_or(Given::Empty, Given::Value),
        other => other.map(|text| UserId(number(text))),
    };
    let change = TimeEntryChange {
        project: said.text("project_id", "Project"),
        issue: said.text("issue_id", "Issue").map(number).map(Into::into),
        user,
        activity: said.text("activity_id", "Activity").map(number).map(Into::into),
        hours: said.text("hours", "Hours"),
        comments: said.text("comments", "Comment"),
        spent_on: said.text("spent_on", "Date"),
        custom: said.custom_fields(),
    };
    said.finish()?;
    Ok(change)
}
