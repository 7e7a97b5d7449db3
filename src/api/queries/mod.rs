//! Saved queries over issues (contract 9).

use crate::http::{Ask, Error, Listing, Reply};
use crate::store::{Read, queries};

/// `GET /queries`: those that the viewer may use, by name.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let listing = Listing::read(&ask.query);
    let mut found = queries::list(db, "IssueQuery")?;
    found.retain(|named| named.query.serves(ask.viewer(), named.query.project));
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(listing.offset).unwrap_or(usize::MAX);
    let page: Vec<queries::Named> = found.into_iter().skip(skip).take(usize::try_from(listing.limit).unwrap_or(0)).collect();
    let describe = |w: &mut crate::wire::Fields, named: queries::Named| {
        w.field("id", named.query.id.0);
        w.field("name", &named.name);
        w.field("is_public", named.query.is_public());
        w.field("project_id", named.query.project.map(i64::from));
    };
    let meta = listing.meta(total, page.len());
    Ok(Reply::list("queries", "query", page, describe, meta))
}
