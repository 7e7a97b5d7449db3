//! Projects with their modules, trackers and bookmarks.

pub mod categories;
pub mod changesets;
pub mod contents;
pub mod deletion;
mod matching;
pub mod repositories;
mod update;
pub mod version_progress;
pub mod versions;

pub use matching::matching;
pub use update::{
    enable_modules, set_identifier, set_issue_fields, set_modules, set_status, set_statuses,
    set_trackers,
};

use super::engine::{Row, StatementError, Value};
use super::{Read, StoreError, Write};
use crate::accounts::memberships;
use crate::transaction::changes;
use crate::transaction::column_values::ColumnValues;
use quarry_domain::ids::{ProjectId, TrackerId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::module::{Module, ModuleSet};
use quarry_domain::projects::project::{Project, ProjectStatus};
use quarry_domain::values::stable_sort::StableSort;
use std::collections::HashMap;

/// Ids and names of records that belong to projects, by project.
pub type NamedByProject = HashMap<ProjectId, Vec<(i64, String)>>;

const COLUMNS: &str = "id, name, identifier, description, homepage, parent_id, is_public, \
                       inherit_members, status, default_version_id, default_assigned_to_id, \
                       default_issue_query_id, created_on, updated_on";

/// Reads a project without its modules and trackers.
fn from_row(row: &Row<'_>) -> Result<Project, StatementError> {
    Ok(Project {
        id: row.next()?,
        name: row.next()?,
        identifier: row.next()?,
        description: row.next()?,
        homepage: row.next()?,
        parent: row.next()?,
        is_public: row.next()?,
        inherit_members: row.next()?,
        // Projects with an unknown status are hidden.
        status: ProjectStatus::from_repr(row.next()?).unwrap_or(ProjectStatus::Archived),
        default_version: row.next()?,
        default_assignee: row.next()?,
        default_query: row.next()?,
        created_on: row.next()?,
        updated_on: row.next()?,
        ..Project::default()
    })
}

/// Returns all projects by id, without those that are being deleted.
pub fn list(db: &Read<'_>) -> Result<Vec<Project>, StoreError> {
    let mut modules: HashMap<ProjectId, ModuleSet> = HashMap::new();
    for (project, name) in db.rows("SELECT project_id, name FROM enabled_modules", &[], |row| {
        Ok((row.next()?, row.next::<String>()?))
    })? {
        if let Ok(module) = name.parse() {
            let set = modules.entry(project).or_default();
            *set = set.with(module);
        }
    }
    let mut trackers: HashMap<ProjectId, Vec<TrackerId>> = HashMap::new();
    let sql = "SELECT p.project_id, p.tracker_id FROM project_trackers p JOIN trackers t ON t.id = p.tracker_id ORDER BY t.position, t.id";
    for (project, tracker) in db.rows(sql, &[], |row| Ok((row.next()?, row.next()?)))? {
        trackers.entry(project).or_default().push(tracker);
    }
    let sql = format!("SELECT {COLUMNS} FROM projects WHERE status <> ?1 ORDER BY id");
    db.rows(&sql, &[deletion::STATUS_DELETING.into()], |row| {
        let project = from_row(row)?;
        Ok(Project {
            modules: modules.get(&project.id).copied().unwrap_or_default(),
            trackers: trackers.remove(&project.id).unwrap_or_default(),
            ..project
        })
    })
}

/// Returns the ids in tree order: each project before its subprojects, siblings by name without
/// regard to case.
pub fn tree_order(projects: &[Project]) -> Vec<ProjectId> {
    let mut children: HashMap<Option<ProjectId>, Vec<&Project>> = HashMap::new();
    for project in projects {
        children.entry(project.parent).or_default().push(project);
    }
    for siblings in children.values_mut() {
        // Reversed, because the stack returns the last one first.
        siblings.stable_sort_by_key(|project| {
            std::cmp::Reverse((project.name.to_lowercase(), &project.name, project.id))
        });
    }
    let mut order = Vec::with_capacity(projects.len());
    let mut stack = children.remove(&None).unwrap_or_default();
    while let Some(project) = stack.pop() {
        order.push(project.id);
        stack.extend(children.remove(&Some(project.id)).unwrap_or_default());
    }
    order
}

/// The columns that an update writes.
fn columns(project: &Project) -> ColumnValues {
    ColumnValues::new()
        .set("name", &project.name)
        .set("identifier", &project.identifier)
        .set("description", project.description.as_deref())
        .set("homepage", project.homepage.as_deref())
        .set("parent_id", project.parent)
        .set("is_public", project.is_public)
        .set("inherit_members", project.inherit_members)
        .set("default_version_id", project.default_version)
        .set("default_assigned_to_id", project.default_assignee)
        .set("default_issue_query_id", project.default_query)
        .set("updated_on", project.updated_on)
}

/// Inserts a project with its modules and trackers; with the next free id if its id is 0. Returns
/// the id.
pub fn insert(db: &mut Write<'_>, project: &Project) -> Result<ProjectId, StoreError> {
    let columns = columns(project)
        .set_id(project.id)
        .set("status", project.status.code())
        .set("created_on", project.created_on);
    let id: ProjectId = db.insert_record("projects", columns)?;
    set_modules(db, id, project.modules)?;
    set_trackers(db, id, &project.trackers)?;
    if project.inherit_members {
        memberships::synchronize(db, &memberships::Scope::Project(id))?;
    }
    changes::record(db, Kind::Project, id)?;
    Ok(id)
}

/// Updates the columns of a project, except status and creation time. Modules and trackers stay.
pub fn update(db: &mut Write<'_>, project: &Project) -> Result<(), StoreError> {
    db.update_record("projects", project.id, columns(project))?;
    memberships::synchronize(db, &memberships::Scope::Project(project.id))?;
    changes::record(db, Kind::Project, project.id)?;
    db.catalogue_changed()
}

/// Returns ids and names of the enabled modules of these projects, by project.
pub fn modules_by_project(db: &Read<'_>, projects: &[i64]) -> Result<NamedByProject, StoreError> {
    named_by_project(
        db,
        projects,
        "SELECT project_id, id, name FROM enabled_modules WHERE project_id IN ids(?1) ORDER BY id",
    )
}

/// Returns the id of an enabled module of a project; `None` if it is not enabled.
pub fn find_module(
    db: &Read<'_>,
    project: ProjectId,
    module: Module,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM enabled_modules WHERE project_id = ?1 AND name = ?2";
    db.first(sql, &[project.into(), module.name().into()], |row| {
        row.next()
    })
}

/// Returns the project of an enabled module.
pub fn find_module_project(db: &Read<'_>, module: i64) -> Result<Option<ProjectId>, StoreError> {
    db.first(
        "SELECT project_id FROM enabled_modules WHERE id = ?1",
        &[module.into()],
        |row| row.next(),
    )
}

/// Returns ids and names of the issue categories of these projects, by project.
pub fn categories_by_project(
    db: &Read<'_>,
    projects: &[i64],
) -> Result<NamedByProject, StoreError> {
    named_by_project(
        db,
        projects,
        "SELECT project_id, id, name FROM issue_categories WHERE project_id IN ids(?1) ORDER BY name, id",
    )
}

fn named_by_project(
    db: &Read<'_>,
    projects: &[i64],
    sql: &str,
) -> Result<NamedByProject, StoreError> {
    let mut by_project = NamedByProject::new();
    for (project, id, name) in db.rows(sql, &[Value::Ids(projects.to_vec())], |row| {
        Ok((row.next()?, row.next()?, row.next()?))
    })? {
        by_project.entry(project).or_default().push((id, name));
    }
    Ok(by_project)
}

/// Returns the former identifiers of projects.
pub fn former_identifiers(db: &Read<'_>) -> Result<Vec<(String, ProjectId)>, StoreError> {
    db.rows(
        "SELECT identifier, project_id FROM former_identifiers",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Returns the bookmarked projects of all users.
pub fn bookmarks(db: &Read<'_>) -> Result<HashMap<UserId, Vec<ProjectId>>, StoreError> {
    let mut bookmarks: HashMap<UserId, Vec<ProjectId>> = HashMap::new();
    for (user, project) in db.rows(
        "SELECT user_id, project_id FROM bookmarks ORDER BY project_id",
        &[],
        |row| Ok((row.next()?, row.next()?)),
    )? {
        bookmarks.entry(user).or_default().push(project);
    }
    Ok(bookmarks)
}

/// Inserts a bookmark of a project.
pub fn insert_bookmark(
    db: &mut Write<'_>,
    user: UserId,
    project: ProjectId,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO bookmarks (user_id, project_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        &[user.into(), project.into()],
    )?;
    db.unaudited_catalogue_changed()
}

/// Deletes a bookmark of a project. Not an error if there is none.
pub fn delete_bookmark(
    db: &mut Write<'_>,
    user: UserId,
    project: ProjectId,
) -> Result<(), StoreError> {
    db.execute(
        "DELETE FROM bookmarks WHERE user_id = ?1 AND project_id = ?2",
        &[user.into(), project.into()],
    )?;
    db.unaudited_catalogue_changed()
}
