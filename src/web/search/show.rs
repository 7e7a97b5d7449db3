//! Runs the search of the address and shows its results; redirects to the issue when the query is
//! its id.

use super::address::{Address, Scope};
use super::alternatives::{self, MoreResults, PartialResults, Proposal};
use super::facets::{self, FACETS, FacetGroup};
use super::form::{Form, label, tabs};
use super::hits::{self, Group, Row};
use crate::access;
use crate::components::pager::Pager;
use crate::components::tabs::Tab;
use crate::frame::{Frame, Width};
use crate::render::render;
use askama::Template;
use axum::http::StatusCode;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::time_zone;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::validation::ValidationError;
use quarry_http::resources::paths;
use quarry_http::resources::search::{SearchParams, count, find_all, find_issue_by_id, params};
use quarry_http::{Error, Pagination, QUERY_PARAM, Reply, RequestContext};
use quarry_search::{Attachments, Facet, Order, QueryError, corrected_parts, mistakes};
use quarry_store::Read;
use std::time::Instant;

/// Maximum number of characters of the query in the title of the page.
const MAX_TITLE: usize = 80;

/// Maximum number of messages about qualifiers that cannot be used.
const MAX_MESSAGES: usize = 5;

/// Maximum number of results on a page.
const MAX_LIMIT: i64 = 100;

#[derive(Template)]
#[template(path = "search/show.html")]
struct SearchPage {
    frame: Frame,
    form: Form,
    /// The qualifiers of the query that are searched as text because they cannot be used.
    mistakes: Vec<QualifierMistake>,
    /// The message while the index cannot be searched.
    unavailable: Option<String>,
    /// The address of a search for any of the words, where there are too many for all.
    any_word: Option<String>,
    /// `None` where nothing was searched.
    results: Option<Results>,
    is_logged_in: bool,
}

/// The results of a search.
struct Results {
    total: i64,
    milliseconds: u128,
    tabs: Vec<Tab>,
    groups: Vec<Group>,
    partial: Option<PartialResults>,
    facets: Vec<FacetGroup>,
    pager: Pager,
    did_you_mean: Option<DidYouMean>,
    /// Searches that find more: with corrected or fewer words, and with fewer restrictions when
    /// nothing is found.
    proposals: Vec<Proposal>,
    /// The results of the best of them.
    more: Option<MoreResults>,
    /// The scope of the search, in words.
    scope: String,
    /// The content types and options of the search, in words.
    extent: String,
    /// The same results as JSON, while the REST API is on.
    json: Option<String>,
}

/// A qualifier that cannot be used.
struct QualifierMistake {
    typed: String,
    /// What is wrong.
    problem: String,
    /// The query that was probably meant, and the address of its search.
    meant: Option<(String, String)>,
}

/// The corrected query.
struct DidYouMean {
    /// Its parts, each with whether it was corrected.
    parts: Vec<(String, bool)>,
    path: String,
    count: u64,
    /// Whether the results are those of the corrected query.
    is_searched: bool,
}

