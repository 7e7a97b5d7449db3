//! `POST /projects/:id/files` (compatibility 11.9).

use super::view;
use crate::actions::attachments::NewUpload;
use crate::actions::files::{self, NewProjectFile};
use crate::domain::ids::VersionId;
use crate::domain::patch::Patch;
use crate::http::{BodyFields, Error, Reply, RequestContext};
use std::sync::Arc;

/// Attaches an upload to a project or to one of its versions: 201 with the file; 204 as in Redmine
/// with the compatibility switch.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let new = parse(request)?;
    let file = request.write_in_project(project, move |db, viewer| {
        files::create(db, viewer, project, &new)
    })?;
    request.app.read(|db| {
        if request.redmine_strict(db) {
            return Ok(Reply::no_content());
        }
        let catalogue = Arc::clone(db.catalogue());
        let base = request.base_url();
        let location = format!("/attachments/{}", file.id);
        Ok(
            Reply::object("file", move |w| view::file(w, &file, &catalogue, &base))
                .created(location),
        )
    })
}

/// Parses the object `file`.
fn parse(request: &RequestContext) -> Result<NewProjectFile, Error> {
    let mut body = BodyFields::from_body(request, "file")?;
    let token = body.text("token", "File");
    let version: Patch<VersionId> = body.id("version_id", "Version");
    let filename = body.text("filename", "File").value().cloned();
    let description = body.text("description", "Description").value().cloned();
    let content_type = body.text("content_type", "Content type").value().cloned();
    body.check()?;
    let upload = NewUpload {
        token: token.value().cloned().unwrap_or_default(),
        filename,
        description,
        content_type,
    };
    Ok(NewProjectFile {
        upload,
        version: version.value().copied(),
    })
}
