//! Searches with corrected or fewer words, where all words find little, and the results of the best
//! of them.

use super::address::Address;
use super::hits::{self, Row};
use super::proposals::Proposal;
use crate::http::search::{SearchParams, find_all};
use crate::http::{Error, Pagination, RequestContext};
use crate::search::{Alternative, Order};
use crate::store::Read;

/// Results of another search, which are shown after those of this one.
pub struct MoreResults {
    /// The heading.
    pub heading: String,
    /// The results that this search does not have.
    pub rows: Vec<Row>,
    /// The number of all its results.
    pub count: i64,
    /// Its address.
    pub path: String,
}

/// Returns the alternatives as links, without the corrected query, which is offered by itself.
pub fn links(
    address: &Address,
    alternatives: &[Alternative],
    corrected: Option<&str>,
) -> Vec<Proposal> {
    let link = |alternative: &Alternative| Proposal {
        label: label(alternative),
        count: i64::try_from(alternative.total).unwrap_or(i64::MAX),
        path: address_of(address, alternative).url(),
    };
    let is_corrected = |alternative: &Alternative| {
        alternative.all_words && Some(alternative.text.as_str()) == corrected
    };
    alternatives
        .iter()
        .filter(|alternative| !is_corrected(alternative))
        .map(link)
        .collect()
}

/// Returns the first results of an alternative, without those that are `shown` already; `None` if
/// none are left.
pub fn more_results(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    alternative: &Alternative,
    shown: &[Row],
    limit: i64,
) -> Result<Option<MoreResults>, Error> {
    let order = if params.order == Order::Grouped {
        Order::Relevance
    } else {
        params.order
    };
    let params = SearchParams {
        all_words: alternative.all_words,
        order,
        facets: Vec::new(),
        with_alternatives: false,
        ..params.clone()
    };
    let pagination = Pagination {
        offset: 0,
        limit,
        without_totals: false,
    };
    let catalogue = db.catalogue();
    let found = find_all(
        request,
        db,
        &params,
        &alternative.text,
        &pagination,
        hits::title_parts,
        |result| Row::new(result, catalogue),
    )?;
    let rows: Vec<Row> = found
        .page
        .into_iter()
        .filter(|row| shown.iter().all(|other| other.path != row.path))
        .collect();
    let heading = match (alternative.all_words, alternative.without.is_empty()) {
        (true, true) => format!("Results for “{}”", alternative.text),
        (true, false) => format!("Results without {}", quoted(&alternative.without)),
        (false, _) => "Results with some of these words".to_owned(),
    };
    let path = address_of(address, alternative).url();
    Ok((!rows.is_empty()).then_some(MoreResults {
        heading,
        rows,
        count: found.total,
        path,
    }))
}

fn address_of(address: &Address, alternative: &Alternative) -> Address {
    Address {
        all_words: alternative.all_words,
        ..address.with_query(&alternative.text)
    }
}

fn label(alternative: &Alternative) -> String {
    match (alternative.all_words, alternative.without.is_empty()) {
        (true, true) => format!("for “{}”", alternative.text),
        (true, false) => format!("without {}", quoted(&alternative.without)),
        (false, _) => "with any of these words".to_owned(),
    }
}

fn quoted(words: &[String]) -> String {
    words
        .iter()
        .map(|word| format!("“{}”", word.trim_matches('"')))
        .collect::<Vec<_>>()
        .join(" and ")
}
