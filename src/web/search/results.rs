//! Runs the search of a page, and what belongs to its results: counts, facets, people, and searches
//! that find more.

use super::address::{Address, Scope};
use super::alternatives::{self, MoreResults, PartialResults, Proposal};
use super::facets::{self, Counted, FACETS, FacetGroup};
use super::form::{label, tabs};
use super::hits::{self, Group, Row};
use super::people::{self, Person};
use super::topics;
use crate::components::pager::Pager;
use crate::components::tabs::Tab;
use crate::prelude::*;
use quarry_domain::administration::setting::Setting;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::Pagination;
use quarry_http::resources::search::{SearchParams, count, find_all, issue_ids};
use quarry_search::{Attachments, Facet, Order, corrected_parts};
use std::time::Instant;

/// Maximum number of results on a page.
const MAX_LIMIT: i64 = 100;

/// Maximum number of issues that can be opened as a list.
const MAX_LISTED: i64 = 100;

/// The results of a search.
pub struct Results {
    pub total: i64,
    pub milliseconds: u128,
    pub tabs: Vec<Tab>,
    pub people: Vec<Person>,
    pub groups: Vec<Group>,
    /// The number of issues among the results and the address of their list, if they are few.
    pub issues: Option<(usize, String)>,
    pub partial: Option<PartialResults>,
    pub facets: Vec<FacetGroup>,
    pub pager: Pager,
    pub did_you_mean: Option<DidYouMean>,
    /// Searches that find more: with corrected or fewer words, and with fewer restrictions when
    /// nothing is found.
    pub proposals: Vec<Proposal>,
    /// The results of the best of them.
    pub more: Option<MoreResults>,
    /// The scope of the search, in words.
    pub scope: String,
    /// The content types and options of the search, in words.
    pub extent: String,
    /// The same results as JSON, while the REST API is on.
    pub json: Option<String>,
    /// Whether the query is too long to be repeated in each link. The page has buttons of its form
    /// instead, and no searches with other words.
    pub is_long: bool,
}

/// The corrected query.
pub struct DidYouMean {
    /// Its parts, each with whether it was corrected.
    pub parts: Vec<(String, bool)>,
    pub path: String,
    pub count: u64,
    /// Whether the results are those of the corrected query.
    pub is_searched: bool,
}

/// Runs the search.
pub fn results(
    request: &RequestContext,
    db: &Read<'_>,
    address: &Address,
    params: SearchParams,
) -> Result<Results, Error> {
    let catalogue = db.catalogue();
    let start = Instant::now();
    let params = SearchParams {
        facets: FACETS.to_vec(),
        ..params
    };
    let pagination = pagination(request, catalogue);
    let page = find_all(
        request,
        db,
        &params,
        &address.query,
        &pagination,
        hits::title_parts,
        |result| Row::new(result, db),
    )?;
    let milliseconds = start.elapsed().as_millis();
    let offset = pagination.offset;
    let limit = pagination.limit;
    // Pages beyond the largest offset cannot be shown.
    let max_offset = i64::try_from(request.app.search.bounds().offset).unwrap_or(i64::MAX);
    let shown = page.total.min(max_offset.saturating_add(limit));
    let all_kinds = SearchParams {
        kinds: params.selectable.clone(),
        facets: Vec::new(),
        ..params.clone()
    };
    let all_counts = if params.kinds == params.selectable {
        page.counts.clone()
    } else {
        count(request, db, &all_kinds, &address.query)?.counts
    };
    let rows = hits::with_journals(request, db, page.page)?;
    let mut groups = hits::group(rows, &page.counts, params.order == Order::Grouped);
    let partial = if offset == 0 && page.did_you_mean.is_none() {
        alternatives::add_partial_results(request, db, &params, address, page.total, &mut groups)?
    } else {
        None
    };
    let is_long = address.is_long();
    let best = page.best_alternative.as_ref();
    let more = match best.filter(|_| offset == 0 && !is_long) {
        Some(alternative) => {
            alternatives::more_results(request, db, &params, address, alternative, &groups, limit)?
        }
        None => None,
    };
    let corrected = page.did_you_mean.as_ref().map(|meant| meant.text.as_str());
    let searched = match page.did_you_mean.as_ref().filter(|meant| meant.is_searched) {
        Some(meant) => address.with_query(&meant.text),
        None => address.clone(),
    };
    if address.topic.is_none() {
        topics::collapse(request, db, &params, &searched, &mut groups)?;
    }
    let counted = Counted {
        request,
        db,
        address,
        params: &params,
    };
    let is_corrected = searched.query != address.query;
    let facets = facets::groups(counted, &page.facets, is_corrected)?;
    let people = if offset == 0 && address.topic.is_none() {
        people::named(request, db, &params, &address.query)?
    } else {
        Vec::new()
    };
    let issues = listed_issues(request, db, &params, &searched, &page.counts)?;
    let mut proposals = if is_long {
        Vec::new()
    } else {
        alternatives::links(address, &page.alternatives, corrected)
    };
    if page.total == 0 && !is_long {
        proposals.extend(alternatives::when_nothing_is_found(
            request, db, address, &params,
        )?);
    }
    Ok(Results {
        is_long,
        total: page.total,
        milliseconds,
        tabs: tabs(address, &all_counts, &page.counts),
        groups,
        partial,
        facets,
        people,
        issues,
        pager: Pager::new(offset, limit, shown, |page| address.page_url(page)),
        did_you_mean: page.did_you_mean.map(|meant| DidYouMean {
            parts: corrected_parts(&address.query, &meant.text),
            path: address.with_query(meant.text).url(),
            count: meant.total,
            is_searched: meant.is_searched,
        }),
        proposals,
        more,
        scope: scope(request, address, catalogue),
        extent: extent(&params),
        json: catalogue
            .is_on(Setting::RestApiEnabled)
            .then(|| address.json_url(offset, limit, &FACETS.map(Facet::name).join(","))),
    })
}

