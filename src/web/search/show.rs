//! Runs the search of the address and shows its results; redirects to the issue when the query is
//! its id.

use super::address::Address;
use super::form::Form;
use super::results::{Results, results};
use super::saved;
use super::saved::{SavedSearch, SavedSearches};
use crate::access;
use crate::frame::render::render;
use crate::frame::{Frame, Width};
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::validation::ValidationError;
use quarry_http::QUERY_PARAM;
use quarry_http::resources::search::{find_issue_by_id, params};
use quarry_search::{QualifierContext, QueryError, mistakes, searched_as_text};

/// Maximum number of characters of the query in the title of the page.
const MAX_TITLE: usize = 80;

/// Maximum number of messages about qualifiers that cannot be used.
const MAX_MESSAGES: usize = 5;

#[derive(Template)]
#[template(path = "search/show.html")]
struct SearchPage {
    frame: Frame,
    form: Form,
    /// The qualifiers of the query that are searched as text because they cannot be used.
    mistakes: Vec<QualifierMistake>,
    /// Why operators are searched as text.
    as_text: Option<String>,
    /// The message while the index cannot be searched.
    unavailable: Option<String>,
    /// The search for any of the words, where there are too many for all: its address, or `None` if
    /// the query is long.
    any_word: Option<Option<String>>,
    /// `None` where nothing was searched.
    results: Option<Results>,
    /// The saved search from which this one comes.
    saved: Option<SavedSearch>,
    /// The address of the form that saves the search, if the viewer may; of a long one without the
    /// search.
    save_path: Option<String>,
    /// The saved searches, on the page without a search.
    start: Option<SavedSearches>,
    is_logged_in: bool,
    /// The user whose recent searches the script keeps.
    user: String,
    /// The address of the results as a feed.
    feed: String,
}

/// A qualifier that cannot be used.
struct QualifierMistake {
    typed: String,
    /// What is wrong.
    problem: String,
    /// The query that was probably meant, and the address of its search; `None` if it is long.
    meant: Option<(String, Option<String>)>,
}

/// Shows the search page.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let project = access::found(request, params::project(request, catalogue))?
        .and_then(|id| catalogue.projects.get(&id));
    let id = project.map(|project| project.id);
    let saved = saved::find(request, db, id)?;
    if let Some((query, true)) = &saved {
        return Ok(Reply::redirect(saved::address(query, catalogue, id).url()));
    }
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
        let params = params.sorted_by_query(&address.query)?;
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
        frame = frame.in_project(db, request.viewer(), project, None);
    }
    if typed.is_long() {
        frame.path.clone_from(&typed.path);
    }
    if results
        .as_ref()
        .is_some_and(|results| !results.facets.is_empty())
    {
        frame = frame.with_width(Width::TwoColumns);
    }
    let as_text = searched_as_text(&typed.query).map(|reason| reason.to_string());
    let form = Form::new(
        request,
        &address,
        project.map(|project| project.name.as_str()),
        &selectable,
        errors,
    );
    let form = Form {
        query: typed.query.clone(),
        ..form
    }
    .in_topic(request, db, &address)?;
    let has_too_many_words =
        results.is_none() && address.all_words && has_too_many_words(request, &address.query);
    let any_word = has_too_many_words.then(|| {
        Address {
            all_words: false,
            ..address.clone()
        }
        .link()
    });
    let has_search = !typed.query.trim().is_empty();
    let saved = saved.filter(|_| has_search).map(|(query, _)| {
        let feed = format!("{}.atom?query_id={}", typed.path, query.id);
        (SavedSearch::new(request, &query, &typed, project), feed)
    });
    let may_save = has_search
        && saved.as_ref().is_none_or(|(saved, _)| saved.is_changed)
        && saved::may_save(request, id);
    let feed = match &saved {
        Some((saved, feed)) if !saved.is_changed => feed.clone(),
        _ => address.feed_url(),
    };
    let user = request.viewer().user;
    let page = SearchPage {
        user: user.map_or_else(|| "anonymous".to_owned(), |user| user.to_string()),
        feed,
        save_path: may_save.then(|| match typed.is_long() {
            true => typed.save_path(),
            false => typed.save_url(),
        }),
        saved: saved.map(|(saved, _)| saved),
        start: match has_search {
            true => None,
            false => Some(saved::list(request, db, id)?),
        },
        frame: frame.without_search(),
        form,
        mistakes,
        as_text,
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
    let context = QualifierContext {
        catalogue: db.catalogue(),
        viewer: request.viewer(),
        calendar: params::calendar(request, db.catalogue()),
    };
    let found = if is_too_long {
        None
    } else {
        mistakes(&typed.query, &context)
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
                .map(|(meant, query)| (meant, typed.with_query(query).link())),
        });
    (typed.with_query(query), shown.collect())
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
