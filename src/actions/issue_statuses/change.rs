//! Changes of an issue status, and which of them are valid (compatibility 14).

use crate::actions::ActionError;
use crate::actions::administration::{apply_name, validate_name, validate_position};
use crate::domain::catalogue::{Catalogue, Status};
use crate::domain::patch::Patch;
use crate::domain::position::move_to;
use crate::domain::validation::ValidationErrors;
use crate::store::{StoreError, Write, issue_statuses, positions};

/// Maximum number of characters of a name.
const MAX_NAME: usize = 30;
/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 255;

/// The requested attributes of a status. Unset ones stay as they are, or have the default of a new
/// status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusChange {
    /// The name.
    pub name: Patch<String>,
    /// Whether issues in the status are closed.
    pub is_closed: Patch<bool>,
    /// The done ratio in per cent.
    pub default_done_ratio: Patch<i64>,
    /// The description.
    pub description: Patch<String>,
    /// The position in the list, from 1.
    pub position: Patch<i64>,
}

impl StatusChange {
    /// Returns the status after the change, except for its position.
    pub(super) fn apply_to(&self, before: &Status) -> Status {
        Status {
            name: apply_name(&self.name, &before.name),
            is_closed: self
                .is_closed
                .apply_to(Some(before.is_closed))
                .unwrap_or(false),
            default_done_ratio: self.default_done_ratio.apply_to(before.default_done_ratio),
            description: self.description.apply_to(before.description.clone()),
            ..before.clone()
        }
    }

    /// Validates the status after the change.
    pub(super) fn validate(
        &self,
        catalogue: &Catalogue,
        status: &Status,
    ) -> Result<(), ActionError> {
        let mut errors = ValidationErrors::new();
        let siblings = catalogue
            .statuses
            .iter()
            .filter(|sibling| sibling.id != status.id);
        validate_name(
            &mut errors,
            &status.name,
            MAX_NAME,
            siblings.map(|sibling| sibling.name.as_str()),
        );
        if status
            .default_done_ratio
            .is_some_and(|ratio| !(0..=100).contains(&ratio))
        {
            errors.add("Default done ratio", "must be a whole number from 0 to 100");
        }
        errors.limit_text(
            "Description",
            status.description.as_deref().unwrap_or_default(),
            MAX_DESCRIPTION,
        );
        validate_position(&mut errors, &self.position);
        errors.into_result().map_err(ActionError::Invalid)
    }

    /// Stores the status and its position.
    pub(super) fn save(
        &self,
        db: &mut Write<'_>,
        catalogue: &Catalogue,
        status: &Status,
    ) -> Result<(), StoreError> {
        issue_statuses::update(db, status)?;
        if let Some(position) = self.position.value() {
            let mut order: Vec<i64> = catalogue
                .statuses
                .iter()
                .map(|status| status.id.0)
                .collect();
            move_to(&mut order, status.id.0, *position);
            positions::update(db, "issue_statuses", &order)?;
        }
        Ok(())
    }
}
