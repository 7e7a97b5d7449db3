//! Runs the search of a request, and loads its results.

use super::params::{SearchParams, requested_calendar};
use super::title;
use super::visibility::current_visibility;
use crate::{Error, Pagination, RequestContext};
use quarry_domain::access::permission::Permission;
use quarry_domain::access::visibility::issues as visible_issues;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::IssueId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_domain::values::id_set::IdSet;
use quarry_search::{
    Alternative, Attachments, AttributeFilter, DidYouMean, Facet, FacetCounts, Hit, Order,
    QualifierContext, ResultLoader, ResultPage, SearchRequest, SearchResult, resolve_clauses,
    resolve_qualifiers, searched_text,
};
use quarry_store::content::messages;
use quarry_store::{Read, issues};

/// A page of search results, with counts.
pub struct SearchHits<T> {
    pub page: Vec<T>,
    /// Number of hits that the page covers; fewer than its limit where texts are long. The next
    /// page starts after them.
    pub considered: usize,
    /// Total number of hits for this viewer.
    pub total: i64,
    /// Number of hits of each searched content type.
    pub counts: Vec<(Kind, i64)>,
    /// Number of hits by value of each requested facet.
    pub facets: Vec<(Facet, FacetCounts)>,
    /// A correction of the query. It was run instead when a word of the query occurs in nothing
    /// that the viewer may see.
    pub did_you_mean: Option<DidYouMean>,
    /// Other searches that find more, the best first, when there are few hits.
    pub alternatives: Vec<Alternative>,
    /// The alternative whose results are worth showing after few hits.
    pub best_alternative: Option<Alternative>,
    /// What is searched as text, and why.
    pub as_text: Option<String>,
}

