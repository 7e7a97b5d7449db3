//! What the pages of both sorts of saved replies have in common: the row of the list, and the fields.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_page::Section;
use crate::components::list_page::{Cell, Link};
use quarry_domain::issues::saved_reply::SavedReply;
use quarry_domain::values::text::shorten;

/// Maximum number of characters of a text in a list.
const MAX_BEGINNING: usize = 100;

/// Returns the row of a reply in a list.
pub fn row(reply: &SavedReply, edit: String, delete: String) -> Vec<Cell> {
    let line = reply
        .content
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    vec![
        Cell::record(&reply.name, edit),
        Cell::Text(shorten(&line, MAX_BEGINNING)),
        Cell::Links(vec![Link::new("Delete", delete)]),
    ]
}

/// Returns the fields of a reply. `preview` is the address that renders its text.
pub fn sections(
    reply: Option<&SavedReply>,
    form: FieldBuilder<'_>,
    preview: Option<String>,
) -> Vec<Section> {
    let name = reply.map_or("", |reply| &reply.name);
    let content = reply.map_or("", |reply| &reply.content);
    let content = form
        .long_text("content", "Text", content)
        .required()
        .with_hint("Inserted into a comment, where it can be changed before it is saved.");
    let content = match preview {
        Some(path) => content.with_preview(path),
        None => content,
    };
    let name = form.line("name", "Name", name).required();
    let name = if reply.is_none() {
        name.focused()
    } else {
        name
    };
    vec![Section::new("", vec![name, content])]
}
