//! Projects, their modules and trackers, and who has marked them.

mod change;
mod find;
pub mod removal;

pub use change::{change, set_issue_fields, set_modules, set_status, set_statuses, set_trackers};
pub use find::{detach_versions, fitting, is_version_used_outside};

use super::engine::Value;
use super::{Read, StoreError, Write, changes};
use crate::domain::ids::{ProjectId, TrackerId, UserId};
use crate::domain::kind::Kind;
use crate::domain::module::{Module, ModuleSet};
use crate::domain::project::{Project, ProjectStatus};
use jiff::Timestamp;
use std::collections::HashMap;

/// Number and name of things that belong to projects, by project.
pub type NamedByProject = HashMap<ProjectId, Vec<(i64, String)>>;

/// All projects, by number; without those that are being removed.
pub fn list(db: &Read<'_>) -> Result<Vec<Project>, StoreError> {
    let mut modules: HashMap<ProjectId, ModuleSet> = HashMap::new();
    for (project, name) in db.rows("SELECT project_id, name FROM enabled_modules", &[], |row| Ok((row.read(0)?, row.read::<String>(1)?)))? {
        if let Some(module) = Module::parse(&name) {
            let set = modules.entry(project).or_default();
            *set = set.with(module);
        }
    }
    let mut trackers: HashMap<ProjectId, Vec<TrackerId>> = HashMap::new();
    let sql = "SELECT p.project_id, p.tracker_id FROM project_trackers p JOIN trackers t ON t.id = p.tracker_id ORDER BY t.position, t.id";
    for (project, tracker) in db.rows(sql, &[], |row| Ok((row.read(0)?, row.read(1)?)))? {
        trackers.entry(project).or_default().push(tracker);
    }
    let sql = "SELECT id, name, identifier, description, homepage, parent_id, is_public, inherit_members, status, created_on, updated_on, \
               default_version_id, default_assigned_to_id FROM projects WHERE status <> ?1 ORDER BY id";
    db.rows(sql, &[removal::DOOMED.into()], |row| {
        let id: ProjectId = row.read(0)?;
        Ok(Project {
            id,
            name: row.read(1)?,
            identifier: row.read(2)?,
            description: row.read(3)?,
            homepage: row.read(4)?,
            parent: row.read(5)?,
            is_public: row.read(6)?,
            inherit_members: row.read(7)?,
            // What is not understood is hidden.
            status: ProjectStatus::from_code(row.read(8)?).unwrap_or(ProjectStatus::Archived),
            modules: modules.get(&id).copied().unwrap_or_default(),
            trackers: trackers.remove(&id).unwrap_or_default(),
            default_version: row.read(11)?,
            default_assignee: row.read(12)?,
            created_on: row.read(9)?,
            updated_on: row.read(10)?,
        })
    })
}

/// The numbers in the order of the tree: each project before those below it, brothers by name without regard to case.
pub fn tree_order(projects: &[Project]) -> Vec<ProjectId> {
    let mut below: HashMap<Option<ProjectId>, Vec<&Project>> = HashMap::new();
    for project in projects {
        below.entry(project.parent).or_default().push(project);
    }
    for brothers in below.values_mut() {
        // Reversed, because the last one pushed is the first one taken.
        brothers.sort_by_key(|project| std::cmp::Reverse((project.name.to_lowercase(), project.id)));
    }
    let mut order = Vec::with_capacity(projects.len());
    let mut waiting = below.remove(&None).unwrap_or_default();
    while let Some(project) = waiting.pop() {
        order.push(project.id);
        waiting.extend(below.remove(&Some(project.id)).unwrap_or_default());
    }
    order
}

/// A project to be added.
pub struct NewProject<'a> {
    /// The number, when it is to be this one.
    pub id: Option<ProjectId>,
    /// Its display name.
    pub name: &'a str,
    /// Its name in addresses.
    pub identifier: &'a str,
    /// What it is about.
    pub description: Option<&'a str>,
    /// Its home page.
    pub homepage: &'a str,
    /// The project above it.
    pub parent: Option<ProjectId>,
    /// Whether people who are not members may look in.
    pub is_public: bool,
    /// Whether the members of the project above are members here too.
    pub inherit_members: bool,
    /// Its state.
    pub status: ProjectStatus,
    /// The modules that are on.
    pub modules: ModuleSet,
    /// The trackers in use.
    pub trackers: &'a [TrackerId],
    /// When it was made.
    pub created_on: Timestamp,
    /// When it was last changed.
    pub updated_on: Timestamp,
}

/// Adds a project.
pub fn insert(db: &mut Write<'_>, project: &NewProject<'_>) -> Result<ProjectId, StoreError> {
    let id: ProjectId = db.insert(
        "INSERT INTO projects (id, name, identifier, description, homepage, parent_id, is_public, inherit_members, status, created_on, updated_on) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
        &[
            project.id.into(),
            project.name.into(),
            project.identifier.into(),
            project.description.into(),
            project.homepage.into(),
            project.parent.into(),
            project.is_public.into(),
            project.inherit_members.into(),
            project.status.code().into(),
            project.created_on.into(),
            project.updated_on.into(),
        ],
    )?;
    set_modules(db, id, project.modules)?;
    for tracker in project.trackers {
        db.execute("INSERT INTO project_trackers (project_id, tracker_id) VALUES (?1, ?2)", &[id.into(), (*tracker).into()])?;
    }
    changes::record(db, Kind::Project, id)?;
    Ok(id)
}

/// Number and name of the modules that are on in these projects, by project.
pub fn modules_of(db: &Read<'_>, projects: &[i64]) -> Result<NamedByProject, StoreError> {
    named_of(db, projects, "SELECT project_id, id, name FROM enabled_modules WHERE project_id IN ids(?1) ORDER BY id")
}

/// Number and name of the issue categories of these projects, by project.
pub fn categories_of(db: &Read<'_>, projects: &[i64]) -> Result<NamedByProject, StoreError> {
    named_of(db, projects, "SELECT project_id, id, name FROM issue_categories WHERE project_id IN ids(?1) ORDER BY name, id")
}

fn named_of(db: &Read<'_>, projects: &[i64], sql: &str) -> Result<NamedByProject, StoreError> {
    let mut found = NamedByProject::new();
    for (project, id, name) in db.rows(sql, &[Value::Ids(projects.to_vec())], |row| Ok((row.read(0)?, row.read(1)?, row.read(2)?)))? {
        found.entry(project).or_default().push((id, name));
    }
    Ok(found)
}

/// The projects that users have marked.
pub fn bookmarks(db: &Read<'_>) -> Result<HashMap<UserId, Vec<ProjectId>>, StoreError> {
    let mut marked: HashMap<UserId, Vec<ProjectId>> = HashMap::new();
    for (user, project) in
        db.rows("SELECT user_id, project_id FROM bookmarks ORDER BY project_id", &[], |row| Ok((row.read(0)?, row.read(1)?)))?
    {
        marked.entry(user).or_default().push(project);
    }
    Ok(marked)
}

/// Marks a project.
pub fn bookmark(db: &mut Write<'_>, user: UserId, project: ProjectId) -> Result<(), StoreError> {
    db.execute("INSERT INTO bookmarks (user_id, project_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING", &[user.into(), project.into()])?;
    db.catalogue_changed()
}