/// Shows the search page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::found(request, params::project(request, catalogue))?
        .and_then(|id| catalogue.projects.get(&id));
    let typed = Address::new(request, project);
    if let Some(issue) = find_issue_by_id(request, db, &typed.query)? {
        return Ok(Reply::redirect(paths::issue(issue)));
    }
    let (address, mistakes) = without_mistakes(request, db, &typed);
    let mut selectable = Kind::ALL.to_vec();
    let mut errors = Vec::new();
    let mut unavailable = None;
    let mut status = StatusCode::OK;
    let outcome = params::parse(request, catalogue).and_then(|params| {
        selectable.clone_from(&params.selectable);
        if address.query.trim().is_empty() {
            Ok(None)
        } else {
            results(request, db, &address, params).map(Some)
        }
    });
    let results = match outcome {
        Ok(results) => results,
        Err(Error::InvalidQuery(error)) => {
            errors.push(query_error(&error));
            status = StatusCode::UNPROCESSABLE_ENTITY;
            None
        }
        Err(Error::Invalid(invalid)) => {
            errors.extend(invalid.iter().map(sentence));
            status = StatusCode::UNPROCESSABLE_ENTITY;
            None
        }
        Err(error @ Error::NotReady) => {
            (unavailable, status) = (Some(error.messages().join(" ")), error.status());
            None
        }
        Err(error) => return Err(error),
    };
    let query: String = typed.query.trim().chars().take(MAX_TITLE).collect();
    let mut frame = Frame::new(
        request,
        db,
        if query.is_empty() {
            "Search".to_owned()
        } else {
            format!("{query} – search")
        },
    );
    if let Some(project) = project {
        frame = frame.in_project(catalogue, request.viewer(), project, None);
    }
    if results
        .as_ref()
        .is_some_and(|results| !results.facets.is_empty())
    {
        frame = frame.with_width(Width::TwoColumns);
    }
    let form = Form::new(
        request,
        &address,
        project.map(|project| project.name.as_str()),
        &selectable,
        errors,
    );
    let form = Form {
        query: typed.query,
        ..form
    };
    let has_too_many_words =
        results.is_none() && address.all_words && has_too_many_words(request, &address.query);
    let any_word = has_too_many_words.then(|| {
        Address {
            all_words: false,
            ..address.clone()
        }
        .url()
    });
    let page = SearchPage {
        frame: frame.without_search(),
        form,
        mistakes,
        unavailable,
        any_word,
        results,
        is_logged_in: request.viewer().user.is_some(),
    };
    Ok(render(&page.frame, &page)?.with_status(status))
}

/// Returns the search with qualifiers that cannot be used as text, and the first of these
/// qualifiers. A query that is too long has none.
fn without_mistakes(
    request: &RequestContext,
    db: &Read<'_>,
    typed: &Address,
) -> (Address, Vec<QualifierMistake>) {
    let is_too_long = typed
        .query
        .chars()
        .nth(request.app.search.bounds().query_characters)
        .is_some();
    let catalogue = db.catalogue();
    let today = time_zone::date_for_user(catalogue, request.viewer().user, db.now());
    let found = if is_too_long {
        None
    } else {
        mistakes(&typed.query, catalogue, request.viewer(), today)
    };
    let Some((query, mistakes)) = found else {
        return (typed.clone(), Vec::new());
    };
    let shown = mistakes
        .into_iter()
        .take(MAX_MESSAGES)
        .map(|mistake| QualifierMistake {
            typed: mistake.typed,
            problem: mistake.problem,
            meant: mistake
                .meant
                .map(|(meant, query)| (meant, typed.with_query(query).url())),
        });
    (typed.with_query(query), shown.collect())
}

fn results(
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
        |result| Row::new(result, catalogue),
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
    let mut groups = hits::group(page.page, &page.counts, params.order == Order::Grouped);
    let partial = if offset == 0 && page.did_you_mean.is_none() {
        alternatives::add_partial_results(request, db, &params, address, page.total, &mut groups)?
    } else {
        None
    };
    let more = match page.best_alternative.as_ref().filter(|_| offset == 0) {
        Some(alternative) => {
            alternatives::more_results(request, db, &params, address, alternative, &groups, limit)?
        }
        None => None,
    };
    let corrected = page.did_you_mean.as_ref().map(|meant| meant.text.as_str());
    let mut proposals = alternatives::links(address, &page.alternatives, corrected);
    if page.total == 0 {
        proposals.extend(alternatives::when_nothing_is_found(
            request, db, address, &params,
        )?);
    }
    Ok(Results {
        total: page.total,
        milliseconds,
        tabs: tabs(address, &all_counts, &page.counts),
        groups,
        partial,
        facets: facets::groups(address, &page.facets, catalogue),
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

/// Whether a query is valid but for the number of words that must match.
fn has_too_many_words(request: &RequestContext, query: &str) -> bool {
    request.app.search.parse(query, true).is_err() && request.app.search.parse(query, false).is_ok()
}

/// Returns the sentence about an error, which names the query instead of its parameter.
fn sentence(error: &ValidationError) -> String {
    if error.is_about(QUERY_PARAM) {
        format!("The query {}", error.message)
    } else {
        error.to_string()
    }
}

/// Returns the sentence about an invalid query, which names the choices of the form instead of the
/// parameters.
fn query_error(error: &QueryError) -> String {
    match error {
        QueryError::TooManyWords { limit } => format!(
            "The query has too many words (at most {limit} where all must match, any number where any of them suffices)"
        ),
        error => format!("The query {error}"),
    }
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
