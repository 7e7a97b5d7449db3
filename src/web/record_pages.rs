//! The pages to create, change and delete the records of one kind: a noun says what its fields and
//! actions are, and gets its routes.
//!
//! Invariant: `find` and `parent` check who may come here; the actions check again when they write.

use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::components::form_page::{FormPage, Section};
use crate::components::list_page::Link;
use crate::deletions::DeletionEffects;
use crate::form::save;
use crate::frame::Frame;
use axum::routing::get;
use quarry_actions::ActionError;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::validation::ValidationErrors;
use quarry_domain::values::text::capitalize;
use quarry_http::{
    Error, Reply, RequestContext, RouteHandler, Routes, read_handler, write_handler,
};
use quarry_store::{Read, Write};
use quarry_wire::Input;

/// The parameter with the record that replaces a deleted one, as in the API.
const REPLACEMENT: &str = "reassign_to_id";

/// A kind of records with pages.
pub trait RecordPages: 'static {
    type Record;
    /// What a record belongs to: its project, or `()` for the whole installation.
    type Parent: Copy + Send + 'static;
    type Change: Send + 'static;

    /// What people call a record, such as `status`.
    const NOUN: &'static str;
    /// The name of the object in forms, as in the API, such as `issue_status`.
    const OBJECT: &'static str;
    /// The address of a record without its id, such as `/issue_statuses`.
    const PATH: &'static str;

    /// Whether the form has a button that shows a preview of what was typed.
    const HAS_PREVIEW: bool = false;

    /// Returns what people call a record of this parent.
    fn noun(_parent: Self::Parent) -> &'static str {
        Self::NOUN
    }

    /// Returns the page on which something is chosen before the form of a new record, if it is not
    /// chosen yet.
    fn choice_page(_request: &RequestContext, _db: &Read<'_>) -> Result<Option<Reply>, Error> {
        Ok(None)
    }

    /// Returns links to pages about parts of a record, for its form.
    fn links(_record: &Self::Record) -> Vec<Link> {
        Vec::new()
    }

    /// Returns fields that show what the form would make, with the heading above them.
    fn preview(
        _request: &RequestContext,
        _db: &Read<'_>,
        _parent: Self::Parent,
        _record: Option<&Self::Record>,
        _sent: &Input,
    ) -> Result<Option<Section>, Error> {
        Ok(None)
    }

    /// Returns the parent in the path. Fails when the viewer may not create a record there.
    fn parent(request: &RequestContext, catalogue: &Catalogue) -> Result<Self::Parent, Error>;

    /// Returns the record in the path. Fails when there is none that the viewer may change.
    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error>;

    fn parent_of(record: &Self::Record) -> Self::Parent;
    fn id(record: &Self::Record) -> i64;
    fn name(record: &Self::Record) -> &str;

    /// Returns the frame of a page with this title.
    fn frame(
        request: &RequestContext,
        db: &Read<'_>,
        parent: Self::Parent,
        title: &str,
    ) -> Result<Frame, Error>;

    /// Returns the address of the list.
    fn list_path(_catalogue: &Catalogue, _parent: Self::Parent) -> String {
        Self::PATH.to_owned()
    }

    /// Returns the address of the form of a new record.
    fn new_path(_catalogue: &Catalogue, _parent: Self::Parent) -> String {
        format!("{}/new", Self::PATH)
    }

    /// Returns the fields of the form for a record, or for a new one.
    fn sections(
        request: &RequestContext,
        db: &Read<'_>,
        parent: Self::Parent,
        record: Option<&Self::Record>,
        fields: FieldBuilder<'_>,
    ) -> Result<Vec<Section>, Error>;

    /// Parses the fields of a body.
    fn parse(input: &Input) -> Result<Self::Change, Error>;

    /// Creates a record, and returns its id.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        parent: Self::Parent,
        change: &Self::Change,
    ) -> Result<i64, ActionError>;

    /// Updates the record.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &Self::Change,
    ) -> Result<(), ActionError>;

    /// Deletes the record.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        replacement: Option<i64>,
    ) -> Result<(), ActionError>;

    /// Returns what a deletion would do to other records.
    fn deletion_effects(_db: &Read<'_>, _record: &Self::Record) -> Result<DeletionEffects, Error> {
        Ok(DeletionEffects::default())
    }

    /// Whether the form of the record offers to delete it.
    fn can_delete(_record: &Self::Record) -> bool {
        true
    }

    /// Writes the audit log after a change: `created`, `updated` or `deleted`.
    fn audit(_request: &RequestContext, _id: i64, _change: &'static str) {}
}

