//! The texts of events in mails. Some are longer than in the activity, which has only their beginnings.

use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::content::activity::{Event, EventDetails};
use quarry_domain::ids::WikiPageId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::values::text::is_blank;
use quarry_store::content::{news, wiki};
use quarry_store::{Read, StoreError};

/// Returns the text of an event that the viewer may see: of news, the summary and the description; of a
/// new wiki page, the comment and the text.
pub fn event_text(db: &Read<'_>, viewer: &Viewer, event: &Event) -> Result<String, StoreError> {
    let text = match event.details {
        EventDetails::News => {
            let visible = visibility::of_kind(viewer, Kind::News);
            news::find(db, visible, event.key.id)?.map(|news| {
                let summary = news.summary.unwrap_or_default();
                paragraphs(&summary, &news.description)
            })
        }
        EventDetails::WikiEdit if event.key.version == 1 => {
            let page = WikiPageId(event.key.id);
            wiki::find_version(db, page, event.key.version)?
                .map(|version| paragraphs(&event.text, &version.text))
        }
        _ => None,
    };
    Ok(text.unwrap_or_else(|| event.text.clone()))
}

/// Returns two texts with a blank line between them, unless one is blank.
fn paragraphs(first: &str, second: &str) -> String {
    match (is_blank(first), is_blank(second)) {
        (true, _) => second.to_owned(),
        (false, true) => first.to_owned(),
        (false, false) => format!("{}\n\n{second}", first.trim_end()),
    }
}
