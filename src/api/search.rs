//! The resource `/search`, and suggestions (docs/search.md; compatibility 10).

use crate::prelude::*;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::index_feed::search_record::SearchRecord;
use quarry_http::resources::search::facets;
use quarry_http::resources::search::facets::FacetValue;
use quarry_http::resources::search::{
    Summary, current_visibility, find, find_issue_by_id, limit_param, load_summaries, params, title,
};
use quarry_http::resources::unknown_params;
use quarry_http::search_handler;
use quarry_search::{
    Alternative, DidYouMean, Facet, Hit, MatchExplanation, SearchResult, SuggestRequest,
};
use quarry_wire::Meta;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route("/search", get(search_handler(list)))
        .route("/search/suggest", get(search_handler(suggest)))
        .route("/projects/{id}/search", get(search_handler(list)))
}

/// Known parameters, in addition to the content types.
const PARAMETERS: &[&str] = &[
    "q",
    "id",
    "scope",
    "all_words",
    "titles_only",
    "open_issues",
    "attachments",
    "topic",
    "tz",
    "facets",
    "description",
    "explain",
    "sort",
    "offset",
    "limit",
    "page",
    "key",
    "nometa",
    "format",
    "utf8",
    "commit",
];

/// `GET /search`, `GET /projects/:id/search` (docs/search.md; compatibility 2.3 and 10).
///
/// Returns a page of search results, or redirects to the issue whose id was searched for.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let mut params = params::parse(request, db.catalogue())?;
    let warning = unknown_params::check(
        request,
        PARAMETERS
            .iter()
            .copied()
            .chain(Kind::ALL.into_iter().map(Kind::parameter)),
    )?;
    let words = request.query_param("q").unwrap_or_default();
    let redmine_strict = request.redmine_strict(db);
    if !redmine_strict && let Some(issue) = find_issue_by_id(request, db, &words)? {
        return Ok(Reply::redirect(format!(
            "/issues/{issue}{}",
            suffix(request)
        )));
    }
    params = params.sorted_by_query(&words)?;
    params.explain &= !redmine_strict;
    params.with_alternatives = !redmine_strict;
    let pagination = Pagination::from_query(&request.query);
    let hits = find(request, db, &params, &words, &pagination)?;
    let as_text = hits
        .as_text
        .iter()
        .map(|reason| format!("299 quarry \"{reason}\""));
    let warnings: Vec<String> = warning.into_iter().chain(as_text).collect();
    let warning = (!warnings.is_empty()).then(|| warnings.join(", "));
    let view_context = ViewContext {
        catalogue: Arc::clone(db.catalogue()),
        base: request.base_url(),
        with_description: params.with_description,
        with_extras: !redmine_strict,
    };
    let mut meta = pagination.meta(hits.total, hits.considered);
    if view_context.with_extras && !pagination.without_totals {
        meta.push(Meta::Group(
            "counts",
            hits.counts
                .iter()
                .map(|(kind, count)| (kind.parameter(), *count))
                .collect(),
        ));
    }
    let page = hits.page;
    let facets: Vec<_> = hits
        .facets
        .into_iter()
        .map(|(facet, counts)| (facet, facets::values(facet, &counts, db.catalogue())))
        .collect();
    let with_suggestions = view_context.with_extras && !pagination.without_totals;
    let did_you_mean = hits.did_you_mean.filter(|_| with_suggestions);
    let alternatives = if with_suggestions {
        hits.alternatives
    } else {
        Vec::new()
    };
    let reply = Reply::list_with(
        "results",
        "result",
        page,
        move |w: &mut Fields, result| write_result(w, &result, &view_context),
        meta,
        move |w| {
            write_suggestions(w, did_you_mean.as_ref(), &alternatives);
            write_facets(w, &facets);
        },
    );
    Ok(reply.with_warning(warning))
}

