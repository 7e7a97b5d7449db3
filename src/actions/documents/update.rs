//! Updates documents (compatibility 13.1).

use super::create::{DocumentChange, validate};
use super::find::find_with;
use crate::actions::ActionError;
use crate::actions::attachments::{NewUpload, attach};
use crate::domain::custom_field::Customized;
use crate::domain::kind::Kind;
use crate::domain::permission::Permission;
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields, documents};
use std::sync::Arc;

/// Updates a document, and attaches the uploads.
///
/// # Errors
/// As for [`super::find()`]; `Forbidden` if the viewer may not edit documents; `Invalid` as for
/// [`super::create()`].
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
