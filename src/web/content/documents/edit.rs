//! The forms of documents.

use crate::access;
use crate::components::field_builder::FieldBuilder;
use crate::components::form_field::{FormField, choice};
use crate::form::custom_fields::rows_in_project;
use crate::frame::{Frame, ProjectTab};
use crate::prelude::*;
use crate::records::content_pages::{ContentPages, routes as content_routes};
use quarry_actions::content::attachments::NewUpload;
use quarry_actions::content::documents as actions;
use quarry_actions::content::documents::DocumentChange;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::content::document::Document;
use quarry_store::administration::custom_fields;

/// Returns the routes of the forms.
pub fn routes() -> Routes {
    content_routes::<DocumentPages>("/projects/{id}/documents/new", "/documents/{id}")
}

/// The pages of documents.
pub struct DocumentPages;

/// The project of documents: its id and address.
#[derive(Clone)]
pub struct ProjectOfDocuments {
    id: ProjectId,
    path: String,
}

fn project_of(catalogue: &Catalogue, id: ProjectId) -> ProjectOfDocuments {
    let project = catalogue.projects.get(&id);
    ProjectOfDocuments {
        id,
        path: project.map(paths::project).unwrap_or_default(),
    }
}

fn permitted(
    request: &RequestContext,
    db: &Read<'_>,
    permission: Permission,
) -> Result<(Document, ProjectOfDocuments), Error> {
    let id = request.id_param("id")?;
    let document = access::found(request, actions::find(db, request.viewer(), id))?;
    access::managed_by_id(request, db.catalogue(), document.project, permission)?;
    let project = project_of(db.catalogue(), document.project);
    Ok((document, project))
}

impl ContentPages for DocumentPages {
    type Parent = ProjectOfDocuments;
    type Record = (Document, ProjectOfDocuments);
    type Change = DocumentChange;

    const NOUN: &'static str = "document";

    fn parent(request: &RequestContext, db: &Read<'_>) -> Result<ProjectOfDocuments, Error> {
        let permission = Permission::AddDocuments;
        let project = access::managed_project(request, db.catalogue(), permission)?;
        Ok(project_of(db.catalogue(), project.id))
    }

    fn find(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        permitted(request, db, Permission::EditDocuments)
    }

    fn find_deletable(request: &RequestContext, db: &Read<'_>) -> Result<Self::Record, Error> {
        permitted(request, db, Permission::DeleteDocuments)
    }

    fn can_delete(request: &RequestContext, (document, _): &Self::Record) -> bool {
        let viewer = request.viewer();
        viewer.may(Permission::DeleteDocuments, document.project)
    }

    fn id((document, _): &Self::Record) -> i64 {
        document.id
    }

    fn name((document, _): &Self::Record) -> String {
        document.title.clone()
    }

    fn parent_of((_, project): &Self::Record) -> ProjectOfDocuments {
        project.clone()
    }

    fn path((document, _): &Self::Record) -> String {
        paths::document(document.id)
    }

    fn created_path(_project: &ProjectOfDocuments, id: i64) -> String {
        paths::document(id)
    }

    fn base_path(id: i64) -> String {
        paths::document(id)
    }

    fn list_path(project: &ProjectOfDocuments) -> String {
        format!("{}/documents", project.path)
    }

    fn new_path(project: &ProjectOfDocuments) -> String {
        format!("{}/documents/new", project.path)
    }

    fn frame(
        request: &RequestContext,
        db: &Read<'_>,
        project: &ProjectOfDocuments,
        title: &str,
    ) -> Result<Frame, Error> {
        let catalogue = db.catalogue();
        let tab = Some(ProjectTab::Documents);
        let list = Self::list_path(project);
        let project = access::by_id(request, catalogue, project.id)?;
        Ok(Frame::new(request, db, title)
            .in_project(db, request.viewer(), project, tab)
            .below("Documents", list))
    }

    fn fields(
        request: &RequestContext,
        db: &Read<'_>,
        project: &ProjectOfDocuments,
        record: Option<&Self::Record>,
        form: FieldBuilder<'_>,
    ) -> Result<Vec<FormField>, Error> {
        let catalogue = db.catalogue();
        let document = record.map(|(document, _)| document);
        let values = match document {
            Some(document) => custom_fields::find_values(db, Customized::Document, document.id)?,
            None => Values::defaults(catalogue.custom_fields_of(Customized::Document)),
        };
        let stored = document.cloned().unwrap_or_default();
        let all = catalogue.enumerations.iter();
        let offered: Vec<_> = all
            .filter(|category| {
                category.kind == EnumerationKind::DocumentCategory
                    && (category.active || category.id == stored.category)
            })
            .collect();
        let default = offered.iter().find(|category| category.is_default);
        let current = match document {
            Some(document) => document.category.to_string(),
            None => default.map_or_else(String::new, |category| category.id.to_string()),
        };
        let choices = offered
            .iter()
            .map(|category| choice(category.id, &category.name));
        let title = form.line("title", "Title", stored.title).required();
        let mut fields = vec![
            form.select("category_id", "Category", current, choices)
                .required(),
            if record.is_none() {
                title.focused()
            } else {
                title
            },
            form.long_text(
                "description",
                "Description",
                stored.description.unwrap_or_default(),
            )
            .with_preview(paths::preview("project", project.id)),
        ];
        let customized = (Customized::Document, DocumentChange::OBJECT);
        let sent = form.sent();
        fields.extend(rows_in_project(
            request, catalogue, customized, project.id, &values, sent,
        ));
        Ok(fields)
    }

    fn deletion_note(_db: &Read<'_>, _record: &Self::Record) -> Result<String, Error> {
        Ok("Its files are deleted, too. This cannot be undone.".to_owned())
    }

    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: &ProjectOfDocuments,
        change: &DocumentChange,
        uploads: &[NewUpload],
    ) -> Result<i64, ActionError> {
        actions::create(db, viewer, &project.id.to_string(), change, uploads)
    }

    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: i64,
        change: &DocumentChange,
        uploads: &[NewUpload],
    ) -> Result<(), ActionError> {
        actions::update(db, viewer, id, change, uploads)
    }

    fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
        actions::delete(db, viewer, id)
    }
}
