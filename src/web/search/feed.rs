//! `GET /search.atom`: the newest results of a search as a feed (RFC 4287).

use super::address::Address;
use super::hits;
use crate::access;
use askama::Template;
use jiff::Timestamp;
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_http::resources::search::{SearchParams, find_all, params, title};
use quarry_http::{Error, Pagination, Reply, RequestContext};
use quarry_markup::strip::strip;
use quarry_search::{Order, SearchResult};
use quarry_store::Read;

/// Maximum number of entries.
const MAX_ENTRIES: i64 = 100;
/// Maximum number of characters of a summary.
const MAX_SUMMARY_CHARS: usize = 2_000;
/// Maximum number of characters of the query in the title.
const MAX_TITLE_CHARS: usize = 80;

#[derive(Template)]
#[template(path = "search/feed.xml")]
struct Feed {
    title: String,
    /// Its address, which is also its id.
    id: String,
    /// The address of the page.
    page: String,
    updated: String,
    entries: Vec<Entry>,
}

struct Entry {
    title: String,
    /// The address of the record, which is also the id of the entry.
    id: String,
    updated: String,
    author: String,
    summary: String,
}

/// Returns the newest results that the viewer may see. A query that cannot be used is a 422, so that
/// a reader of feeds says so.
pub fn atom(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::found(request, params::project(request, catalogue))?
        .and_then(|id| catalogue.projects.get(&id));
    let address = Address::new(request, project);
    let params = SearchParams {
        order: Order::Date,
        facets: Vec::new(),
        explain: false,
        with_alternatives: false,
        ..params::parse(request, catalogue)?
    };
    let pagination = Pagination {
        offset: 0,
        limit: catalogue
            .integer_setting(Setting::FeedsLimit)
            .clamp(1, MAX_ENTRIES),
        without_totals: false,
    };
    let base = request.base_url();
    let mut newest = None;
    let entries = find_all(
        request,
        db,
        &params,
        &address.query,
        &pagination,
        hits::title_parts,
        |result| {
            newest = newest.max(Some(result.record.created_on));
            Entry::new(result, catalogue, &base)
        },
    )?
    .page;
    let query: String = address.query.trim().chars().take(MAX_TITLE_CHARS).collect();
    let app = catalogue.setting(Setting::AppTitle);
    let feed = Feed {
        title: xml_text(&format!("{query} · Search – {app}")),
        id: format!("{base}{}", address.feed_url()),
        page: format!("{base}{}", address.url()),
        updated: rfc_3339(newest.unwrap_or_else(|| db.now())),
        entries,
    };
    let text = feed
        .render()
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Reply::document(
        "application/atom+xml; charset=utf-8",
        text.into_bytes(),
    ))
}

impl Entry {
    fn new(result: SearchResult, catalogue: &Catalogue, base: &str) -> Entry {
        let record = &result.record;
        let text = record.text.as_deref().unwrap_or_default();
        // Includes space for markup.
        let beginning: String = text.chars().take(4 * MAX_SUMMARY_CHARS).collect();
        let summary: String = strip(&beginning).chars().take(MAX_SUMMARY_CHARS).collect();
        let author = record
            .author
            .and_then(|author| catalogue.principal_name(author.into()));
        Entry {
            title: xml_text(&title::title(record, catalogue)),
            id: format!("{base}{}", title::path(record, catalogue)),
            updated: rfc_3339(record.created_on),
            author: xml_text(author.unwrap_or("Anonymous")),
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
