//! Documents of projects (compatibility 13.1).

use crate::attachments::{parse_uploads, write_attachment};
use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::documents;
use quarry_actions::content::documents::DocumentChange;
use quarry_actions::projects;
use quarry_app::ViewerContext;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::content::attachment::Attachment;
use quarry_domain::content::document::Document;
use quarry_domain::index_feed::kind::Kind;
use quarry_store as store;
use quarry_store::administration::custom_fields as store_fields;
use quarry_store::content::attachments;
use quarry_wire::Input;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/documents/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/documents",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/documents` (compatibility 13.1).
///
/// Returns a page of the documents of a project, newest first.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let project = projects::find_with(
        db.catalogue(),
        viewer,
        request.path_param("id"),
        Permission::ViewDocuments,
    )?
    .id;
    let visible = visibility::of_kind(viewer, Kind::Document)
        .within_projects(Arc::new(std::iter::once(project).collect()));
    let pagination = Pagination::from_query(&request.query);
    let total = store::content::documents::count(db, &visible)?;
    let page = store::content::documents::list_with_descriptions(
        db,
        &visible,
        pagination.offset,
        pagination.limit,
    )?;
    let context = ViewContext::load(request, db, &page)?;
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "documents",
        "document",
        page,
        move |w, document| write_document(w, &document, &context),
        meta,
    ))
}

/// `GET /documents/:id` (compatibility 13.1).
///
/// Returns the document, with its files if included.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    document_reply(request, db, request.id_param("id")?)
}

/// Returns the document with this id.
fn document_reply(request: &RequestContext, db: &Read<'_>, id: i64) -> Result<Reply, Error> {
    let document = documents::find(db, request.viewer(), id)?;
    let context = ViewContext::load(request, db, std::slice::from_ref(&document))?;
    Ok(Reply::object("document", move |w| {
        write_document(w, &document, &context)
    }))
}

/// `POST /projects/:id/documents` (compatibility 13.1).
///
/// Creates a document: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let (change, uploads) = parse_document(request)?;
    let project = request.path_param("id").to_owned();
    let id = request
        .write(move |db, viewer| documents::create(db, viewer, &project, &change, &uploads))?;
    Ok(request
        .app
        .read(|db| document_reply(request, db, id))?
        .created(format!("{}/documents/{id}", request.base_url())))
}

/// `PUT /documents/:id` (compatibility 13.1).
///
/// Updates a document: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    let (change, uploads) = parse_document(request)?;
    request.write(move |db, viewer| documents::update(db, viewer, id, &change, &uploads))?;
    request.app.read(|db| document_reply(request, db, id))
}

/// `DELETE /documents/:id` (compatibility 13.1).
///
/// Deletes a document with its files: 200 without a body.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: i64 = request.id_param("id")?;
    request.write(move |db, viewer| documents::delete(db, viewer, id))?;
    Ok(Reply::ok())
}

/// Parses the object `document` and its uploads.
pub fn parse_document(request: &RequestContext) -> Result<(DocumentChange, Vec<NewUpload>), Error> {
    let change = DocumentChange::from_body(&request.body)?;
    Ok((
        change,
        parse_uploads(request.body.get("document").unwrap_or(&Input::Null))?,
    ))
}

/// The values of the parameter `include`.
const INCLUDES: [&str; 1] = ["attachments"];

/// What the output of documents needs besides them.
pub struct ViewContext {
    catalogue: Arc<Catalogue>,
    viewer_context: Arc<ViewerContext>,
    base: String,
    values: HashMap<i64, Values>,
    /// The files by document; `None` if they are not included.
    files: Option<HashMap<i64, Vec<Attachment>>>,
}

impl ViewContext {
    /// Loads the values of custom fields, and what the parameter `include` names; unknown names are
    /// ignored.
    pub fn load(
        request: &RequestContext,
        db: &Read<'_>,
        documents: &[Document],
    ) -> Result<ViewContext, Error> {
        let ids: Vec<i64> = documents.iter().map(|document| document.id).collect();
        let [with_files] = request.includes(INCLUDES);
        let files = if with_files {
            Some(attachments::list_by_container(db, Kind::Document, &ids)?)
        } else {
            None
        };
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(&request.viewer_context),
            base: request.base_url(),
            values: store_fields::list_values(db, Customized::Document, &ids)?,
            files,
        })
    }
}

/// Writes the fields of a document, in the order of compatibility 13.1.
pub fn write_document(w: &mut Fields, document: &Document, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    w.field("id", document.id);
    w.reference(
        "project",
        document.project.0,
        catalogue.project_name(document.project),
    );
    w.reference(
        "category",
        document.category.0,
        catalogue
            .enumeration(document.category)
            .map_or("", |category| &category.name),
    );
    w.field("title", &document.title);
    w.field("description", &document.description);
    let fields = catalogue
        .custom_fields_of(Customized::Document)
        .filter(|field| field.is_visible_to(viewer, document.project));
    write_custom_fields(w, fields, context.values.get(&document.id));
    w.field("created_on", document.created_on);
    if let Some(files) = &context.files {
        let files = files.get(&document.id).map_or(&[][..], Vec::as_slice);
        w.items("attachments", "attachment", files, |w, file| {
            write_attachment(w, file, catalogue, &context.base)
        });
    }
}
