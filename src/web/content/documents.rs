//! Pages of documents: those of a project, and one with its files.

mod edit;

use crate::access;
use crate::components::attachments::FileRow;
use crate::components::pager::Pager;
use crate::components::tasks::Tasks;
use crate::components::time::Moment;
use crate::components::watch::WatchButton;
use crate::frame::render::render;
use crate::frame::{Frame, ProjectTab, Width};
use crate::notices::inbox::{WhyLine, mark_opened};
use crate::prelude::*;
use crate::text::TextRenderer;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::notices::notice::Thread;
use quarry_http::Pagination;
use quarry_http::resources::custom_values::{self, CustomValue};
use quarry_markup::SafeHtml;
use quarry_store::administration::custom_fields;
use quarry_store::content::{attachments, documents};
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    edit::routes()
        .route("/documents/{id}", get(read_handler(show)))
        .route("/projects/{id}/documents", get(read_handler(list)))
}

#[derive(Template)]
#[template(path = "content/documents/list.html")]
struct DocumentList {
    frame: Frame,
    total: i64,
    rows: Vec<Row>,
    pager: Pager,
    /// The address of the form of a document, if the viewer may add one.
    new_path: Option<String>,
}

struct Row {
    id: i64,
    title: String,
    category: String,
    created: Moment,
}

/// `GET /projects/:id/documents`: the documents of a project, newest first.
///
/// Lists the documents.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let project = access::project(request, catalogue, Permission::ViewDocuments)?;
    let visible = visibility::of_kind(viewer, Kind::Document)
        .within_projects(Arc::new(std::iter::once(project.id).collect()));
    let pagination = Pagination::from_query(&request.query);
    let total = documents::count(db, &visible)?;
    let rows = documents::list(db, &visible, pagination.offset, pagination.limit)?
        .into_iter()
        .map(|document| Row {
            id: document.id,
            title: document.title,
            category: catalogue
                .enumeration(document.category)
                .map_or(String::new(), |category| category.name.clone()),
            created: Moment::new(document.created_on),
        });
    let page = DocumentList {
        frame: Frame::new(request, db, "Documents").in_project(
            db,
            viewer,
            project,
            Some(ProjectTab::Documents),
        ),
        new_path: viewer
            .may(Permission::AddDocuments, project.id)
            .then(|| format!("{}/documents/new", paths::project(project))),
        total,
        rows: rows.collect(),
        pager: Pager::for_list(request, pagination.offset, pagination.limit, total),
    };
    render(&page.frame, &page)
}

#[derive(Template)]
#[template(path = "content/documents/show.html")]
struct DocumentPage {
    frame: Frame,
    title: String,
    category: String,
    created: Moment,
    values: Vec<CustomValue>,
    description: SafeHtml,
    files: Vec<FileRow>,
    path: String,
    tasks: Option<Tasks>,
    may_edit: bool,
    may_delete: bool,
    why: Option<WhyLine>,
}

/// `GET /documents/:id`: a document with its files.
///
/// Shows the document.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let viewer = request.viewer();
    let id: i64 = request.id_param("id")?;
    let document = documents::find(db, visibility::of_kind(viewer, Kind::Document), id)?
        .ok_or_else(|| access::missing(request))?;
    let files = attachments::list_by_container(db, Kind::Document, &[id])?
        .remove(&id)
        .unwrap_or_default();
    let values = custom_fields::find_values(db, Customized::Document, id)?;
    let fields = catalogue
        .custom_fields_of(Customized::Document)
        .filter(|field| field.is_visible_to(viewer, document.project));
    let mut frame = Frame::new(request, db, &document.title).with_width(Width::Narrow);
    if let Some(project) = catalogue.projects.get(&document.project) {
        frame = frame.in_project(db, viewer, project, Some(ProjectTab::Documents));
        frame = frame.below(
            "Documents",
            format!("{}/documents", paths::project(project)),
        );
    }
    let thread = Thread::new(Kind::Document, id);
    mark_opened(request, db, &mut frame, thread)?;
    let may_edit = viewer.may(Permission::EditDocuments, document.project);
    let page = DocumentPage {
        why: WhyLine::load(request, db, thread, None)?,
        frame,
        category: catalogue
            .enumeration(document.category)
            .map_or(String::new(), |category| category.name.clone()),
        created: Moment::new(document.created_on),
        values: custom_values::list(catalogue, fields, &values),
        description: TextRenderer::new(request, db, document.project, &files)
            .render(document.description.as_deref().unwrap_or_default(), "")?,
        tasks: Tasks::new(
            may_edit,
            paths::document(id),
            document.description.as_deref().unwrap_or_default(),
        ),
        files: FileRow::list_with_rights(db, viewer, &files)?,
        path: paths::document(id),
        may_edit,
        may_delete: viewer.may(Permission::DeleteDocuments, document.project),
        title: document.title,
    };
    render(&page.frame, &page)
}
