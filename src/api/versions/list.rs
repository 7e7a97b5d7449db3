//! `GET /projects/:id/versions` (compatibility 11.8).

use super::view::{self, ViewContext};
use crate::actions::versions;
use crate::domain::ids::VersionId;
use crate::domain::version::Version;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Meta;
use std::sync::Arc;

/// Returns all versions of a project and those that are shared with it, by id.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let versions: Vec<Version> = versions::list(&catalogue, request.viewer(), project)?
        .into_iter()
        .cloned()
        .collect();
    let ids: Vec<VersionId> = versions.iter().map(|version| version.id).collect();
    let context = ViewContext::load(db, &request.viewer_context, &ids)?;
    let total = i64::try_from(versions.len()).unwrap_or(i64::MAX);
    let meta = if Pagination::from_query(&request.query).without_totals {
        Vec::new()
    } else {
        vec![Meta::Integer("total_count", total)]
    };
    let describe = move |w: &mut _, version: Version| view::version(w, &version, &context);
    Ok(Reply::list("versions", "version", versions, describe, meta))
}