fn suffix(request: &RequestContext) -> String {
    request
        .format
        .map_or(String::new(), |format| format!(".{}", format.suffix()))
}

/// Known parameters, in addition to the content types.
const SUGGEST_PARAMETERS: &[&str] = &["q", "id", "scope", "open_issues", "limit", "key", "format"];

/// Default number of suggestions.
const DEFAULT_LIMIT: usize = 10;

/// Maximum number of suggestions.
const MAX_LIMIT: usize = 25;

/// `GET /search/suggest`: completes titles while the user types (not in Redmine).
///
/// Returns the visible records whose titles contain the words, best first; the last word is a
/// prefix. An issue whose id was typed comes first.
fn suggest(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let warning = unknown_params::check(
        request,
        SUGGEST_PARAMETERS
            .iter()
            .copied()
            .chain(Kind::ALL.into_iter().map(Kind::parameter)),
    )?;
    let params = params::parse(request, db.catalogue())?;
    let limit = limit_param(request, DEFAULT_LIMIT, MAX_LIMIT)?;
    let typed = request.query_param("q").unwrap_or_default();
    let words = request.app.search.parse_incomplete(&typed)?;
    let statuses = db.catalogue().statuses.iter();
    let closed = params.open_issues.then(|| {
        statuses
            .filter(|status| status.is_closed)
            .map(|status| status.id)
            .collect()
    });
    let visibility = current_visibility(request, db)?;
    let mut hits = request.app.search.suggest(&SuggestRequest {
        query: &words,
        visibility: &visibility,
        kinds: &params.kinds,
        projects: params.projects.as_ref(),
        closed: closed.as_ref(),
        limit,
        now: db.now(),
    })?;
    if params.kinds.contains(&Kind::Issue)
        && let Some(issue) = find_issue_by_id(request, db, &typed)?
    {
        hits.retain(|hit| (hit.kind, hit.id) != (Kind::Issue, issue.0));
        hits.insert(
            0,
            Hit {
                kind: Kind::Issue,
                id: issue.0,
                score: None,
            },
        );
        hits.truncate(limit);
    }
    let view_context = ViewContext {
        catalogue: Arc::clone(db.catalogue()),
        base: request.base_url(),
        with_description: false,
        with_extras: true,
    };
    let page = load_summaries(request, db, &hits)?;
    let meta = page.meta(limit);
    Ok(Reply::list(
        "results",
        "result",
        page.results,
        move |w: &mut Fields, (record, score): Summary| {
            write_summary(w, &record, score, &view_context)
        },
        meta,
    )
    .with_warning(warning))
}

/// What the output of results needs besides the results.
pub struct ViewContext {
    /// Catalogue with the names of trackers, statuses and projects.
    pub catalogue: Arc<Catalogue>,
    /// URL of the service.
    pub base: String,
    /// Whether results have the whole text.
    pub with_description: bool,
    /// Whether results have fields that Redmine's do not have.
    pub with_extras: bool,
}

/// Writes the fields of a result: Redmine's six, then ours.
pub fn write_result(w: &mut Fields, result: &SearchResult, context: &ViewContext) {
    let record = &result.record;
    w.field("id", record.id);
    w.field("title", &result.rendered.title.text);
    w.field("type", title::kind(record, &context.catalogue));
    w.field(
        "url",
        format!(
            "{}{}",
            context.base,
            title::path(record, &context.catalogue)
        ),
    );
    if context.with_description {
        w.field("description", description(record));
    }
    w.field("datetime", record.created_on);
    if context.with_extras {
        w.reference(
            "project",
            record.project.0,
            context
                .catalogue
                .projects
                .get(&record.project)
                .map_or("", |project| &project.name),
        );
        w.field("excerpt", result.rendered.excerpt.html());
        w.maybe("score", result.score.map(rounded));
        w.field("title_html", result.rendered.title.html());
        write_highlights(w, result);
        if let Some(explanation) = &result.explanation {
            w.nested("explain", |w| write_explain(w, explanation));
        }
    }
}

