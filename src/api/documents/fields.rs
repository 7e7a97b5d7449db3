//! Parses the body of a request about a document (compatibility 13.1).

use crate::actions::attachments::NewUpload;
use crate::actions::documents::DocumentChange;
use crate::api::attachments::view::uploads;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// Parses the object `document` and its uploads.
pub fn parse(request: &RequestContext) -> Result<(DocumentChange, Vec<NewUpload>), Error> {
    let mut body = BodyFields::from_body(request, "document")?;
    let change = DocumentChange {
        category: body.id("category_id", "Category"),
        title: body.text("title", "Title"),
        description: body.text_or_empty("description", "Description"),
        custom: body.custom_fields(),
    };
    body.check()?;
    Ok((
        change,
        uploads(request.body.get("document").unwrap_or(&Input::Null))?,
    ))
}
