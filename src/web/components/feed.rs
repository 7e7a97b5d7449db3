//! A feed (Atom, RFC 4287).

use crate::prelude::*;
use jiff::Timestamp;
use quarry_markup::strip::strip;

/// Maximum number of characters of a summary.
const MAX_SUMMARY_CHARS: usize = 2_000;

/// A feed.
#[derive(Template)]
#[template(path = "components/feed/feed.xml")]
pub struct Feed {
    title: String,
    /// Its address, which is also its id.
    id: String,
    /// The address of the page with the same records.
    page: String,
    updated: String,
    entries: Vec<FeedEntry>,
}

/// A record in a feed.
pub struct FeedEntry {
    title: String,
    /// The address of the record, which is also the id of the entry.
    id: String,
    published: String,
    updated: String,
    author: String,
    summary: String,
}

impl Feed {
    /// Creates a feed with its address, and that of its page.
    pub fn new(
        title: &str,
        id: String,
        page: String,
        updated: Timestamp,
        entries: Vec<FeedEntry>,
    ) -> Feed {
        Feed {
            title: xml_text(title),
            id,
            page,
            updated: rfc_3339(updated),
            entries,
        }
    }

    /// Renders the feed.
    pub fn reply(&self) -> Result<Reply, Error> {
        let text = self
            .render()
            .map_err(|error| Error::Internal(error.to_string()))?;
        let content_type = "application/atom+xml; charset=utf-8";
        Ok(Reply::document(content_type, text.into_bytes()))
    }
}

impl FeedEntry {
    /// Creates an entry with the address of its record. Its summary is the beginning of `text`, which
    /// has markup.
    pub fn new(
        title: &str,
        id: String,
        (published, updated): (Timestamp, Timestamp),
        author: &str,
        text: &str,
    ) -> FeedEntry {
        // Includes space for markup.
        let beginning: String = text.chars().take(4 * MAX_SUMMARY_CHARS).collect();
        let summary: String = strip(&beginning).chars().take(MAX_SUMMARY_CHARS).collect();
        FeedEntry {
            title: xml_text(title),
            id,
            published: rfc_3339(published),
            updated: rfc_3339(updated),
            author: xml_text(author),
            summary: xml_text(&summary),
        }
    }
}

fn rfc_3339(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Removes the characters that XML 1.0 cannot have.
fn xml_text(text: &str) -> String {
    let is_valid = |c: &char| {
        matches!(c, '\t' | '\n' | '\r') || *c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}')
    };
    text.chars().filter(is_valid).collect()
}
