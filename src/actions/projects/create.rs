//! Creates projects.

use super::rules::{self, SettableAttributes};
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::access::role::Role;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::{Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::TrackerId;
use quarry_domain::projects::project::{Project, ProjectChange, modules_by_name};
use quarry_store::accounts::memberships;
use quarry_store::administration::custom_fields;
use quarry_store::projects;
use std::sync::Arc;

/// Whether the viewer may create top-level projects or subprojects.
pub fn may_create(viewer: &Viewer) -> bool {
    viewer.user.is_some()
        && (viewer.may_somewhere(Permission::AddProject)
            || viewer
                .projects_with(Permission::AddSubprojects)
                .next()
                .is_some())
}

/// Creates a project and returns its id. A creator who is not an administrator becomes a member.
///
/// # Errors
/// `Forbidden` if the viewer may add neither projects nor subprojects. `NotFound` if a tracker or
/// custom field does not exist. `Invalid` with the messages of compatibility 8.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &ProjectChange,
) -> Result<ProjectId, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let may_add = viewer.may_somewhere(Permission::AddProject)
        || viewer.may_somewhere(Permission::AddSubprojects);
    let Some(user) = viewer.user.filter(|_| may_add) else {
        return Err(ActionError::Forbidden);
    };
    let role = rules::creator_role(&catalogue).filter(|_| !viewer.admin);
    let settable = settable_attributes(viewer, role);
    let identifier = change.identifier.value().cloned().unwrap_or_default();
    let blank = with_defaults(&catalogue, identifier, db.now());
    let project = rules::apply(&catalogue, viewer, &blank, change, &settable)?;
    let issue_fields = rules::issue_fields(&catalogue, viewer, project.id, &change.issue_fields)?;
    let mut values = Values::defaults(catalogue.custom_fields_of(Customized::Project));
    let fields = rules::fields(&catalogue, viewer, project.id);
    values.apply(&fields, &change.values);

    let mut errors = project.validate(Some(
        catalogue.identifiers.contains_key(&project.identifier),
    ));
    rules::validate(&catalogue, viewer, (&blank, &project), change, &mut errors);
    rules::validate_default_query(db, (&blank, &project), &mut errors)?;
    rules::validate_values(
        &catalogue,
        project.id,
        &fields,
        (&Values::default(), &values),
        &mut errors,
    );
    errors.into_result().map_err(ActionError::Invalid)?;

    let project = Project {
        id: insert(db, &project)?,
        ..project
    };
    custom_fields::update(db, Customized::Project, project.id.0, &values)?;
    if let Some(fields) = issue_fields {
        projects::set_issue_fields(db, project.id, &fields)?;
    }
    if let Some(role) = role {
        memberships::insert(db, project.id, user.into(), &[role.id], project.created_on)?;
    }
    let details = if project.is_public {
        "public"
    } else {
        "private"
    };
    db.audit(
        AuditEvent::new(RecordType::Project, project.id, "created")
            .with_name(&project.identifier)
            .with_details(details),
    );
    Ok(project.id)
}

/// Returns the attributes that the viewer may set in a new project, in which the viewer gets the
/// `role`.
pub(super) fn settable_attributes(viewer: &Viewer, role: Option<&Role>) -> SettableAttributes {
    let has_role_with =
        |permission| role.is_some_and(|role| role.effective_permissions().contains(permission));
    let may =
        |permission| viewer.admin || has_role_with(permission) && viewer.has_scope(permission);
    SettableAttributes {
        publicity: may(Permission::SelectProjectPublicity),
        modules: may(Permission::SelectProjectModules),
    }
}

/// Returns a project with the default attributes.
pub(super) fn with_defaults(catalogue: &Catalogue, identifier: String, now: Timestamp) -> Project {
    let tracker_ids: Vec<&str> = catalogue
        .list_setting(Setting::DefaultProjectsTrackerIds)
        .collect();
    let is_default =
        |id: &TrackerId| tracker_ids.is_empty() || tracker_ids.contains(&id.to_string().as_str());
    Project {
        identifier,
        homepage: Some(String::new()),
        is_public: catalogue.is_on(Setting::DefaultProjectsPublic),
        modules: modules_by_name(catalogue.list_setting(Setting::DefaultProjectsModules)),
        trackers: catalogue
            .trackers
            .iter()
            .map(|tracker| tracker.id)
            .filter(is_default)
            .collect(),
        created_on: now,
        updated_on: now,
        ..Project::default()
    }
}

fn insert(db: &mut Write<'_>, project: &Project) -> Result<ProjectId, ActionError> {
    projects::insert(db, project).map_err(|error: StoreError| match error.is_constraint() {
        // Another process may have inserted the same identifier.
        true => {
            ActionError::invalid_attribute("identifier", "Identifier", "has already been taken")
        }
        false => error.into(),
    })
}