/// The handler of a list.
type List = fn(&RequestContext, &Read<'_>) -> Result<Reply, Error>;

/// Returns the routes for administrators: the list, and the forms below its address.
pub fn admin_routes<R: RecordPages>(list: List) -> Routes {
    child_routes::<R>(R::PATH, list)
}

/// Returns the routes for administrators of records that are part of another one: the list at this
/// address, and the forms.
pub fn child_routes<R: RecordPages>(list_path: &str, list: List) -> Routes {
    let new_path = format!("{list_path}/new");
    Routes::new()
        .route(list_path, get(read_handler(list).for_administrators()))
        .merge(form_routes::<R>(
            &new_path,
            RouteHandler::for_administrators,
        ))
}

/// Returns the routes of records of a project: the list at `/projects/:id/settings/<name>`, and the
/// forms.
pub fn project_routes<R: RecordPages>(name: &str, list: List) -> Routes {
    let list_path = format!("/projects/{{id}}/settings/{name}");
    let new_path = format!("/projects/{{id}}{}/new", R::PATH);
    Routes::new()
        .route(&list_path, get(read_handler(list)))
        .merge(form_routes::<R>(&new_path, |handler| handler))
}

/// Returns the routes of records of the viewer: the list, and the forms below its address.
pub fn user_routes<R: RecordPages>(list: List) -> Routes {
    let new_path = format!("{}/new", R::PATH);
    Routes::new()
        .route(R::PATH, get(read_handler(list)))
        .merge(form_routes::<R>(&new_path, |handler| handler))
}

fn form_routes<R: RecordPages>(new_path: &str, limit: fn(RouteHandler) -> RouteHandler) -> Routes {
    let edit_path = format!("{}/{{id}}/edit", R::PATH);
    let delete_path = format!("{}/{{id}}/delete", R::PATH);
    Routes::new()
        .route(
            new_path,
            get(limit(read_handler(new::<R>))).post(limit(write_handler(create::<R>))),
        )
        .route(
            &edit_path,
            get(limit(read_handler(edit::<R>))).post(limit(write_handler(update::<R>))),
        )
        .route(
            &delete_path,
            get(limit(read_handler(confirm::<R>)))
                .post(limit(write_handler(delete::<R>).deleting())),
        )
}

/// Returns the address of the form of a record.
pub fn edit_path<R: RecordPages>(id: i64) -> String {
    format!("{}/{id}/edit", R::PATH)
}

/// Returns the address of the confirmation of a deletion.
pub fn delete_path<R: RecordPages>(id: i64) -> String {
    format!("{}/{id}/delete", R::PATH)
}

fn new<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    if let Some(page) = R::choice_page(request, db)? {
        return Ok(page);
    }
    let parent = R::parent(request, db.catalogue())?;
    form::<R>(
        request,
        db,
        (parent, None),
        &request.query,
        ValidationErrors::new(),
    )
}

fn create<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let parent = R::parent(request, request.app.store.catalogue()?.as_ref())?;
    if shows_preview::<R>(request) {
        return request.app.read(|db| {
            form::<R>(
                request,
                db,
                (parent, None),
                &request.body,
                ValidationErrors::new(),
            )
        });
    }
    save(
        request,
        || {
            let change = R::parse(&request.body)?;
            request.write(move |db, viewer| R::create(db, viewer, parent, &change))
        },
        |id| {
            R::audit(request, id, "created");
            list_redirect::<R>(request, parent, "created")
        },
        |db, errors| form::<R>(request, db, (parent, None), &request.body, errors),
    )
}

fn edit<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let record = R::find(request, db)?;
    let target = (R::parent_of(&record), Some(&record));
    form::<R>(request, db, target, &request.query, ValidationErrors::new())
}

fn update<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let record = request.app.read(|db| R::find(request, db))?;
    let id = R::id(&record);
    let parent = R::parent_of(&record);
    if shows_preview::<R>(request) {
        let target = (parent, Some(&record));
        return request
            .app
            .read(|db| form::<R>(request, db, target, &request.body, ValidationErrors::new()));
    }
    save(
        request,
        || {
            let change = R::parse(&request.body)?;
            request.write(move |db, viewer| R::update(db, viewer, id, &change))
        },
        |()| {
            R::audit(request, id, "updated");
            list_redirect::<R>(request, parent, "saved")
        },
        |db, errors| form::<R>(request, db, (parent, Some(&record)), &request.body, errors),
    )
}

