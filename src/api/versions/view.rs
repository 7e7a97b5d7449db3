//! JSON and XML of versions (compatibility 11.8).

use crate::api::custom_fields::view::custom_fields;
use crate::app::ViewerContext;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::VersionId;
use crate::domain::version::{Version, VersionDetails};
use crate::store::{Read, StoreError, custom_fields as stored, versions};
use crate::wire::Fields;
use std::collections::HashMap;
use std::sync::Arc;

/// What the output of versions needs besides the versions.
pub struct ViewContext {
    /// Catalogue with names.
    pub catalogue: Arc<Catalogue>,
    /// The viewer.
    pub viewer_context: Arc<ViewerContext>,
    /// Details, by version.
    pub details: HashMap<VersionId, VersionDetails>,
    /// Values of custom fields, by version.
    pub values: HashMap<i64, Values>,
    /// Estimated hours of a single version, if the viewer may see hours.
    pub estimated_hours: Option<f64>,
    /// Spent hours of a single version, if the viewer may see hours.
    pub spent_hours: Option<f64>,
}

impl ViewContext {
    /// Loads what these versions need.
    pub fn load(
        db: &Read<'_>,
        viewer_context: &Arc<ViewerContext>,
        ids: &[VersionId],
    ) -> Result<ViewContext, StoreError> {
        let raw: Vec<i64> = ids.iter().map(|id| id.0).collect();
        Ok(ViewContext {
            catalogue: Arc::clone(db.catalogue()),
            viewer_context: Arc::clone(viewer_context),
            details: versions::details(db, ids)?,
            values: stored::list_values(db, Customized::Version, &raw)?,
            estimated_hours: None,
            spent_hours: None,
        })
    }
}

/// Writes the fields of a version, in the order of compatibility 11.8. The project of a shared
/// version is left out when the viewer cannot see it.
pub fn version(w: &mut Fields, version: &Version, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
    let details = context.details.get(&version.id);
    let project = catalogue
        .projects
        .get(&version.project)
        .filter(|project| viewer.rights(project.id).is_some());
    w.field("id", version.id.0);
    w.maybe_reference(
        "project",
        project.map(|project| (project.id.0, project.name.as_str())),
    );
    w.field("name", &version.name);
    w.field(
        "description",
        details.and_then(|details| details.description.as_deref()),
    );
    w.field("status", &version.status);
    w.field("due_date", version.due_date);
    w.field("sharing", version.sharing.name());
    w.field(
        "wiki_page_title",
        details.and_then(|details| details.wiki_page_title.as_deref()),
    );
    w.maybe("estimated_hours", context.estimated_hours);
    w.maybe("spent_hours", context.spent_hours);
    let fields = catalogue
        .custom_fields_of(Customized::Version)
        .filter(|field| field.is_visible_to(viewer, version.project));
    custom_fields(w, fields, context.values.get(&version.id.0));
    w.field("created_on", details.map(|details| details.created_on));
    w.field("updated_on", details.map(|details| details.updated_on));
}
