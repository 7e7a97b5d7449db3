//! `GET /queries` (compatibility 11.6).

use crate::domain::query::saved::{QueryKind, SavedQuery};
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, queries};
use crate::wire::Fields;

/// Returns a page of the queries that the viewer may use, by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let mut queries = queries::list(db, QueryKind::Issues, request.viewer().user)?;
    queries.retain(|query| query.is_listed_for(request.viewer()));
    let (page, total) = pagination.slice(queries);
    let describe = |w: &mut Fields, query: SavedQuery| {
        w.field("id", query.id.0);
        w.field("name", &query.name);
        w.field("is_public", query.is_public());
        w.field("project_id", query.project.map(i64::from));
    };
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list("queries", "query", page, describe, meta))
}