/// Returns the number of issues that are found, and the address of their list, if they are few.
fn listed_issues(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    address: &Address,
    counts: &[(Kind, i64)],
) -> Result<Option<(usize, String)>, Error> {
    let found = counts.iter().find(|(kind, _)| *kind == Kind::Issue);
    let found = found.map_or(0, |(_, count)| *count);
    if !(2..=MAX_LISTED).contains(&found) {
        return Ok(None);
    }
    let ids = issue_ids(request, db, params, &address.query, MAX_LISTED)?;
    let list = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    Ok(Some((
        ids.len(),
        format!("/issues?set_filter=1&status_id=*&issue_id={list}"),
    )))
}

/// Returns the requested page; its size is that of the settings, unless the address has another.
fn pagination(request: &RequestContext, catalogue: &Catalogue) -> Pagination {
    let default = catalogue
        .setting(Setting::SearchResultsPerPage)
        .parse()
        .unwrap_or(10);
    let limit = number(request, "limit")
        .filter(|limit| *limit >= 1)
        .unwrap_or(default)
        .clamp(1, MAX_LIMIT);
    let offset = match number(request, "offset") {
        Some(offset) => offset.max(0),
        None => number(request, "page").map_or(0, |page| {
            page.saturating_sub(1).max(0).saturating_mul(limit)
        }),
    };
    Pagination {
        offset,
        limit,
        without_totals: false,
    }
}

fn number(request: &RequestContext, name: &str) -> Option<i64> {
    request
        .query_param(name)
        .and_then(|text| text.trim().parse::<i64>().ok())
}

/// Returns the scope of the search in words.
fn scope(request: &RequestContext, address: &Address, catalogue: &Catalogue) -> String {
    let reference = match request.path_param("id") {
        "" => request.query_param("id").unwrap_or_default(),
        id => id.into(),
    };
    let project = catalogue
        .project_by(&reference)
        .map_or("", |project| &project.name);
    match address.scope {
        Scope::Project => format!("in {project}"),
        Scope::Subprojects => format!("in {project} and its subprojects"),
        Scope::Mine => "in your projects".to_owned(),
        Scope::Bookmarks => "in the projects that you bookmarked".to_owned(),
        Scope::All => "in all projects".to_owned(),
    }
}

/// Returns the content types and options of the search in words.
fn extent(params: &SearchParams) -> String {
    let mut parts = vec![
        params
            .kinds
            .iter()
            .map(|kind| label(*kind))
            .collect::<Vec<_>>()
            .join(", "),
    ];
    parts.push(
        if params.all_words {
            "all words"
        } else {
            "any of the words"
        }
        .to_owned(),
    );
    parts.extend(params.titles_only.then(|| "titles only".to_owned()));
    parts.extend(params.open_issues.then(|| "open issues only".to_owned()));
    parts.push(match params.attachments {
        Attachments::Without => "without attachments".to_owned(),
        Attachments::With => "with the names of attachments".to_owned(),
        Attachments::Only => "only the names of attachments".to_owned(),
    });
    parts.join("; ")
}
