//! Updates repositories (compatibility 13.3).

use super::create::{validate_identifier, validate_url};
use super::find::find;
use crate::actions::ActionError;
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::repositories::Repository;
use crate::store::{Write, repositories};

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
/// As for [`find`]; `Forbidden` if the viewer may not manage repositories; `Invalid` with a message
/// for each attribute, also when the main repository would cease to be it.
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
