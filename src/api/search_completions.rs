//! Completions of qualifiers while the user types (docs/search.md, section 11).

use crate::prelude::*;
use quarry_domain::index_feed::kind::Kind;
use quarry_http::resources::search::completions::{Completion, completions};
use quarry_http::resources::search::params;
use quarry_http::resources::unknown_params;
use quarry_http::search_handler;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route("/search/suggest/qualifiers", get(search_handler(list)))
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
    "sort",
    "key",
    "format",
];

/// `GET /search/suggest/qualifiers`: completes the qualifier at the end of a query (not in Redmine).
///
/// Returns the completed queries with the number of their results, most first.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let warning = unknown_params::check(
        request,
        PARAMETERS
            .iter()
            .copied()
            .chain(Kind::ALL.into_iter().map(Kind::parameter)),
    )?;
    let params = params::parse(request, db.catalogue())?;
    let query = request.query_param("q").unwrap_or_default();
    let limit = request.app.search.bounds().query_characters;
    let found = if query.chars().nth(limit).is_some() {
        Vec::new()
    } else {
        completions(request, db, &params, &query)?
    };
    Ok(Reply::list(
        "completions",
        "completion",
        found,
        write_completion,
        Vec::new(),
    )
    .with_warning(warning))
}

fn write_completion(w: &mut Fields, completion: Completion) {
    w.field("q", &completion.query);
    w.field("text", &completion.text);
    if !completion.name.is_empty() {
        w.field("name", &completion.name);
    }
    w.maybe("count", completion.count);
}
