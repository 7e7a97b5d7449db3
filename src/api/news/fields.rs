//! Parses the body of a request about a news item (compatibility 11.5).

use crate::actions::attachments::NewUpload;
use crate::actions::news::NewsChange;
use crate::api::attachments::view::uploads;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// Parses the object `news` and its uploads; without one nothing changes.
pub fn parse(request: &RequestContext) -> Result<(NewsChange, Vec<NewUpload>), Error> {
    let mut body = BodyFields::from_body(request, "news")?;
    let change = NewsChange {
        title: body.text("title", "Title"),
        summary: body.text_or_empty("summary", "Summary"),
        description: body.text("description", "Description"),
    };
    body.check()?;
    Ok((
        change,
        uploads(request.body.get("news").unwrap_or(&Input::Null))?,
    ))
}
