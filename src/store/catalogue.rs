//! Loads the catalogue: users, roles, projects, settings and everything else that is not content.

use super::{Read, StoreError, imported, projects};
use crate::accounts::notice_preferences;
use crate::accounts::{groups, memberships, users};
use crate::administration::{
    custom_fields, enumerations, issue_statuses, roles, settings, trackers, workflow,
};
use crate::projects::{categories, versions};
use quarry_domain::administration::setting::Setting;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::ids::ProjectId;
use quarry_domain::projects::project::Project;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Loads the catalogue of the snapshot.
pub fn load(db: &Read<'_>, version: i64) -> Result<Catalogue, StoreError> {
    let settings = settings::load(db)?;
    let user_format = settings
        .get(&Setting::UserFormat)
        .map_or(Setting::UserFormat.default_value(), String::as_str);
    let users = users::list(db, user_format.parse().unwrap_or_default())?;
    let projects = projects::list(db)?;
    Ok(Catalogue {
        version,
        logins: users
            .iter()
            .map(|user| (user.login.to_lowercase(), user.id))
            .collect(),
        users: users.into_iter().map(|user| (user.id, user)).collect(),
        groups: groups::list(db)?
            .into_iter()
            .map(|group| (group.id, group))
            .collect(),
        builtin: users::builtin(db)?,
        roles: roles::list(db)?,
        members: memberships::list(db)?,
        tree: projects::tree_order(&projects),
        identifiers: identifiers(db, &projects)?,
        projects: projects
            .into_iter()
            .map(|project| (project.id, project))
            .collect(),
        trackers: trackers::list(db)?,
        statuses: issue_statuses::list(db)?,
        enumerations: enumerations::list(db)?,
        categories: categories::list(db)?
            .into_iter()
            .map(|category| (category.id, category))
            .collect(),
        versions: versions::list(db)?
            .into_iter()
            .map(|version| (version.id, version))
            .collect(),
        custom_fields: custom_fields::list(db)?,
        workflow: workflow::load(db)?,
        field_rules: workflow::field_rules(db)?,
        bookmarks: projects::bookmarks(db)?,
        notice_preferences: notice_preferences::load(db)?,
        settings,
        is_importing: imported::is_incomplete(db)?,
        all_project_ids: OnceLock::new(),
        full_names: OnceLock::new(),
    })
}

/// Returns the projects by their identifiers, former ones included.
fn identifiers(
    db: &Read<'_>,
    projects: &[Project],
) -> Result<HashMap<String, ProjectId>, StoreError> {
    let mut identifiers = HashMap::new();
    identifiers.extend(projects::former_identifiers(db)?);
    let current = projects.iter();
    identifiers.extend(current.map(|project| (project.identifier.clone(), project.id)));
    Ok(identifiers)
}
