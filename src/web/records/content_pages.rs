//! The pages to write, change and delete what people write in projects, with its files: news,
//! documents, topics and replies.
//!
//! Invariant: `parent`, `find` and `find_deletable` check who may come here; the actions check
//! again when they write.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::FormField;
use crate::components::form_page::{FileBox, FormPage};
use crate::content::received_files::{ReceivedFiles, receive};
use crate::form::form_merge::merge;
use crate::form::save;
use crate::frame::Frame;
use crate::prelude::*;
use axum::http::StatusCode;
use quarry_actions::content::attachments::NewUpload;

/// A kind of records that people write.
pub trait ContentPages: 'static {
    /// What a new record belongs to.
    type Parent: Clone + Send + 'static;
    type Record;
    type Change: FromBody + Send + 'static;

    /// What people call a record, such as `document`.
    const NOUN: &'static str;

    /// Returns what people call a record of this parent.
    fn noun(_parent: &Self::Parent) -> &'static str {
        Self::NOUN
    }

    /// Returns the label of the button that creates a record of this parent.
    fn create_label(_parent: &Self::Parent) -> &'static str {
        "Create"
    }

    /// Returns why nobody can create a record of this parent at present.
    fn refusal(_parent: &Self::Parent) -> Option<&'static str> {
        None
    }

    /// Returns the parent in the path. Fails when the viewer may not create a record there.
    fn parent(request: &RequestContext, db: &Read<'_>) -> Result<Self::Parent, Error>;

    /// Returns the record in the path. Fails when there is none that the viewer may change.
    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error>;

    /// Returns the record in the path. Fails when there is none that the viewer may delete.
    fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error>;

    /// Whether the viewer may delete the record, so that its form offers it.
    fn can_delete(request: &RequestContext, record: &Self::Record) -> bool;

    fn id(record: &Self::Record) -> i64;
    fn name(record: &Self::Record) -> String;
    fn parent_of(record: &Self::Record) -> Self::Parent;

    /// Returns the address of the page of a record.
    fn path(record: &Self::Record) -> String;

    /// Returns the address of the page of a record that was created.
    fn created_path(parent: &Self::Parent, id: i64) -> String;

    /// Returns the address of the record without `/edit` and `/delete`.
    fn base_path(id: i64) -> String;

    /// Returns the address of the page with all records of the parent.
    fn list_path(parent: &Self::Parent) -> String;

    /// Returns the address of the form of a new record.
    fn new_path(parent: &Self::Parent) -> String;

    /// Returns the frame of a page with this title.
    fn frame(
        request: &RequestContext,
        db: &Read<'_>,
        parent: &Self::Parent,
        title: &str,
    ) -> Result<Frame, Error>;

    /// Returns the fields of a record, or of a new one.
    fn fields(
        request: &RequestContext,
        db: &Read<'_>,
        parent: &Self::Parent,
        record: Option<&Self::Record>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<FormField>, Error>;

    /// Returns what a deletion does besides.
    fn deletion_note(db: &Read<'_>, record: &Self::Record) -> Result<String, Error>;

    /// Creates a record, and returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        parent: &Self::Parent,
        change: &Self::Change,
        uploads: &[NewUpload],
    ) -> Result<i64, ActionError>;

    /// Updates the record.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &Self::Change,
        uploads: &[NewUpload],
    ) -> Result<(), ActionError>;

    /// Deletes the record.
    fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError>;
}

/// Returns the routes: the form of a new record at `new_path`, and those of a record below
/// `base_path`.
pub fn routes<C: ContentPages>(new_path: &str, base_path: &str) -> Routes {
    new_routes::<C>(new_path)
        .route(
            &format!("{base_path}/edit"),
            get(read_handler(edit::<C>)).post(write_handler(update::<C>)),
        )
        .route(
            &format!("{base_path}/delete"),
            get(read_handler(confirm::<C>)).post(write_handler(delete::<C>).deleting()),
        )
}

/// Returns the route of the form of a new record.
pub fn new_routes<C: ContentPages>(path: &str) -> Routes {
    Routes::new().route(
        path,
        get(read_handler(new::<C>)).post(write_handler(create::<C>)),
    )
}

/// Saves a form with files. They are kept when something else is wrong.
pub fn save_with_files<T>(
    request: &RequestContext,
    change: impl FnOnce(Vec<NewUpload>) -> Result<T, Error>,
    saved: impl FnOnce(T) -> Result<(String, String), Error>,
    page: impl FnOnce(&Read<'_>, ValidationErrors, &ReceivedFiles) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    let files = receive(request)?;
    save(
        request,
        || match files.errors.is_empty() {
            true => change(files.uploads()),
            false => Err(Error::Invalid(ValidationErrors::new())),
        },
        saved,
        |db, errors| page(db, errors, &files),
    )
}

fn new<C: ContentPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let parent = C::parent(request, db)?;
    let form = new_form::<C>(request, db, &parent, &request.query)?;
    match C::refusal(&parent) {
        Some(reason) => form.with_refusal(reason).render(),
        None => form.render(),
    }
}

