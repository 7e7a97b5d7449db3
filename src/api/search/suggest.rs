//! `GET /search/suggest`: completes titles while the user types (not in Redmine).

use super::view::{self, ViewContext};
use crate::domain::kind::Kind;
use crate::http::search::{Summary, find_issue_by_id, limit_param, load_summaries, params};
use crate::http::{Error, Reply, RequestContext, unknown_params};
use crate::search::{Hit, SuggestRequest};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Known parameters, in addition to the content types.
const PARAMETERS: &[&str] = &["q", "id", "scope", "open_issues", "limit", "key", "format"];
/// Default number of suggestions.
const DEFAULT_LIMIT: usize = 10;
/// Maximum number of suggestions.
const MAX_LIMIT: usize = 25;

/// Returns the visible records whose titles contain the words, best first; the last word is a
/// prefix. An issue whose id was typed comes first.
pub fn suggest(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let warning = unknown_params::check(
        request,
        PARAMETERS
            .iter()
            .copied()
            .chain(Kind::ALL.into_iter().map(Kind::parameter)),
    )?;
    let params = params::parse(request, db.catalogue())?;
    let limit = limit_param(request, DEFAULT_LIMIT, MAX_LIMIT)?;
    let typed = request.query_param("q").unwrap_or_default();
    let words = request
        .app
        .search
        .parse_incomplete(&typed)
        .map_err(|bad| Error::invalid(bad.to_string()))?;
    let statuses = db.catalogue().statuses.iter();
    let closed = params.open_issues.then(|| {
        statuses
            .filter(|status| status.is_closed)
            .map(|status| status.id)
            .collect()
    });
    let mut hits = request.app.search.suggest(&SuggestRequest {
        query: &words,
        visibility: &request.viewer_context.visibility,
        kinds: &params.kinds,
        projects: params.projects.as_ref(),
        closed: closed.as_ref(),
        limit,
        now: request.app.clock.now(),
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
    let describe = move |w: &mut Fields, (record, score): Summary| {
        view::summary(w, &record, score, &view_context)
    };
    let page = load_summaries(request, db, &hits)?;
    let meta = page.meta(limit);
    Ok(Reply::list("results", "result", page.results, describe, meta).with_warning(warning))
}
