//! `GET /versions/:id` (compatibility 11.8).

use super::view::{self, ViewContext};
use crate::actions::versions;
use crate::domain::ids::VersionId;
use crate::domain::permission::Permission;
use crate::domain::version::Version;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, versions as stored};

/// Returns the version; 403 when the viewer may not see the issues of its project.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let version =
        versions::find(db.catalogue(), request.viewer(), request.id_param("id")?)?.clone();
    version_reply(request, db, version)
}

/// Returns a version after a change.
pub(super) fn reply_by_id(request: &RequestContext, id: VersionId) -> Result<Reply, Error> {
    request.app.read(|db| {
        let version = db
            .catalogue()
            .versions
            .get(&id)
            .ok_or(Error::NotFound)?
            .clone();
        version_reply(request, db, version)
    })
}

fn version_reply(
    request: &RequestContext,
    db: &Read<'_>,
    version: Version,
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let mut context = ViewContext::load(db, &request.viewer_context, &[version.id])?;
    if viewer.may(Permission::ViewTimeEntries, version.project) {
        context.estimated_hours = Some(stored::estimated_hours(db, viewer, version.id)?);
        context.spent_hours = Some(stored::spent_hours(db, viewer, version.id)?);
    }
    Ok(Reply::object("version", move |w| {
        view::version(w, &version, &context)
    }))
}
