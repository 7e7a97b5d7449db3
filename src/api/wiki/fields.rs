//! Parses the body of a request about a wiki page (compatibility 7).

use crate::actions::attachments::NewUpload;
use crate::api::attachments::view::uploads;
use crate::domain::patch::Patch;
use crate::domain::text::parse_bool;
use crate::domain::wiki::WikiChange;
use crate::http::{BodyFields, Error, RequestContext};
use crate::wire::Input;

/// A version that no page has.
const NO_VERSION: i64 = -1;

/// Parses the object `wiki_page` and its uploads; without one nothing changes. A value of the wrong
/// type is a 422 that names it.
pub fn parse(request: &RequestContext) -> Result<(WikiChange, Vec<NewUpload>), Error> {
    let mut body = BodyFields::from_body(request, "wiki_page")?;
    // An empty comment is a comment, null is not.
    let has_comment = body.raw("comments").is_some_and(|value| !value.is_null());
    let change = WikiChange {
        text: body.text("text", "Text"),
        comments: Some(body.text("comments", "Comment"))
            .filter(|_| has_comment)
            .map(|given| given.apply_to(None).unwrap_or_default()),
        base_version: body
            .text("version", "Version")
            .map(|text| text.parse().unwrap_or(NO_VERSION)),
        parent: body.text("parent_title", "Parent title"),
        title: body.text("title", "Title"),
        without_redirect: body
            .text("redirect_existing_links", "Redirect existing links")
            .map(|text| parse_bool(&text) == Some(false))
            == Patch::Set(true),
        is_start_page: body.boolean("is_start_page", "Is start page") == Patch::Set(true),
        deleted_files: body
            .ids("deleted_attachment_ids", "Deleted attachment ids")
            .apply_to(None)
            .unwrap_or_default(),
    };
    body.check()?;
    Ok((
        change,
        uploads(request.body.get("wiki_page").unwrap_or(&Input::Null))?,
    ))
}
