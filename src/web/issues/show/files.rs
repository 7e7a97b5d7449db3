//! `/issues/:id/attachments/:file/delete`: deletes a file of an issue.

use crate::access;
use crate::components::form_page::FormPage;
use crate::frame::Width;
use crate::issues::issue_pages;
use crate::prelude::*;
use quarry_actions::content::attachments;
use quarry_actions::issues;
use quarry_domain::content::attachment::{Attachment, Container};
use quarry_domain::ids::AttachmentId;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::files::blobs;

/// Whether the viewer may delete files of the issue.
pub fn may_delete(request: &RequestContext, issue: &Issue) -> bool {
    request.viewer().user.is_some() && issues::may_edit(request.viewer(), issue)
}

/// Returns the file in the path with its issue, if the viewer may delete it.
fn find_file(request: &RequestContext, db: &Read<'_>) -> Result<(Issue, Attachment), Error> {
    let issue = issue_pages::find(request, db)?;
    let id: AttachmentId = request.id_param("file")?;
    let file = access::found(request, attachments::find(db, request.viewer(), id))?;
    let container = Container {
        container_type: Kind::Issue.into(),
        id: issue.id.0,
    };
    if file.container != Some(container) {
        return Err(access::missing(request));
    }
    if may_delete(request, &issue) {
        Ok((issue, file))
    } else {
        Err(Error::Forbidden)
    }
}

/// Asks for confirmation.
pub fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let (issue, file) = find_file(request, db)?;
    let path = paths::issue(issue.id);
    let frame = issue_pages::frame(request, db, &issue, "Delete file").with_width(Width::Slim);
    FormPage::confirmation(
        frame,
        format!("{path}/attachments/{}/delete", file.id),
        "Delete",
    )
    .with_heading("Delete this file?")
    .with_paragraph(file.filename)
    .with_paragraph(
        "Texts that show it or link to it show its name instead. This cannot be undone.",
    )
    .with_cancel(path)
    .render()
}

/// Deletes the file.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let (issue, file) = request.app.read(|db| find_file(request, db))?;
    let file = request.write(move |db, viewer| attachments::delete(db, viewer, file.id))?;
    if let Err(error) = blobs::delete_unused(&request.app.store, file.content.into_iter().collect())
    {
        // The attachment is deleted; a later run removes the content from the disk.
        tracing::warn!(error = %error, "the content of a deleted attachment could not be removed");
    }
    issue_pages::back(request, issue.id, "The file was deleted.")
}
