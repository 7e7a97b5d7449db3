//! Updates of the modules, the trackers, the fields of issues and the status of projects.

use crate::lists::polymorphic;
use crate::transaction::changes;
use crate::{StoreError, Write};
use quarry_domain::ids::{CustomFieldId, ProjectId, TrackerId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::module::{Module, ModuleSet};
use quarry_domain::projects::project::ProjectStatus;

/// Enables modules. Those that were not enabled get their ids in this order.
pub fn enable_modules(
    db: &mut Write<'_>,
    project: ProjectId,
    modules: impl Iterator<Item = Module>,
) -> Result<(), StoreError> {
    for module in modules {
        let key = [project.into(), module.name().into()];
        db.execute("INSERT INTO enabled_modules (project_id, name) VALUES (?1, ?2) ON CONFLICT (project_id, name) DO NOTHING", &key)?;
    }
    db.catalogue_changed()
}

/// Sets the enabled modules. Modules that stay enabled keep their ids; modules that this program
/// does not support are not changed.
pub fn set_modules(
    db: &mut Write<'_>,
    project: ProjectId,
    modules: ModuleSet,
) -> Result<(), StoreError> {
    for module in Module::ALL {
        let key = [project.into(), module.name().into()];
        if modules.contains(*module) {
            db.execute("INSERT INTO enabled_modules (project_id, name) VALUES (?1, ?2) ON CONFLICT (project_id, name) DO NOTHING", &key)?;
        } else {
            let deleted: Vec<i64> = db.column(
                "DELETE FROM enabled_modules WHERE project_id = ?1 AND name = ?2 RETURNING id",
                &key,
            )?;
            polymorphic::delete_by_owners(db, "EnabledModule", &deleted)?;
        }
    }
    db.catalogue_changed()
}

/// Sets the enabled trackers.
pub fn set_trackers(
    db: &mut Write<'_>,
    project: ProjectId,
    trackers: &[TrackerId],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM project_trackers WHERE project_id = ?1",
        &[project.into()],
    )?;
    for tracker in trackers {
        db.execute(
            "INSERT INTO project_trackers (project_id, tracker_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            &[project.into(), (*tracker).into()],
        )?;
    }
    db.catalogue_changed()
}

/// Sets the custom fields of issues of the project, in addition to those of all projects.
pub fn set_issue_fields(
    db: &mut Write<'_>,
    project: ProjectId,
    fields: &[CustomFieldId],
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM custom_fields_projects WHERE project_id = ?1",
        &[project.into()],
    )?;
    for field in fields {
        db.execute(
            "INSERT INTO custom_fields_projects (custom_field_id, project_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            &[(*field).into(), project.into()],
        )?;
    }
    db.catalogue_changed()
}

/// Changes the identifier of a project. The former one keeps leading to the project.
pub fn set_identifier(
    db: &mut Write<'_>,
    project: ProjectId,
    former: &str,
    identifier: &str,
) -> Result<(), StoreError> {
    db.execute(
        "UPDATE projects SET identifier = ?2 WHERE id = ?1",
        &[project.into(), identifier.into()],
    )?;
    db.execute(
        "DELETE FROM former_identifiers WHERE identifier = ?1",
        &[identifier.into()],
    )?;
    db.execute(
        "INSERT INTO former_identifiers (identifier, project_id) VALUES (?1, ?2)",
        &[former.into(), project.into()],
    )?;
    changes::record(db, Kind::Project, project)?;
    db.catalogue_changed()
}

/// Sets the status of a project.
pub fn set_status(
    db: &mut Write<'_>,
    project: ProjectId,
    status: ProjectStatus,
) -> Result<(), StoreError> {
    set_statuses(db, &[project], status)
}

/// Sets the status of projects. This is no update of their attributes: the time of the last one
/// stays (compatibility 8).
pub fn set_statuses(
    db: &mut Write<'_>,
    projects: &[ProjectId],
    status: ProjectStatus,
) -> Result<(), StoreError> {
    if projects.is_empty() {
        return Ok(());
    }
    db.execute(
        "UPDATE projects SET status = ?2 WHERE id IN ids(?1)",
        &[super::matching::ids(projects), status.code().into()],
    )?;
    for project in projects {
        changes::record(db, Kind::Project, *project)?;
    }
    db.catalogue_changed()
}
