//! What a body says of a wiki page, read into a change (spec, "Wiki pages"; contract 5).

use crate::actions::attachments::NewUpload;
use crate::api::attachments::view::uploads;
use crate::domain::given::Given;
use crate::domain::text::switch;
use crate::domain::wiki::WikiChange;
use crate::http::{Ask, Error, Said};
use crate::wire::Input;

/// What is no version of any page.
const NO_VERSION: i64 = -1;

/// Reads the object `wiki_page`, and the uploads that it names; without one nothing is said. A value of the wrong shape is named
/// in a 422.
pub fn read(ask: &Ask) -> Result<(WikiChange, Vec<NewUpload>), Error> {
    let mut said = Said::of(ask, "wiki_page")?;
    // An empty comment is one, null is none.
    let has_comment = said.raw("comments").is_some_and(|value| !value.is_null());
    let change = WikiChange {
        text: said.text("text", "Text"),
        comments: Some(said.text("comments", "Comment")).filter(|_| has_comment).map(|given| given.over(None).unwrap_or_default()),
        seen: said.text("version", "Version").map(|text| text.parse().unwrap_or(NO_VERSION)),
        parent: said.text("parent_title", "Parent title"),
        title: said.text("title", "Title"),
        without_redirect: said.text("redirect_existing_links", "Redirect existing links").map(|text| switch(&text) == Some(false))
            == Given::Value(true),
        is_start_page: said.switch("is_start_page", "Is start page") == Given::Value(true),
        without_files: said.ids("deleted_attachment_ids", "Deleted attachment ids").over(None).unwrap_or_default(),
    };
    said.finish()?;
    Ok((change, uploads(ask.body.get("wiki_page").unwrap_or(&Input::Null))?))
}
