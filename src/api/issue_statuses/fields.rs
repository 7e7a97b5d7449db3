//! Parses the body of a request about an issue status.

use crate::actions::issue_statuses::StatusChange;
use crate::http::{BodyFields, Error, RequestContext};

/// Parses the object `issue_status`, for administrators.
pub fn parse(request: &RequestContext) -> Result<StatusChange, Error> {
    request.require_admin()?;
    let mut body = BodyFields::from_body(request, "issue_status")?;
    let change = StatusChange {
        name: body.text("name", "Name"),
        is_closed: body.boolean("is_closed", "Is closed"),
        description: body.text("description", "Description"),
        default_done_ratio: body.integer("default_done_ratio", "Default done ratio"),
        position: body.integer("position", "Position"),
    };
    body.check()?;
    Ok(change)
}