/// Returns the text that precedes the title of a record, and that title.
pub type TitleParts = for<'f> fn(&'f SearchRecord, &Catalogue) -> (String, &'f str);

/// Runs a search, and loads as many of its results as fit into a page with their texts.
pub fn find(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    words: &str,
    pagination: &Pagination,
) -> Result<SearchHits<SearchResult>, Error> {
    find_with(
        request,
        db,
        params,
        words,
        pagination,
        title::parts,
        |loader, hits| {
            let ResultPage {
                results,
                considered,
            } = loader.load(hits)?;
            Ok((results, considered))
        },
    )
}

/// Runs a search, loads all results of the page with these titles, and keeps what `convert` makes
/// of each.
pub fn find_all<T>(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    words: &str,
    pagination: &Pagination,
    title_parts: TitleParts,
    convert: impl FnMut(SearchResult) -> T,
) -> Result<SearchHits<T>, Error> {
    find_with(
        request,
        db,
        params,
        words,
        pagination,
        title_parts,
        |loader, hits| Ok((loader.load_all(hits, convert)?, hits.len())),
    )
}

/// Runs a search, and returns its counts alone, without alternatives.
pub fn count(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    words: &str,
) -> Result<SearchHits<()>, Error> {
    let nothing = Pagination {
        offset: 0,
        limit: 0,
        without_totals: false,
    };
    let params = SearchParams {
        with_alternatives: false,
        ..params.clone()
    };
    find_with(
        request,
        db,
        &params,
        words,
        &nothing,
        title::parts,
        |_, _| Ok((Vec::new(), 0)),
    )
}

/// Runs a search, and returns the ids of its first issues.
pub fn issue_ids(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    words: &str,
    limit: i64,
) -> Result<Vec<i64>, Error> {
    let pagination = Pagination {
        offset: 0,
        limit,
        without_totals: false,
    };
    let params = SearchParams {
        kinds: vec![Kind::Issue],
        facets: Vec::new(),
        explain: false,
        with_alternatives: false,
        ..params.clone()
    };
    let found = find_with(
        request,
        db,
        &params,
        words,
        &pagination,
        title::parts,
        |_, hits| Ok((hits.iter().map(|hit| hit.id).collect(), hits.len())),
    )?;
    Ok(found.page)
}

/// The issues that a text finds.
pub struct FoundIssues {
    /// The ids of all of them.
    pub ids: Vec<i64>,
    /// The text that was searched instead, because a word of the requested one occurs in nothing
    /// that the viewer may see.
    pub corrected: Option<String>,
    /// What is searched as text, and why.
    pub as_text: Option<String>,
}

/// Searches for all words of a text, and returns all issues that are found in these projects, or in
/// all with `None`.
pub fn find_issues(
    request: &RequestContext,
    db: &Read<'_>,
    projects: Option<IdSet>,
    words: &str,
) -> Result<FoundIssues, Error> {
    if !request.viewer().has_scope(Permission::SearchProject) {
        return Err(Error::Forbidden);
    }
    let params = SearchParams {
        kinds: vec![Kind::Issue],
        selectable: vec![Kind::Issue],
        projects,
        all_words: true,
        titles_only: false,
        open_issues: false,
        attachments: Attachments::Without,
        topic: None,
        ignored: None,
        calendar: requested_calendar(request, db.catalogue()).map_err(Error::invalid)?,
        order: Order::Date,
        facets: Vec::new(),
        with_description: false,
        explain: false,
        with_alternatives: false,
    };
    let all = Pagination {
        offset: 0,
        limit: i64::MAX,
        without_totals: false,
    };
    let found = find_with(
        request,
        db,
        &params,
        words,
        &all,
        title::parts,
        |_, hits| Ok((hits.iter().map(|hit| hit.id).collect(), hits.len())),
    )?;
    let corrected = found.did_you_mean.filter(|meant| meant.is_searched);
    Ok(FoundIssues {
        ids: found.page,
        corrected: corrected.map(|meant| meant.text),
        as_text: found.as_text,
    })
}

fn find_with<T>(
    request: &RequestContext,
    db: &Read<'_>,
    params: &SearchParams,
    words: &str,
    pagination: &Pagination,
    title_parts: TitleParts,
    load: impl FnOnce(&ResultLoader<'_, '_>, &[Hit]) -> Result<(Vec<T>, usize), Error>,
) -> Result<SearchHits<T>, Error> {
    let context = QualifierContext {
        catalogue: db.catalogue(),
        viewer: request.viewer(),
        calendar: params.calendar.clone(),
    };
    let (text, as_text) = searched_text(words, &context);
    let query = request.app.search.parse(&text, params.all_words)?;
    let offset = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let max_offset = request.app.search.bounds().offset;
    if offset > max_offset {
        return Err(Error::invalid(format!(
            "offset must be at most {max_offset} in a search; narrow q instead"
        )));
    }
    let mut qualifiers = query.qualifiers.clone();
    qualifiers.retain(|filter| filter.negated || Some(filter.qualifier) != params.ignored);
    let mut filters = resolve_qualifiers(&qualifiers, &context)?;
    let resolved = resolve_clauses(&query.clauses, &context)?;
    if let Some(topic) = params.topic {
        let messages = messages::ids_of_topic(db, topic)?;
        filters.push(AttributeFilter::records(Kind::Message, messages));
    }
    let statuses = db.catalogue().statuses.iter();
    let closed = params.open_issues.then(|| {
        statuses
            .filter(|status| status.is_closed)
            .map(|status| status.id)
            .collect()
    });
    let visibility = current_visibility(request, db)?;
    let search_request = SearchRequest {
        query: &query,
        visibility: &visibility,
        kinds: &params.kinds,
        projects: params.projects.as_ref(),
        closed: closed.as_ref(),
        titles_only: params.titles_only,
        attachments: params.attachments,
        all_words: params.all_words,
        order: params.order,
        filters: &filters,
        resolved: &resolved,
        facets: &params.facets,
        offset,
        limit: usize::try_from(pagination.limit).unwrap_or(0),
        with_alternatives: params.with_alternatives,
        now: db.now(),
    };
    let search = &request.app.search;
    let response = search.search(&search_request, db, request.viewer())?;
    let counts = params
        .kinds
        .iter()
        .map(|kind| (*kind, signed(response.counts[usize::from(kind.code())])));
    let answered = SearchRequest {
        query: response.searched.as_ref().unwrap_or(&query),
        ..search_request
    };
    let loader = ResultLoader {
        search,
        db,
        viewer: request.viewer(),
        request: &answered,
        title_parts,
        explain: params.explain,
    };
    let (page, considered) = load(&loader, &response.hits)?;
    Ok(SearchHits {
        page,
        considered,
        total: signed(response.total),
        counts: counts.collect(),
        best_alternative: response.best_alternative().cloned(),
        facets: response.facets,
        did_you_mean: response.did_you_mean,
        alternatives: response.alternatives,
        as_text,
    })
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns the issue if the query is its id, such as `12` or `#12`, and it is visible
/// (compatibility 2.3).
pub fn find_issue_by_id(
    request: &RequestContext,
    db: &Read<'_>,
    words: &str,
) -> Result<Option<IssueId>, Error> {
    let words = words.trim();
    let digits = words.strip_prefix('#').unwrap_or(words);
    let id = digits
        .parse::<i64>()
        .ok()
        .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(id) = id.map(IssueId) else {
        return Ok(None);
    };
    Ok(issues::find(db, visible_issues(request.viewer()), id)?.map(|issue| issue.id))
}
