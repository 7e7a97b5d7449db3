//! The search page (docs/search.md).

use crate::domain::catalogue::Catalogue;
use crate::domain::kind::Kind;
use crate::domain::setting::Setting;
use crate::http::search::{SearchHits, find_all, find_issue_by_id, params, title};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::search::SearchResult;
use crate::store::Read;
use crate::web::frame::Frame;
use crate::web::render::render;
use askama::Template;

#[derive(Template)]
#[template(path = "templates/search.html")]
struct Page<'a> {
    frame: Frame,
    words: &'a str,
    total: i64,
    did_you_mean: Option<DidYouMean>,
    counts: Vec<(&'static str, i64)>,
    results: Vec<Row>,
    previous: Option<String>,
    next: Option<String>,
}

/// The corrected query.
struct DidYouMean {
    words: String,
    url: String,
}

struct Row {
    kind: &'static str,
    /// HTML, like the excerpt.
    title: String,
    path: String,
    project: String,
    date: String,
    excerpt: String,
}

/// Shows the form and a page of results; redirects to the issue when the query is its id.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let words = request.query_param("q").unwrap_or_default();
    if let Some(issue) = find_issue_by_id(request, db, &words)? {
        return Ok(Reply::redirect(format!("/issues/{issue}")));
    }
    let catalogue = db.catalogue();
    let params = params::parse(request, catalogue)?;
    let number = request.query_param("page").and_then(|page| page.parse::<i64>().ok()).unwrap_or(1).clamp(1, 1_000_000);
    let limit = catalogue.setting(Setting::SearchResultsPerPage).parse().unwrap_or(10);
    let pagination = Pagination { offset: (number - 1) * limit, limit, without_totals: false };
    let hits = find_all(request, db, &params, &words, &pagination, |result| row(result, catalogue))?;
    let SearchHits { page: results, total, counts, did_you_mean, .. } = hits;
    let page_url = |page: i64| format!("?{}", query_string(request, page, None));
    let mut frame = Frame::new(request, db, format!("{words} – search"));
    if let Some(search) = frame.search.as_mut() {
        search.query = words.to_string();
    }
    let page = Page {
        frame,
        words: &words,
        total,
        did_you_mean: did_you_mean.map(|words| DidYouMean { url: format!("?{}", query_string(request, 1, Some(&words))), words }),
        counts: counts.into_iter().filter(|(_, count)| *count > 0).map(|(kind, count)| (label(kind), count)).collect(),
        results,
        previous: (number > 1).then(|| page_url(number - 1)),
        next: (pagination.offset + limit < total).then(|| page_url(number + 1)),
    };
    render(&page.frame, &page)
}

fn row(result: SearchResult, catalogue: &Catalogue) -> Row {
    let SearchResult { record, rendered, .. } = result;
    Row {
        kind: title::kind(&record, catalogue),
        title: rendered.title.html(),
        path: title::path(&record, catalogue),
        project: catalogue.projects.get(&record.project).map_or(String::new(), |project| project.name.clone()),
        date: record.created_on.strftime("%Y-%m-%d").to_string(),
        excerpt: rendered.excerpt.html(),
    }
}

fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Issue => "issues",
        Kind::News => "news",
        Kind::Document => "documents",
        Kind::Changeset => "changesets",
        Kind::WikiPage => "wiki pages",
        Kind::Message => "messages",
        Kind::Project => "projects",
    }
}

/// Returns the query string of another page, or of a corrected query. An API key is left out.
fn query_string(request: &RequestContext, page: i64, words: Option<&str>) -> String {
    let params = request.query.entries().iter().filter(|(name, _)| name != "page" && name != "key");
    let params = params.filter_map(|(name, value)| {
        let value = match words.filter(|_| name == "q") {
            Some(words) => title::percent_encode(words),
            None => title::percent_encode(&value.as_text()?),
        };
        Some(format!("{}={value}&", title::percent_encode(name)))
    });
    format!("{}page={page}", params.collect::<String>())
}
