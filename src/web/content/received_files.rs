//! The files that forms bring: uploads until their form is saved.

use crate::prelude::*;
use quarry_actions::content::attachments;
use quarry_actions::content::attachments::{MAX_UPLOADS, NewFile, NewUpload};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::ids::AttachmentId;
use quarry_http::{DROPPED_FILES, FormFile};
use quarry_store::files::blobs;

/// The files of a form.
#[derive(Default)]
pub struct ReceivedFiles {
    /// The tokens of the uploads.
    pub tokens: Vec<String>,
    /// Why other files could not be kept.
    pub errors: Vec<String>,
}

impl ReceivedFiles {
    /// Returns the uploads to attach.
    pub fn uploads(&self) -> Vec<NewUpload> {
        self.tokens
            .iter()
            .map(|token| NewUpload {
                token: token.clone(),
                ..NewUpload::default()
            })
            .collect()
    }
}

/// An upload that waits for its form to be saved.
pub struct PendingFile {
    pub token: String,
    pub name: String,
}

/// Returns the tokens of uploads in a form (`attachments[…][token]`).
pub fn tokens(form: &Input) -> Vec<String> {
    let entries = form
        .get("attachments")
        .map(Input::entries)
        .unwrap_or_default();
    let tokens = entries
        .iter()
        .filter_map(|(_, entry)| entry.get("token").and_then(Input::as_text));
    tokens
        .filter(|token| !token.is_empty())
        .take(MAX_UPLOADS)
        .map(|token| token.into_owned())
        .collect()
}

/// Keeps the files that were sent with the form, and takes those that an earlier attempt has sent
/// (`attachments[…][token]`).
pub fn receive(request: &RequestContext) -> Result<ReceivedFiles, Error> {
    let mut received = ReceivedFiles {
        tokens: tokens(&request.body),
        errors: Vec::new(),
    };
    let (files, errors) = request.take_files();
    received.errors = errors;
    if request.body.get(DROPPED_FILES).is_some() {
        received
            .errors
            .push("Files can be attached only by users who are logged in.".to_owned());
    }
    for file in files {
        let name = file.filename.clone();
        match upload(request, file) {
            Ok(token) => received.tokens.push(token),
            Err(Error::Invalid(errors)) => received
                .errors
                .push(format!("{name}: {}", errors.messages().join(". "))),
            Err(error) => return Err(error),
        }
    }
    Ok(received)
}

fn upload(request: &RequestContext, file: FormFile) -> Result<String, Error> {
    let new_file = NewFile {
        filename: Some(file.filename),
        content_type: file.content_type,
    };
    let content = file.content;
    let attachment =
        request.write(move |db, viewer| attachments::upload(db, viewer, &new_file, content))?;
    blobs::sync(&request.app.store, &attachment.digest)?;
    Ok(attachment.token())
}

/// Returns the uploads of a form that is shown again.
pub fn pending(
    request: &RequestContext,
    db: &Read<'_>,
    received: &ReceivedFiles,
) -> Vec<PendingFile> {
    let files = uploads(request, db, &received.tokens).into_iter();
    files
        .map(|file| PendingFile {
            token: file.token(),
            name: file.filename,
        })
        .collect()
}

/// Loads the uploads of the viewer with these tokens.
pub fn uploads(request: &RequestContext, db: &Read<'_>, tokens: &[String]) -> Vec<Attachment> {
    tokens
        .iter()
        .filter_map(|token| {
            let id = token.split_once('.')?.0.parse().ok().map(AttachmentId)?;
            let file = attachments::find(db, request.viewer(), id).ok()?;
            (file.container.is_none() && file.token() == *token).then_some(file)
        })
        .collect()
}
