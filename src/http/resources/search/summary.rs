//! Summaries of hits: records without excerpts, for suggestions and similar issues.

use crate::{Error, RequestContext};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_search::Hit;
use quarry_store::Read;
use quarry_store::index_feed::search_records;
use quarry_store::lists::page_size::MAX_PAGE_BYTES;
use quarry_wire::Meta;
use std::collections::HashMap;

/// A record, and its score relative to the best hit.
pub type Summary = (SearchRecord, Option<f32>);

/// A page of summaries.
pub struct SummaryPage {
    /// The summaries in the order of the hits.
    pub results: Vec<Summary>,
    cut_to: Option<usize>,
}

impl SummaryPage {
    /// Returns the metadata of the list. As in every list, a page that was cut short has the number
    /// of its items as its limit.
    pub fn meta(&self, limit: usize) -> Vec<Meta> {
        let limit = i64::try_from(self.cut_to.unwrap_or(limit)).unwrap_or(i64::MAX);
        vec![Meta::Page {
            limit,
            always: true,
            max_bytes: MAX_PAGE_BYTES,
        }]
    }
}

/// Loads the records of the hits, as many as fit into a page with their texts. Records that the
/// viewer may not see are left out.
pub fn load_summaries(
    request: &RequestContext,
    db: &Read<'_>,
    hits: &[Hit],
) -> Result<SummaryPage, Error> {
    let ids: Vec<(Kind, i64)> = hits.iter().map(|hit| (hit.kind, hit.id)).collect();
    let (loaded, considered) = search_records::load_page(db, request.viewer(), &ids)?;
    let mut records: HashMap<(Kind, i64), SearchRecord> = loaded
        .into_iter()
        .map(|record| ((record.kind, record.id), record))
        .collect();
    let results = hits
        .iter()
        .filter_map(|hit| Some((records.remove(&(hit.kind, hit.id))?, hit.score)))
        .collect();
    Ok(SummaryPage {
        results,
        cut_to: (considered < hits.len()).then_some(considered),
    })
}

/// Parses `limit`, from 1 to `max`; anything else is a 422.
pub fn limit_param(request: &RequestContext, default: usize, max: usize) -> Result<usize, Error> {
    let Some(text) = request.query_param("limit").filter(|text| !text.is_empty()) else {
        return Ok(default);
    };
    let limit = text
        .trim()
        .parse::<usize>()
        .ok()
        .filter(|limit| (1..=max).contains(limit));
    limit.ok_or_else(|| Error::invalid(format!("limit must be a number from 1 to {max}")))
}
