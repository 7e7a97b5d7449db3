//! `GET` of the watchers of a record (compatibility 13.6).

use super::target::TargetPath;
use crate::actions::watchers;
use crate::domain::ids::PrincipalId;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns a page of the watchers, in the order in which they were added.
pub fn list<T: TargetPath>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let watchers = watchers::list(db, request.viewer(), &T::parse(request)?)?;
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(watchers);
    let catalogue = Arc::clone(db.catalogue());
    let meta = pagination.meta(total, page.len());
    let describe = move |w: &mut Fields, id: PrincipalId| {
        w.field("id", id.0);
        w.field("name", catalogue.principal_name(id).unwrap_or_default());
    };
    Ok(Reply::list("watchers", "watcher", page, describe, meta))
}
