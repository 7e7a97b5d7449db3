//! `GET /search.atom`: the newest results of a search as a feed (RFC 4287).

use super::address::Address;
use super::hits;
use super::saved;
use crate::access;
use crate::components::feed::{Feed, FeedEntry};
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_http::Pagination;
use quarry_http::resources::search::{SearchParams, find_all, params, title};
use quarry_search::{Order, SearchResult};

/// Maximum number of entries.
const MAX_ENTRIES: i64 = 100;
/// Maximum number of characters of the query in the title.
const MAX_TITLE_CHARS: usize = 80;

/// Returns the newest results that the viewer may see. A query that cannot be used is a 422, so that
/// a reader of feeds says so.
pub fn atom(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::found(request, params::project(request, catalogue))?
        .and_then(|id| catalogue.projects.get(&id));
    let id = project.map(|project| project.id);
    let saved = saved::find(request, db, id)?;
    if let Some((query, true)) = &saved {
        let key = request.query_param("key");
        let search = saved::address(query, catalogue, id);
        return Ok(Reply::redirect(search.saved_feed_url(key.as_deref())));
    }
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
            entry(&result, catalogue, &base)
        },
    )?
    .page;
    let title = match &saved {
        Some((query, _)) => query.name.clone(),
        None => address.query.trim().chars().take(MAX_TITLE_CHARS).collect(),
    };
    let app = catalogue.setting(Setting::AppTitle);
    Feed::new(
        &format!("{title} · Search – {app}"),
        format!("{base}{}", address.feed_url()),
        format!("{base}{}", address.url()),
        newest.unwrap_or_else(|| db.now()),
        entries,
    )
    .reply()
}

fn entry(result: &SearchResult, catalogue: &Catalogue, base: &str) -> FeedEntry {
    let record = &result.record;
    let author = record
        .author
        .and_then(|author| catalogue.principal_name(author.into()));
    FeedEntry::new(
        &title::title(record, catalogue),
        format!("{base}{}", title::path(record, catalogue)),
        (record.created_on, record.created_on),
        author.unwrap_or("Anonymous"),
        record.text.as_deref().unwrap_or_default(),
    )
}
