//! `/attachments/:id/edit` and `/attachments/:id/delete`: the name and the description of a file,
//! and its deletion.

use super::record::FileRecord;
use crate::access;
use crate::components::attachments::size;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::form_merge::merge;
use crate::form::save;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::content::attachments;
use quarry_actions::content::attachments::{AttachmentChange, Rights};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::ids::AttachmentId;
use quarry_store::files::blobs;

/// The name of the object in forms, as in the API.
const OBJECT: &str = "attachment";

/// Returns the routes of the forms.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/attachments/{id}/edit",
            get(read_handler(edit)).post(write_handler(update)),
        )
        .route(
            "/attachments/{id}/delete",
            get(read_handler(confirm)).post(write_handler(delete).deleting()),
        )
}

/// Returns the file in the path, if the viewer has the right to change or delete it.
fn find_attachment(
    request: &RequestContext,
    db: &Read<'_>,
    right: impl Fn(&Rights) -> bool,
) -> Result<Attachment, Error> {
    let id: AttachmentId = request.id_param("id")?;
    let file = access::found(request, attachments::find(db, request.viewer(), id))?;
    let rights = attachments::find_rights(db, request.viewer(), &file)?;
    right(&rights).then_some(file).ok_or(Error::Forbidden)
}

fn find_editable(request: &RequestContext, db: &Read<'_>) -> Result<Attachment, Error> {
    find_attachment(request, db, |rights| rights.edit)
}

fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Attachment, Error> {
    find_attachment(request, db, |rights| rights.delete)
}

/// `GET /attachments/:id/edit`.
fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    form(request, db, &Input::Null)?.render()
}

/// Returns the fields of a file, with what was sent.
fn fields(file: &Attachment, sent: &Input) -> Vec<FormField> {
    let fields = FieldBuilder::new(OBJECT, sent);
    let description = file.description.clone().unwrap_or_default();
    let filename = fields.line("filename", "File name", file.filename.clone());
    vec![
        filename.required(),
        fields.line("description", "Description", description),
    ]
}

fn form(request: &RequestContext, db: &Read<'_>, sent: &Input) -> Result<FormPage, Error> {
    let file = find_editable(request, db)?;
    let rights = attachments::find_rights(db, request.viewer(), &file)?;
    let record = FileRecord::find(request, db, &file)?;
    let page = paths::attachment(file.id);
    let frame = record
        .frame(request, db, &format!("Edit {}", file.filename))
        .below(&file.filename, &page);
    let form = FormPage::new(frame, format!("{page}/edit"), fields(&file, sent))
        .with_original(&fields(&file, &Input::Null))
        .with_heading("Edit file")
        .with_cancel(record.path.unwrap_or_else(|| page.clone()));
    Ok(match rights.delete {
        true => form.with_delete(format!("{page}/delete")),
        false => form,
    })
}

/// `POST /attachments/:id/edit`.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let file = request.app.read(|db| find_editable(request, db))?;
    let record = request
        .app
        .read(|db| FileRecord::find(request, db, &file))?;
    let merged = merge(&request.body, &fields(&file, &Input::Null));
    if !merged.conflicts.is_empty() {
        let reply = request.app.read(|db| {
            form(request, db, &merged.form)?
                .with_conflicts(&merged.conflicts)
                .render()
        })?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    save(
        request,
        || {
            let change = parse_attachment(&merged.form)?;
            request.write(move |db, viewer| attachments::update(db, viewer, file.id, &change))
        },
        |_| {
            let path = record.path.unwrap_or_else(|| paths::attachment(file.id));
            Ok((path, "The file was saved.".to_owned()))
        },
        |db, errors| {
            form(request, db, &merged.form)?
                .with_errors(errors)
                .render()
        },
    )
}

fn parse_attachment(form: &Input) -> Result<AttachmentChange, Error> {
    let mut body = BodyFields::from_input(form, OBJECT)?;
    let change = AttachmentChange {
        filename: body.text_or_empty("filename", "File"),
        description: body.text_or_empty("description", "Description"),
        ..AttachmentChange::default()
    };
    body.check()?;
    Ok(change)
}

/// `GET /attachments/:id/delete`: asks for confirmation.
fn confirm(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    confirmation(request, db, ValidationErrors::new())
}

fn confirmation(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let file = find_deletable(request, db)?;
    let record = FileRecord::find(request, db, &file)?;
    let page = paths::attachment(file.id);
    let frame = record.frame(request, db, &format!("Delete {}", file.filename));
    FormPage::confirmation(frame, format!("{page}/delete"), "Delete")
        .with_heading(format!("Delete the file {}?", file.filename))
        .with_paragraph(format!(
            "It has {}. This cannot be undone.",
            size(file.filesize)
        ))
        .with_cancel(record.path.unwrap_or(page))
        .with_errors(errors)
        .render()
}

/// `POST /attachments/:id/delete`: deletes the file, and its content unless another file has the
/// same.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let file = request.app.read(|db| find_deletable(request, db))?;
    let record = request
        .app
        .read(|db| FileRecord::find(request, db, &file))?;
    save(
        request,
        || {
            let deleted =
                request.write(move |db, viewer| attachments::delete(db, viewer, file.id))?;
            let content = deleted.content.into_iter().collect();
            if let Err(error) = blobs::delete_unused(&request.app.store, content) {
                // The file is deleted; a later run removes the content from the disk.
                tracing::warn!(error = %error, "the content of a deleted attachment could not be removed");
            }
            Ok(())
        },
        |()| {
            let path = record.path.unwrap_or_else(|| "/".to_owned());
            Ok((path, "The file was deleted.".to_owned()))
        },
        |db, errors| confirmation(request, db, errors),
    )
}
