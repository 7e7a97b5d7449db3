//! The files of projects and their versions (compatibility 11.9).

use crate::attachments::write_attachment;
use crate::prelude::*;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::files;
use quarry_actions::content::files::NewProjectFile;
use quarry_domain::content::attachment::{Attachment, Container, ContainerType};
use quarry_domain::ids::VersionId;
use quarry_domain::values::patch::Patch;
use quarry_http::resources::paths;
use std::sync::Arc;

/// Returns the route.
pub fn routes() -> Routes {
    Routes::new().route(
        "/projects/{id}/files",
        get(read_handler(list)).post(write_handler(create)),
    )
}

/// `GET /projects/:id/files` (compatibility 11.9).
///
/// Returns the files of a project and of its versions, to users who may see them.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let files = files::list(db, request.viewer(), project)?;
    let base = request.base_url();
    Ok(Reply::list(
        "files",
        "file",
        files,
        move |w: &mut _, file: Attachment| write_file(w, &file, &catalogue, &base),
        Vec::new(),
    ))
}

/// `POST /projects/:id/files` (compatibility 11.9).
///
/// Attaches an upload to a project or to one of its versions: 201 with the file; 204 as in Redmine
/// with the compatibility switch.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let new = parse_file(request)?;
    let file = request.write_in_project(project, move |db, viewer| {
        files::create(db, viewer, project, &new)
    })?;
    request.app.read(|db| {
        if request.redmine_strict(db) {
            return Ok(Reply::no_content());
        }
        let catalogue = Arc::clone(db.catalogue());
        let base = request.base_url();
        let location = paths::attachment(file.id);
        Ok(
            Reply::object("file", move |w| write_file(w, &file, &catalogue, &base))
                .created(location),
        )
    })
}

/// Parses the object `file`.
fn parse_file(request: &RequestContext) -> Result<NewProjectFile, Error> {
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

/// Writes the fields of a file, in the order of compatibility 11.9.
pub fn write_file(w: &mut Fields, file: &Attachment, catalogue: &Catalogue, base: &str) {
    write_attachment(w, file, catalogue, base);
    if let Some(Container {
        container_type: ContainerType::Version,
        id,
    }) = file.container
    {
        w.reference(
            "version",
            id,
            catalogue
                .versions
                .get(&VersionId(id))
                .map_or("", |version| &version.name),
        );
    }
    w.field("digest", &file.digest);
    w.field("downloads", file.downloads);
}
