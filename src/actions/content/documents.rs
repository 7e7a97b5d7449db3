//! Documents of projects (compatibility 13.1).
//!
//! Invariants: a document that the viewer may not see is treated as missing. A category that is no
//! longer active can be kept, but not set. May import: `domain`, `store`.

use crate::administration::custom_values;
use crate::content::attachments::{NewUpload, attach};
use crate::notices;
use crate::prelude::*;
use crate::projects;
use quarry_domain::access::visibility;
use quarry_domain::administration::custom_field::{Customized, RequestedValues, Values};
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::content::document::Document;
use quarry_domain::ids::EnumerationId;
use quarry_domain::index_feed::kind::Kind;
use quarry_store::administration::custom_fields;
use quarry_store::content::documents;
use std::sync::Arc;

/// Returns the document with this id (compatibility 13.1).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Document, ActionError> {
    documents::find(db, visibility::of_kind(viewer, Kind::Document), id)?
        .ok_or_else(|| ActionError::missing(viewer))
}

/// As [`find`], for viewers who have the permission in its project.
fn find_with(
    db: &Read<'_>,
    viewer: &Viewer,
    id: i64,
    permission: Permission,
) -> Result<Document, ActionError> {
    let document = find(db, viewer, id)?;
    if viewer.may(permission, document.project) {
        Ok(document)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// Maximum length of a title in characters.
const MAX_TITLE_LENGTH: usize = 255;

/// The id of no record.
const NONE: EnumerationId = EnumerationId(0);

/// The attributes of a document in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentChange {
    /// The category; the default one when a new document has none.
    pub category: Patch<EnumerationId>,
    pub title: Patch<String>,
    /// The description, as markup.
    pub description: Patch<String>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

impl DocumentChange {
    /// Returns the document after the change.
    fn apply_to(&self, before: &Document) -> Document {
        Document {
            category: self
                .category
                .apply_to(Some(before.category))
                .unwrap_or(NONE),
            title: self
                .title
                .apply_to(Some(before.title.clone()))
                .unwrap_or_default(),
            description: self.description.apply_to(before.description.clone()),
            ..before.clone()
        }
    }
}

/// Creates a document in the project, attaches the uploads, and returns its id.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: &str,
    change: &DocumentChange,
    uploads: &[NewUpload],
) -> Result<i64, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = projects::find_with(&catalogue, viewer, project, Permission::ViewDocuments)?.id;
    if !viewer.may(Permission::AddDocuments, project) {
        return Err(ActionError::Forbidden);
    }
    let default_category = catalogue
        .enumerations_of(EnumerationKind::DocumentCategory)
        .find(|category| category.is_default);
    let category = default_category
        .filter(|category| category.active)
        .map_or(NONE, |category| category.id);
    let blank = Document {
        id: 0,
        project,
        category,
        title: String::new(),
        description: None,
        created_on: db.now(),
    };
    let document = change.apply_to(&blank);
    let defaults = Values::defaults(catalogue.custom_fields_of(Customized::Document));
    let values = validate(
        &catalogue,
        viewer,
        (&blank, &document),
        (&defaults, &change.custom),
    )?;
    let id = documents::insert(db, &document)?;
    custom_fields::update(db, Customized::Document, id, &values)?;
    attach(db, viewer, Kind::Document, id, uploads)?;
    notices::document_added(db, viewer.user, &Document { id, ..document })?;
    Ok(id)
}

/// Validates a document, and returns its values of custom fields after the change. A category that
/// the document has already may be inactive.
fn validate(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (before, after): (&Document, &Document),
    (values, requested): (&Values, &RequestedValues),
) -> Result<Values, ActionError> {
    let mut errors = ValidationErrors::new();
    let project = after.project;
    let is_new = before.id == 0;
    let fields = custom_values::settable_fields(catalogue, viewer, Customized::Document, project);
    let is_selectable =
        |field: &_, id| custom_values::is_version_or_member(catalogue, project, field, id);
    let values = custom_values::apply(
        catalogue,
        &mut errors,
        &fields,
        values,
        requested,
        is_new,
        is_selectable,
    );
    errors.require_text("title", "Title", &after.title, MAX_TITLE_LENGTH);
    errors.refuse_line_breaks("title", "Title", &after.title, Some(&before.title));
    if before.description != after.description {
        errors.limit_text(
            "description",
            "Description",
            after.description.as_deref().unwrap_or_default(),
            catalogue.max_text_length(),
        );
    }
    let mut categories = catalogue.enumerations_of(EnumerationKind::DocumentCategory);
    let is_unchanged = !is_new && before.category == after.category;
    if after.category == NONE && !is_unchanged {
        errors.add("category_id", "Category", "cannot be blank");
    } else if !is_unchanged
        && !categories.any(|category| category.id == after.category && category.active)
    {
        errors.add("category_id", "Category", "is not included in the list");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(values)
}

/// Updates a document, and attaches the uploads.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &DocumentChange,
    uploads: &[NewUpload],
) -> Result<(), ActionError> {
    let before = find_with(db, viewer, id, Permission::EditDocuments)?;
    let after = change.apply_to(&before);
    let catalogue = Arc::clone(db.catalogue());
    let old = custom_fields::find_values(db, Customized::Document, id)?;
    let values = validate(
        &catalogue,
        viewer,
        (&before, &after),
        (&old, &change.custom),
    )?;
    if (&after, &values) != (&before, &old) {
        documents::update(db, &after)?;
        custom_fields::update(db, Customized::Document, id, &values)?;
    }
    attach(db, viewer, Kind::Document, id, uploads)?;
    Ok(())
}

/// Deletes a document with its files. The cleanup job deletes their contents.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    find_with(db, viewer, id, Permission::DeleteDocuments)?;
    Ok(documents::delete(db, id)?)
}
