//! Repositories of projects: what hooks and users record about them, not their contents
//! (compatibility 13.3).
//!
//! Invariant: the first repository of a project is its main one, which only another one can
//! replace. May import: `domain`, `store`.

use crate::prelude::*;
use crate::projects;
use quarry_domain::projects::repository::Repository;
use quarry_store::projects::repositories;
use quarry_store::projects::repositories::MAX_REPOSITORIES;
use std::sync::Arc;

/// Returns the repository with this id (compatibility 13.3).
pub fn find(db: &Read<'_>, viewer: &Viewer, id: i64) -> Result<Repository, ActionError> {
    let repository = repositories::find_by_id(db, id)?;
    let repository =
        repository.filter(|repository| viewer.may(Permission::ViewChangesets, repository.project));
    repository.ok_or_else(|| ActionError::missing(viewer))
}

/// Returns the repository of the project, by its identifier or id.
///
/// # Errors
/// [`ActionError::missing`] if there is none, or the viewer cannot see the project.
pub fn find_in_project(
    db: &Read<'_>,
    viewer: &Viewer,
    project: &str,
    repository: &str,
) -> Result<Repository, ActionError> {
    let project =
        projects::find_with(db.catalogue(), viewer, project, Permission::ViewChangesets)?.id;
    repositories::find(db, project, repository)?.ok_or_else(|| ActionError::missing(viewer))
}

/// The types of repositories.
pub const SCMS: [&str; 6] = [
    "Git",
    "Subversion",
    "Mercurial",
    "Cvs",
    "Bazaar",
    "Filesystem",
];

/// Maximum length of identifiers and addresses in characters.
const MAX_LENGTH: usize = 255;

/// Adds a repository to the project with the identifier, type and address of `requested`, and
/// returns its id. The type is Git if empty. The first repository is always the main one.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: &str,
    requested: &Repository,
) -> Result<i64, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let project = projects::find_with(&catalogue, viewer, project, Permission::ViewChangesets)?.id;
    if !viewer.may(Permission::ManageRepository, project) {
        return Err(ActionError::Forbidden);
    }
    let existing = repositories::list(db, project)?;
    let mut repository = Repository {
        project,
        is_default: requested.is_default || existing.is_empty(),
        created_on: Some(db.now()),
        ..requested.clone()
    };
    if repository.scm.is_empty() {
        SCMS[0].clone_into(&mut repository.scm);
    }
    let mut errors = ValidationErrors::new();
    if repository.identifier.is_empty() && !repository.is_default {
        errors.add("identifier", "Identifier", "cannot be blank");
    }
    validate_identifier(&repository.identifier, &existing, &mut errors);
    if !SCMS.contains(&repository.scm.as_str()) {
        errors.add(
            "scm",
            "SCM",
            &format!("is not included in the list ({})", SCMS.join(", ")),
        );
    }
    validate_url(&repository.url, &mut errors);
    if existing.len() >= usize::try_from(MAX_REPOSITORIES).unwrap_or(usize::MAX) {
        errors.add_message(&format!(
            "Repositories are too many (maximum is {MAX_REPOSITORIES} in one project)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(repositories::insert(db, &repository)?)
}

/// Adds the errors of a new identifier.
fn validate_identifier(identifier: &str, existing: &[Repository], errors: &mut ValidationErrors) {
    if !identifier.is_empty() && !is_identifier(identifier) {
        errors.add(
            "identifier",
            "Identifier",
            "is invalid (lower-case letters, digits, - and _, not only digits)",
        );
    }
    errors.limit_text("identifier", "Identifier", identifier, MAX_LENGTH);
    if existing
        .iter()
        .any(|repository| repository.identifier == identifier)
    {
        errors.add("identifier", "Identifier", "has already been taken");
    }
}

/// Adds the errors of a new address.
fn validate_url(url: &str, errors: &mut ValidationErrors) {
    errors.limit_text("url", "URL", url, MAX_LENGTH);
}

/// Whether a repository can have this identifier. One of digits only would be taken for an id.
fn is_identifier(text: &str) -> bool {
    text.bytes().all(is_identifier_byte) && !text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
}

/// The requested attributes of a repository. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RepositoryChange {
    /// The identifier; only a repository without one gets it.
    pub identifier: Patch<String>,
    /// Where it is.
    pub url: Patch<String>,
    /// Whether it is the main repository.
    pub is_default: Option<bool>,
}

/// Updates a repository. A new main repository replaces the former one.
///
/// # Errors
/// `Invalid` with a message for each attribute, also when the main repository would cease to be it.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: i64,
    change: &RepositoryChange,
) -> Result<(), ActionError> {
    let before = find(db, viewer, id)?;
    if !viewer.may(Permission::ManageRepository, before.project) {
        return Err(ActionError::Forbidden);
    }
    let mut after = Repository {
        is_default: change.is_default.unwrap_or(before.is_default),
        ..before.clone()
    };
    if let Some(identifier) = change
        .identifier
        .value()
        .filter(|_| before.identifier.is_empty())
    {
        after.identifier.clone_from(identifier);
    }
    if change.url.is_present() {
        after.url = change.url.value().cloned().unwrap_or_default();
    }
    let mut errors = ValidationErrors::new();
    if after.identifier != before.identifier {
        validate_identifier(
            &after.identifier,
            &repositories::list(db, before.project)?,
            &mut errors,
        );
    }
    if after.url != before.url {
        validate_url(&after.url, &mut errors);
    }
    if before.is_default && !after.is_default {
        errors.add(
            "is_default",
            "Is default",
            "cannot be cleared (make another repository the main one)",
        );
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    if after != before {
        repositories::update(db, &after)?;
    }
    Ok(())
}

/// Deletes a repository with its changesets and their links to issues. Issues keep what commit
/// messages have changed.
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: i64) -> Result<(), ActionError> {
    let repository = find(db, viewer, id)?;
    if !viewer.may(Permission::ManageRepository, repository.project) {
        return Err(ActionError::Forbidden);
    }
    Ok(repositories::delete(db, id)?)
}