/// Returns the form of a new record.
pub fn new_form<C: ContentPages>(
    request: &RequestContext,
    db: &Read<'_>,
    parent: &C::Parent,
    sent: &Input,
) -> Result<FormPage, Error> {
    let title = format!("New {}", C::noun(parent));
    let fields = C::fields(
        request,
        db,
        parent,
        None,
        FieldBuilder::new(C::Change::OBJECT, sent),
    )?;
    let frame = C::frame(request, db, parent, &title)?;
    Ok(FormPage::new(frame, C::new_path(parent), fields)
        .with_submit(C::create_label(parent))
        .with_cancel(C::list_path(parent))
        .with_files(FileBox::new(request, db, &ReceivedFiles::default())))
}

fn create<C: ContentPages>(request: &RequestContext) -> Result<Reply, Error> {
    let parent = request.app.read(|db| C::parent(request, db))?;
    let of_new = parent.clone();
    save_with_files(
        request,
        |uploads| {
            let change = C::Change::from_body(&request.body)?;
            request.write(move |db, viewer| C::create(db, viewer, &of_new, &change, &uploads))
        },
        |id| {
            let message = format!("The {} was created.", C::noun(&parent));
            Ok((C::created_path(&parent, id), message))
        },
        |db, errors, files| {
            new_form::<C>(request, db, &parent, &request.body)?
                .with_files(FileBox::new(request, db, files))
                .with_errors(errors)
                .render()
        },
    )
}

fn edit<C: ContentPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let record = C::find(request, db)?;
    let none = ReceivedFiles::default();
    edit_form::<C>(request, db, &record, &request.body, &none)?.render()
}

/// Returns the fields of a record as they are saved.
fn saved_fields<C: ContentPages>(
    request: &RequestContext,
    db: &Read<'_>,
    record: &C::Record,
) -> Result<Vec<FormField>, Error> {
    let form = FieldBuilder::new(C::Change::OBJECT, &Input::Null);
    C::fields(request, db, &C::parent_of(record), Some(record), form)
}

fn update<C: ContentPages>(request: &RequestContext) -> Result<Reply, Error> {
    let (record, merged) = request.app.read(|db| -> Result<_, Error> {
        let record = C::find(request, db)?;
        let saved = saved_fields::<C>(request, db, &record)?;
        Ok((record, merge(&request.body, &saved)))
    })?;
    let id = C::id(&record);
    let reply = save_with_files(
        request,
        |uploads| {
            if !merged.conflicts.is_empty() {
                return Err(Error::Invalid(ValidationErrors::new()));
            }
            let change = C::Change::from_body(&merged.form)?;
            request.write(move |db, viewer| C::update(db, viewer, id, &change, &uploads))
        },
        |()| {
            // It may have moved.
            let saved = request.app.read(|db| C::find(request, db));
            let path = C::path(saved.as_ref().unwrap_or(&record));
            let noun = C::noun(&C::parent_of(&record));
            Ok((path, format!("The {noun} was saved.")))
        },
        |db, errors, files| {
            edit_form::<C>(request, db, &record, &merged.form, files)?
                .with_conflicts(&merged.conflicts)
                .with_errors(errors)
                .render()
        },
    )?;
    Ok(match merged.conflicts.is_empty() {
        true => reply,
        false => reply.with_status(StatusCode::CONFLICT),
    })
}

fn edit_form<C: ContentPages>(
    request: &RequestContext,
    db: &Read<'_>,
    record: &C::Record,
    sent: &Input,
    files: &ReceivedFiles,
) -> Result<FormPage, Error> {
    let parent = C::parent_of(record);
    let base = C::base_path(C::id(record));
    let frame = C::frame(request, db, &parent, &format!("Edit {}", C::name(record)))?;
    let form = FieldBuilder::new(C::Change::OBJECT, sent);
    let fields = C::fields(request, db, &parent, Some(record), form)?;
    let page = FormPage::new(frame, format!("{base}/edit"), fields)
        .with_heading(format!("Edit {}", C::noun(&parent)))
        .with_cancel(C::path(record))
        .with_original(&saved_fields::<C>(request, db, record)?)
        .with_files(FileBox::new(request, db, files));
    Ok(match C::can_delete(request, record) {
        true => page.with_delete(format!("{base}/delete")),
        false => page,
    })
}

fn confirm<C: ContentPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    confirmation::<C>(request, db, ValidationErrors::new())
}

fn delete<C: ContentPages>(request: &RequestContext) -> Result<Reply, Error> {
    let record = request.app.read(|db| C::find_deletable(request, db))?;
    let id = C::id(&record);
    save(
        request,
        || request.write(move |db, viewer| C::delete(db, viewer, id)),
        |()| {
            let parent = C::parent_of(&record);
            let message = format!("The {} was deleted.", C::noun(&parent));
            Ok((C::list_path(&parent), message))
        },
        |db, errors| confirmation::<C>(request, db, errors),
    )
}

fn confirmation<C: ContentPages>(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let record = C::find_deletable(request, db)?;
    let name = C::name(&record);
    let parent = C::parent_of(&record);
    let noun = C::noun(&parent);
    let frame = C::frame(request, db, &parent, &format!("Delete {name}"))?;
    let action = format!("{}/delete", C::base_path(C::id(&record)));
    FormPage::confirmation(frame, action, "Delete")
        .with_heading(format!("Delete the {noun} {name}?"))
        .with_paragraph(C::deletion_note(db, &record)?)
        .with_cancel(C::path(&record))
        .with_errors(errors)
        .render()
}