/// Whether the form was sent with the button that shows a preview.
fn shows_preview<R: RecordPages>(request: &RequestContext) -> bool {
    R::HAS_PREVIEW && request.body.get("preview").is_some()
}

fn list_redirect<R: RecordPages>(
    request: &RequestContext,
    parent: R::Parent,
    change: &str,
) -> Result<(String, String), Error> {
    let catalogue = request.app.store.catalogue()?;
    Ok((
        R::list_path(&catalogue, parent),
        format!("The {} was {change}.", R::noun(parent)),
    ))
}

fn form<R: RecordPages>(
    request: &RequestContext,
    db: &Read<'_>,
    (parent, record): (R::Parent, Option<&R::Record>),
    sent: &Input,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let title = record.map_or_else(
        || format!("New {}", R::noun(parent)),
        |record| R::name(record).to_owned(),
    );
    let list_path = R::list_path(db.catalogue(), parent);
    let frame = R::frame(request, db, parent, &title)?;
    let fields = FieldBuilder::new(R::OBJECT, sent);
    let sections = R::sections(request, db, parent, record, fields)?;
    let preview = R::preview(request, db, parent, record, sent)?;
    let page = match record.map(R::id) {
        None => FormPage::with_sections(frame, R::new_path(db.catalogue(), parent), sections)
            .with_submit("Create"),
        Some(id) => FormPage::with_sections(frame, edit_path::<R>(id), sections),
    };
    let page = match record.filter(|record| R::can_delete(record)) {
        Some(record) => page.with_delete(delete_path::<R>(R::id(record))),
        None => page,
    };
    page.with_heading(title)
        .with_cancel(list_path)
        .with_links(record.map(R::links).unwrap_or_default())
        .with_preview(preview)
        .with_errors(errors)
        .render()
}

fn confirm<R: RecordPages>(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    confirmation::<R>(request, db, ValidationErrors::new())
}

fn delete<R: RecordPages>(request: &RequestContext) -> Result<Reply, Error> {
    let record = request.app.read(|db| R::find(request, db))?;
    let id = R::id(&record);
    // Text that is not an id matches no record.
    let replacement = typed(&request.body, REPLACEMENT)
        .filter(|text| !text.trim().is_empty())
        .map(|text| text.trim().parse().unwrap_or(0));
    save(
        request,
        || request.write(move |db, viewer| R::delete(db, viewer, id, replacement)),
        |()| {
            R::audit(request, id, "deleted");
            list_redirect::<R>(request, R::parent_of(&record), "deleted")
        },
        |db, errors| confirmation::<R>(request, db, errors),
    )
}

fn confirmation<R: RecordPages>(
    request: &RequestContext,
    db: &Read<'_>,
    errors: ValidationErrors,
) -> Result<Reply, Error> {
    let record = R::find(request, db)?;
    let parent = R::parent_of(&record);
    let effects = R::deletion_effects(db, &record)?;
    let name = R::name(&record);
    let frame = R::frame(request, db, parent, &format!("Delete {name}"))?;
    let page = FormPage::confirmation(frame, delete_path::<R>(R::id(&record)), "Delete")
        .with_heading(format!("Delete the {} {name}?", R::noun(parent)))
        .with_cancel(R::list_path(db.catalogue(), parent));
    let page = effects
        .notes
        .into_iter()
        .fold(page, FormPage::with_paragraph)
        .with_links(effects.links);
    if let Some(reason) = effects.refusal {
        return page.with_refusal(reason).render();
    }
    let replacement = (!effects.replacements.is_empty()).then(|| {
        let none = if effects.needs_replacement {
            "choose one"
        } else {
            "none"
        };
        FormField {
            is_required: effects.needs_replacement,
            ..FormField::new(
                FieldKind::Select,
                REPLACEMENT,
                format!("{} that replaces it", capitalize(R::noun(parent))),
                typed(&request.body, REPLACEMENT).unwrap_or_default(),
            )
        }
        .with_choices([choice("", none)])
        .with_choices(effects.replacements)
    });
    page.with_fields(replacement).with_errors(errors).render()
}
