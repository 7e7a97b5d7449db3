//! `GET /search`, `GET /projects/:id/search` (docs/search.md; compatibility 2.3 and 10).

use super::view::{self, ViewContext};
use crate::domain::kind::Kind;
use crate::http::search::{facets, find, find_issue_by_id, params};
use crate::http::{Error, Pagination, Reply, RequestContext, unknown_params};
use crate::store::Read;
use crate::wire::{Fields, Meta};
use std::sync::Arc;

/// Known parameters, in addition to the content types.
const PARAMETERS: &[&str] = &[
    "q",
    "id",
    "scope",
    "all_words",
    "titles_only",
    "open_issues",
    "attachments",
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

/// Returns a page of search results, or redirects to the issue whose id was searched for.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
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
    params.explain &= !redmine_strict;
    params.with_alternatives = !redmine_strict;
    let pagination = Pagination::from_query(&request.query);
    let hits = find(request, db, &params, &words, &pagination)?;
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
    let values = |(facet, counts)| (facet, facets::values(facet, &counts, db.catalogue()));
    let page: _ = hits.page;
    let facets: Vec<_> = hits.facets.into_iter().map(values).collect();
    let with_suggestions = view_context.with_extras && !pagination.without_totals;
    let did_you_mean = hits.did_you_mean.filter(|_| with_suggestions);
    let alternatives = if with_suggestions {
        hits.alternatives
    } else {
        Vec::new()
    };
    let describe = move |w: &mut Fields, result| view::result(w, &result, &view_context);
    let reply = Reply::list_with("results", "result", page, describe, meta, move |w| {
        view::suggestions(w, did_you_mean.as_ref(), &alternatives);
        view::facets(w, &facets);
    });
    Ok(reply.with_warning(warning))
}

fn suffix(request: &RequestContext) -> String {
    request
        .format
        .map_or(String::new(), |format| format!(".{}", format.suffix()))
}
