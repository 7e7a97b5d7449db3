//! The fields of a wiki page in a request (compatibility 7).

use crate::{BodyFields, Error};
use quarry_domain::content::wiki::WikiChange;
use quarry_domain::values::patch::Patch;
use quarry_domain::values::text::parse_bool;
use quarry_wire::Input;

/// A version that no page has.
const NO_VERSION: i64 = -1;

/// Parses the object `wiki_page`; without one nothing changes. A value of the wrong type is a 422
/// that names it.
pub fn parse(input: &Input) -> Result<WikiChange, Error> {
    let mut body = BodyFields::from_input(input, "wiki_page")?;
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
    Ok(change)
}
