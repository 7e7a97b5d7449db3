//! Versions of projects (compatibility 11.8).

use crate::custom_fields::write_custom_fields;
use crate::prelude::*;
use quarry_actions::projects::versions;
use quarry_actions::projects::versions::VersionChange;
use quarry_app::ViewerContext;
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::ids::VersionId;
use quarry_domain::projects::version::Version;
use quarry_store as store;
use quarry_store::StoreError;
use quarry_wire::Meta;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/versions/{id}",
            get(read_handler(show))
                .put(write_handler(update))
                .patch(write_handler(update))
                .delete(write_handler(delete)),
        )
        .route(
            "/projects/{id}/versions",
            get(read_handler(list)).post(write_handler(create)),
        )
}

/// `GET /projects/:id/versions` (compatibility 11.8).
///
/// Returns all versions of a project and those that are shared with it, by id.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = catalogue
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let versions: Vec<Version> = versions::list(&catalogue, request.viewer(), project)?
        .into_iter()
        .cloned()
        .collect();
    let ids: Vec<VersionId> = versions.iter().map(|version| version.id).collect();
    let context = ViewContext::load(db, &request.viewer_context, &ids)?;
    let total = i64::try_from(versions.len()).unwrap_or(i64::MAX);
    let meta = if Pagination::from_query(&request.query).without_totals {
        Vec::new()
    } else {
        vec![Meta::Integer("total_count", total)]
    };
    Ok(Reply::list(
        "versions",
        "version",
        versions,
        move |w: &mut _, version: Version| write_version(w, &version, &context),
        meta,
    ))
}

/// `GET /versions/:id` (compatibility 11.8).
///
/// Returns the version; 403 when the viewer may not see the issues of its project.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let version =
        versions::find(db.catalogue(), request.viewer(), request.id_param("id")?)?.clone();
    version_reply(request, db, version)
}

/// Returns a version after a change.
fn reply_by_id(request: &RequestContext, id: VersionId) -> Result<Reply, Error> {
    request.app.read(|db| {
        let version = db
            .catalogue()
            .versions
            .get(&id)
            .ok_or(Error::NotFound)?
            .clone();
        version_reply(request, db, version)
    })
}

fn version_reply(
    request: &RequestContext,
    db: &Read<'_>,
    version: Version,
) -> Result<Reply, Error> {
    let viewer = request.viewer();
    let mut context = ViewContext::load(db, &request.viewer_context, &[version.id])?;
    if viewer.may(Permission::ViewTimeEntries, version.project) {
        context.estimated_hours = Some(store::projects::versions::estimated_hours(
            db, viewer, version.id,
        )?);
        context.spent_hours = Some(store::projects::versions::spent_hours(
            db, viewer, version.id,
        )?);
    }
    Ok(Reply::object("version", move |w| {
        write_version(w, &version, &context)
    }))
}

/// `POST /projects/:id/versions` (compatibility 11.8).
///
/// Creates a version: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let project = request
        .app
        .store
        .catalogue()?
        .project_by(request.path_param("id"))
        .ok_or(Error::NotFound)?
        .id;
    let change = VersionChange::from_body(&request.body)?;
    let id = request.write_in_project(project, move |db, viewer| {
        Version::create(db, viewer, project, &change)
    })?;
    Ok(reply_by_id(request, id)?.created(format!("{}/versions/{id}", request.base_url())))
}

/// `PUT /versions/:id` (compatibility 11.8).
///
/// Updates a version: 200 with its new state.
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: VersionId = request.id_param("id")?;
    let change = VersionChange::from_body(&request.body)?;
    request.write(move |db, viewer| Version::update(db, viewer, id, &change))?;
    reply_by_id(request, id)
}

/// `DELETE /versions/:id` (compatibility 11.8).
///
/// Deletes a version: 200 without a body; 422 while something refers to it.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: VersionId = request.id_param("id")?;
    request
        .write(move |db, viewer| Version::delete(db, viewer, id, None))
        .map_err(Error::for_deletion)?;
    Ok(Reply::ok())
}

/// What the output of versions needs besides the versions.
pub struct ViewContext {
    /// Catalogue with names.
    pub catalogue: Arc<Catalogue>,
    pub viewer_context: Arc<ViewerContext>,
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
            values: store::administration::custom_fields::list_values(
                db,
                Customized::Version,
                &raw,
            )?,
            estimated_hours: None,
            spent_hours: None,
        })
    }
}

/// Writes the fields of a version, in the order of compatibility 11.8. The project of a shared
/// version is left out when the viewer cannot see it.
pub fn write_version(w: &mut Fields, version: &Version, context: &ViewContext) {
    let catalogue = &context.catalogue;
    let viewer = &context.viewer_context.viewer;
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
    w.field("description", version.description.as_deref());
    w.field("status", &version.status);
    w.field("due_date", version.due_date);
    w.field("sharing", version.sharing.name());
    w.field("wiki_page_title", version.wiki_page_title.as_deref());
    w.maybe("estimated_hours", context.estimated_hours);
    w.maybe("spent_hours", context.spent_hours);
    let fields = catalogue
        .custom_fields_of(Customized::Version)
        .filter(|field| field.is_visible_to(viewer, version.project));
    write_custom_fields(w, fields, context.values.get(&version.id.0));
    w.field("created_on", version.created_on);
    w.field("updated_on", version.updated_on);
}
