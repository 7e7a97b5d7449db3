//! Searches with corrected or fewer words, where all words find little, and the results of the best
//! of them.

use super::address::{Address, Scope};
use super::hits::{self, Group, Row};
use crate::prelude::*;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::Pagination;
use quarry_http::resources::search::{SearchParams, count, find_all};
use quarry_search::{Alternative, Attachments, MIN_WITH_ALL_WORDS, Order, is_quote, qualifiers_of};
use std::ops::RangeInclusive;

/// Results of another search, which are shown after those of this one.
pub struct MoreResults {
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
    alternatives
        .iter()
        .filter(|alternative| {
            !(alternative.all_words && Some(alternative.text.as_str()) == corrected)
        })
        .map(|alternative| Proposal {
            label: label(alternative),
            count: i64::try_from(alternative.total).unwrap_or(i64::MAX),
            path: address_of(address, alternative).url(),
        })
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
    shown: &[Group],
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
    let found = find_all(
        request,
        db,
        &params,
        &alternative.text,
        &pagination,
        hits::title_parts,
        |result| Row::new(result, db),
    )?;
    let rows: Vec<Row> = hits::with_journals(request, db, found.page)?
        .into_iter()
        .filter(|row| {
            let mut shown = shown.iter().flat_map(|group| &group.rows);
            shown.all(|other| other.key != row.key)
        })
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

/// What a page says about results that lack a word.
pub struct PartialResults {
    pub sentence: String,
    /// The label of a link that hides or shows them.
    pub link: &'static str,
    /// Its address.
    pub path: String,
}

/// Number of results of a search for any of the words among which those that lack a word are found.
const BEST_OF_ANY: i64 = 10;

/// Number of words of a query with which results that lack one are shown.
const WORDS: RangeInclusive<usize> = 2..=16;

/// Adds the best results that lack a word to those of a search for all words, of which there are
/// `total`. Where somebody reports what is known already, that is more often among the best results
/// for any of the words than among those with all of them (docs/search.md).
pub fn add_partial_results(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    total: i64,
    groups: &mut [Group],
) -> Result<Option<PartialResults>, Error> {
    if u64::try_from(total).is_ok_and(|total| total < MIN_WITH_ALL_WORDS) {
        return Ok(None);
    }
    if !params.all_words || params.order == Order::Date || address.query.contains(is_quote) {
        return Ok(None);
    }
    let query = request.app.search.parse(&address.query, true)?;
    let has_alternatives = query.words.iter().any(|word| !word.alternatives.is_empty());
    if has_alternatives || !query.clauses.is_empty() || !WORDS.contains(&query.words.len()) {
        return Ok(None);
    }
    if !address.with_partial {
        let path = Address {
            with_partial: true,
            ..address.clone()
        };
        return Ok(Some(PartialResults {
            sentence: "These results have all words.".to_owned(),
            link: "Show the best that lack one, too",
            path: path.url(),
        }));
    }
    let params = SearchParams {
        all_words: false,
        order: Order::Relevance,
        facets: Vec::new(),
        explain: true,
        with_alternatives: false,
        ..params.clone()
    };
    let pagination = Pagination {
        offset: 0,
        limit: BEST_OF_ANY,
        without_totals: false,
    };
    let best = match find_all(
        request,
        db,
        &params,
        &address.query,
        &pagination,
        hits::title_parts,
        |result| Row::new(result, db),
    ) {
        // There are results without it.
        Err(Error::TimedOut) => return Ok(None),
        best => best?,
    };
    let sentence = match hits::insert_partial(groups, hits::with_journals(request, db, best.page)?)
    {
        0 => return Ok(None),
        1 => "Plus one result that lacks a word.".to_owned(),
        inserted => format!("Plus {inserted} results that lack a word."),
    };
    let path = Address {
        with_partial: false,
        ..address.clone()
    };
    Ok(Some(PartialResults {
        sentence,
        link: "Show only results with all words",
        path: path.url(),
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

/// Maximum number of proposals.
const MAX_PROPOSALS: usize = 3;

/// Maximum number of qualifiers that are left out in turn.
const MAX_QUALIFIERS: usize = 3;

/// A search that finds more.
pub struct Proposal {
    /// What is different, after the number of results.
    pub label: String,
    /// The number of its results.
    pub count: i64,
    /// Its address.
    pub path: String,
}

/// Returns searches that find something where this one finds nothing.
pub fn when_nothing_is_found(
    request: &RequestContext,
    db: &Read<'_>,
    address: &Address,
    params: &SearchParams,
) -> Result<Vec<Proposal>, Error> {
    let mut proposals = Vec::new();
    for (params, address, label) in variants(address, params) {
        if proposals.len() == MAX_PROPOSALS {
            break;
        }
        // A variant may be invalid where the search is not: with other kinds of errors the page
        // fails.
        match propose(request, db, &params, &address, label) {
            Ok(proposal) if proposal.count > 0 => proposals.push(proposal),
            Ok(_) | Err(Error::Invalid(_) | Error::InvalidQuery(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(proposals)
}

/// Returns the searches that leave out one of the restrictions.
fn variants(address: &Address, params: &SearchParams) -> Vec<(SearchParams, Address, String)> {
    let mut variants = Vec::new();
    let mut add = |params: SearchParams, address: Address, label: &str| {
        variants.push((params, address, label.to_owned()))
    };
    if address.scope != Scope::All {
        let kinds = if address.kinds.is_empty() {
            Kind::ALL.to_vec()
        } else {
            address.kinds.clone()
        };
        let params = SearchParams {
            projects: None,
            kinds,
            ..params.clone()
        };
        add(
            params,
            Address {
                scope: Scope::All,
                ..address.clone()
            },
            "in all projects",
        );
    }
    for token in qualifiers_of(&address.query)
        .into_iter()
        .take(MAX_QUALIFIERS)
        .filter(|token| !token.rest.is_empty())
    {
        let typed = format!(
            "without {}{}:{}",
            if token.negated { "-" } else { "" },
            token.qualifier.name(),
            token.value
        );
        add(params.clone(), address.with_query(token.rest), &typed);
    }
    if params.kinds != params.selectable {
        let params = SearchParams {
            kinds: params.selectable.clone(),
            ..params.clone()
        };
        add(
            params,
            Address {
                kinds: Vec::new(),
                ..address.clone()
            },
            "in all content types",
        );
    }
    if params.open_issues {
        let params = SearchParams {
            open_issues: false,
            ..params.clone()
        };
        add(
            params,
            Address {
                open_issues: false,
                ..address.clone()
            },
            "with closed issues",
        );
    }
    if params.titles_only {
        let params = SearchParams {
            titles_only: false,
            ..params.clone()
        };
        add(
            params,
            Address {
                titles_only: false,
                ..address.clone()
            },
            "in titles and texts",
        );
    }
    if params.attachments != Attachments::With {
        let params = SearchParams {
            attachments: Attachments::With,
            ..params.clone()
        };
        add(
            params,
            Address {
                attachments: "1",
                ..address.clone()
            },
            "with the names of attachments",
        );
    }
    variants
}

fn propose(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    label: String,
) -> Result<Proposal, Error> {
    let params = SearchParams {
        facets: Vec::new(),
        ..params.clone()
    };
    Ok(Proposal {
        label,
        count: count(request, db, &params, &address.query)?.total,
        path: address.url(),
    })
}
