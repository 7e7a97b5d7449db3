//! `GET /attachments/:id`: a file with a preview; and the files that forms bring.

mod receive;

pub use receive::{PendingFile, ReceivedFiles, pending, receive, tokens, uploads};

use crate::actions::{attachments, issues};
use crate::domain::attachment::{Attachment, Container, ContainerType};
use crate::domain::ids::{AttachmentId, IssueId};
use crate::domain::kind::Kind;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, blobs};
use crate::web::access;
use crate::web::components::attachments::FileRow;
use crate::web::frame::{Frame, ProjectTab, Width};
use crate::web::render::render;
use askama::Template;
use std::io::Read as _;

/// Maximum size in bytes of a text that is shown.
const MAX_TEXT: i64 = 128 * 1024;

#[derive(Template)]
#[template(path = "attachments/show.html")]
struct AttachmentPage {
    frame: Frame,
    file: FileRow,
    text: Option<String>,
    has_content: bool,
}

/// Shows the file, for a viewer who may see its record.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = access::found(request, attachments::find(db, request.viewer(), id))?;
    let text = match file
        .content
        .as_deref()
        .filter(|_| file.filesize <= MAX_TEXT && !file.is_image())
    {
        Some(digest) => text(request, digest)?,
        None => None,
    };
    let page = AttachmentPage {
        frame: frame(request, db, &file)?,
        text,
        has_content: file.content.is_some(),
        file: FileRow::new(db.catalogue(), &file),
    };
    render(&page.frame, &page)
}

/// Returns the frame, with a link to the issue of the file.
fn frame(request: &RequestContext, db: &Read<'_>, file: &Attachment) -> Result<Frame, Error> {
    let frame = Frame::new(request, db, &file.filename).with_width(Width::Narrow);
    let Some(Container {
        container_type: ContainerType::Record(Kind::Issue),
        id,
    }) = file.container
    else {
        return Ok(frame);
    };
    let issue = access::found(request, issues::find(db, request.viewer(), IssueId(id)))?;
    let frame = match db.catalogue().projects.get(&issue.project) {
        Some(project) => frame.in_project(
            db.catalogue(),
            request.viewer(),
            project,
            Some(ProjectTab::Issues),
        ),
        None => frame,
    };
    Ok(frame.below(format!("#{id}: {}", issue.subject), format!("/issues/{id}")))
}

/// Returns the content if it is text.
fn text(request: &RequestContext, digest: &str) -> Result<Option<String>, Error> {
    let Some(content) = blobs::open(&request.app.store, digest)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_TEXT).unwrap_or(0);
    content
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace())))
}
