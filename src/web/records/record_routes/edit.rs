//! The forms to create and to change a record.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::FormPage;
use crate::form::form_merge::{merge, save_merged};
use crate::form::save;
use crate::prelude::*;
use crate::records::record_area::RecordArea;
use crate::records::record_pages::{ChangeOf, RecordPages, delete_path, edit_path, list_redirect};
use axum::http::StatusCode;

/// Shows the form of a new record.
pub fn new<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if let Some(page) = R::choice_page(request, db)? {
        return Ok(page);
    }
    let parent = R::AREA.parent(request, db.catalogue())?;
    form::<R>(request, db, (parent, None), &request.query)?.render()
}

/// Creates a record.
pub fn create<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let parent = R::AREA.parent(request, request.app.store.catalogue()?.as_ref())?;
    let page = |db: &Read<'_>| form::<R>(request, db, (parent, None), &request.body);
    if shows_preview::<R>(request) {
        return request.app.read(|db| page(db)?.render());
    }
    save(
        request,
        || {
            let change = R::parse(&request.body)?;
            request.write(move |db, viewer| R::Resource::create(db, viewer, parent.into(), &change))
        },
        |id| {
            R::audit(request, id.into(), "created");
            list_redirect::<R>(request, parent, "created")
        },
        |db, errors| page(db)?.with_errors(errors).render(),
    )
}

/// Shows the form of a record.
pub fn edit<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let record = R::find(request, db)?;
    let target = (R::parent_of(&record), Some(&record));
    form::<R>(request, db, target, &request.query)?.render()
}

/// Saves what the viewer has changed in the form. Where somebody else has changed the same field
/// since it was opened, nothing is saved, and the form shows both values: 409.
pub fn update<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    save_merged(
        || try_update::<R>(request),
        |busy| {
            request.app.read(|db| {
                let record = R::find(request, db)?;
                let target = (R::parent_of(&record), Some(&record));
                form::<R>(request, db, target, &request.body)?
                    .with_errors(busy)
                    .render()
            })
        },
    )
}

/// The same; fails with `Outdated` when somebody saves anything between the merge and the write.
fn try_update<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let (record, version, merged) = request.app.read(|db| -> Result<_, Error> {
        let record = R::find(request, db)?;
        let merged = merge(&request.body, &saved_fields::<R>(request, db, &record)?);
        Ok((record, db.catalogue().version, merged))
    })?;
    let id = R::id(&record);
    let parent = R::parent_of(&record);
    let page = |db: &Read<'_>| -> Result<FormPage, Error> {
        let page = form::<R>(request, db, (parent, Some(&record)), &merged.form)?;
        Ok(page.with_conflicts(&merged.conflicts))
    };
    if !merged.conflicts.is_empty() {
        let reply = request.app.read(|db| page(db)?.render())?;
        return Ok(reply.with_status(StatusCode::CONFLICT));
    }
    if shows_preview::<R>(request) {
        return request.app.read(|db| page(db)?.render());
    }
    save(
        request,
        || {
            let change = R::parse(&merged.form)?;
            request.write(move |db, viewer| {
                if db.catalogue().version != version {
                    return Err(ActionError::Outdated);
                }
                R::Resource::update(db, viewer, id.into(), &change)
            })
        },
        |()| {
            R::audit(request, id, "updated");
            list_redirect::<R>(request, parent, "saved")
        },
        |db, errors| page(db)?.with_errors(errors).render(),
    )
}

/// Returns the fields of a record as they are saved.
fn saved_fields<R: RecordPages>(
    request: &RequestContext,
    db: &Read<'_>,
    record: &R::Record,
) -> Result<Vec<FormField>, Error> {
    let fields = FieldBuilder::new(ChangeOf::<R>::OBJECT, &Input::Null);
    let sections = R::sections(request, db, R::parent_of(record), Some(record), fields)?;
    let fields = sections.into_iter().flat_map(|section| section.fields);
    Ok(fields.collect())
}

/// Whether the form was sent with the button that shows a preview.
fn shows_preview<R: RecordPages>(request: &RequestContext) -> bool {
    R::HAS_PREVIEW && request.body.get("preview").is_some()
}

fn form<R: RecordPages>(
    request: &RequestContext,
    db: &Read<'_>,
    (parent, record): (R::Parent, Option<&R::Record>),
    sent: &Input,
) -> Result<FormPage, Error> {
    let title = record.map_or_else(
        || format!("New {}", R::noun(parent)),
        |record| R::name(record).to_owned(),
    );
    let frame = R::AREA.frame(request, db, parent, &title)?;
    let fields = FieldBuilder::new(ChangeOf::<R>::OBJECT, sent);
    let sections = R::sections(request, db, parent, record, fields)?;
    let preview = R::preview(request, db, parent, record, sent)?;
    let page = match record {
        None => FormPage::with_sections(frame, R::AREA.new_path(db.catalogue(), parent), sections)
            .with_submit("Create"),
        Some(record) => {
            let page = FormPage::with_sections(frame, edit_path::<R>(R::id(record)), sections)
                .with_original(&saved_fields::<R>(request, db, record)?)
                .with_links(R::links(record));
            if R::can_delete(record) {
                page.with_delete(delete_path::<R>(R::id(record)))
            } else {
                page
            }
        }
    };
    Ok(page
        .with_heading(title)
        .with_cancel(R::AREA.list_path(db.catalogue(), parent))
        .with_preview(preview))
}
