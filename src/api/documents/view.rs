//! JSON and XML of documents (compatibility 13.1).

use crate::api::attachments::view::attachment;
use crate::api::custom_fields::view::custom_fields;
use crate::app::ViewerContext;
use crate::domain::attachment::Attachment;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::kind::Kind;
use crate::http::{Error, RequestContext};
use crate::store::documents::Document;
use crate::store::{Read, attachments, custom_fields as store_fields};
use crate::wire::Fields;
use std::collections::HashMap;
use std::sync::Arc;

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
        let files = match with_files {
            true => Some(attachments::list_by_container(db, Kind::Document, &ids)?),
            false => None,
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
pub fn document(w: &mut Fields, document: &Document, context: &ViewContext) {
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
    custom_fields(w, fields, context.values.get(&document.id));
    w.field("created_on", document.created_on);
    if let Some(files) = &context.files {
        let files = files.get(&document.id).map_or(&[][..], Vec::as_slice);
        w.items("attachments", "attachment", files, |w, file| {
            attachment(w, file, catalogue, &context.base)
        });
    }
}