/// Rounds a score to four decimal places.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

/// Writes the title and the passages of the excerpt as text, with the positions of the matching
/// words in Unicode scalar values: `from` inclusive, `to` exclusive, counted from 0.
fn write_highlights(w: &mut Fields, result: &SearchResult) {
    let passages = std::iter::once(&result.rendered.title).chain(&result.rendered.excerpt.passages);
    w.items("highlights", "highlight", passages, |w, passage| {
        w.attribute("in", passage.field.name());
        w.field("text", &passage.text);
        w.items("marks", "mark", passage.marks(), |w, (from, to)| {
            w.attribute("from", from);
            w.attribute("to", to);
        });
    });
}

/// Writes which words each text contains, and what each part added to the score.
fn write_explain(w: &mut Fields, explanation: &MatchExplanation) {
    w.items("words", "word", &explanation.words, |w, word| {
        w.field("word", &word.word);
        w.texts("in", "text", word.fields.iter().map(|field| field.name()));
        w.maybe("added", word.score.map(rounded));
    });
    if let Some(parts) = &explanation.score {
        if explanation.words.is_empty() {
            w.field("base", rounded(parts.base));
        }
        w.field("exact_title", rounded(parts.exact_title));
        w.field("adjacent_words", rounded(parts.adjacent_words));
        w.field("recency", rounded(parts.recency));
    }
}

/// Returns the whole text, if there is one; of a changeset without its first line.
fn description(record: &SearchRecord) -> Option<&str> {
    match record.kind {
        Kind::Changeset => Some(
            record
                .title
                .split_once('\n')
                .map_or("", |(_, rest)| rest.trim()),
        ),
        _ => record.text.as_deref(),
    }
}

/// Writes the correction of the query, and other searches that find more.
pub fn write_suggestions(
    w: &mut Fields,
    did_you_mean: Option<&DidYouMean>,
    alternatives: &[Alternative],
) {
    if let Some(meant) = did_you_mean {
        w.field("did_you_mean", &meant.text);
        w.field("did_you_mean_count", meant.total);
    }
    if alternatives.is_empty() {
        return;
    }
    w.items(
        "alternatives",
        "alternative",
        alternatives,
        |w, alternative| {
            w.field("q", &alternative.text);
            w.field("all_words", alternative.all_words);
            w.texts(
                "without",
                "word",
                alternative.without.iter().map(String::as_str),
            );
            w.field("total_count", alternative.total);
        },
    );
}

/// Writes the requested facets by name: values with the number of results, most frequent first.
pub fn write_facets(w: &mut Fields, facets: &[(Facet, Vec<FacetValue>)]) {
    if facets.is_empty() {
        return;
    }
    w.nested("facets", |w| {
        for (facet, values) in facets {
            w.items(facet.name(), "value", values, |w, value| {
                if *facet != Facet::Type {
                    w.attribute("id", value.id);
                }
                w.attribute("name", &value.name);
                w.attribute("count", value.count);
            });
        }
    });
}

/// Writes a record in short form: the fields of a result without an excerpt.
pub fn write_summary(
    w: &mut Fields,
    record: &SearchRecord,
    score: Option<f32>,
    context: &ViewContext,
) {
    w.field("id", record.id);
    w.field("title", title::title(record, &context.catalogue));
    w.field("type", title::kind(record, &context.catalogue));
    w.field(
        "url",
        format!(
            "{}{}",
            context.base,
            title::path(record, &context.catalogue)
        ),
    );
    if context.with_description {
        w.field("description", description(record));
    }
    w.field("datetime", record.created_on);
    w.reference(
        "project",
        record.project.0,
        context
            .catalogue
            .projects
            .get(&record.project)
            .map_or("", |project| &project.name),
    );
    w.maybe("score", score.map(rounded));
}
