//! Saved queries over issues (compatibility 11.6).

use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::{Read, queries};

/// `GET /queries`: the queries that the viewer may use, by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let pagination = Pagination::from_query(&request.query);
    let mut queries = queries::list(db, "IssueQuery")?;
    queries.retain(|named_query| named_query.query.is_listed_for(request.viewer()));
    let total = i64::try_from(queries.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(pagination.offset).unwrap_or(usize::MAX);
    let page: Vec<queries::NamedQuery> = queries.into_iter().skip(skip).take(usize::try_from(pagination.limit).unwrap_or(0)).collect();
    let describe = |w: &mut crate::wire::Fields, query: queries::NamedQuery| {
        w.field("id", query.query.id.0);
        w.field("name", &query.name);
        w.field("is_public", query.query.is_public());
        w.field("project_id", query.query.project.map(i64::from));
    };
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list("queries", "query", page, describe, meta))
}
