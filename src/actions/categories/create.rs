//! Making a category (compatibility 6.8).

use crate::actions::ActionError;
use crate::actions::issues::assignable;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{CategoryId, PrincipalId, ProjectId};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::validation::ValidationErrors;
use crate::domain::version::{Category, MAX_CATEGORY_NAME_LENGTH};
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// What a request wants of a category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CategoryChange {
    /// Its name.
    pub name: Patch<String>,
    /// Who gets the issues that are put there; a principal to whom issues cannot be assigned counts as not given.
    pub assignee: Patch<PrincipalId>,
}

impl CategoryChange {
    /// Returns the category after the change.
    pub(super) fn apply_to(&self, catalogue: &Catalogue, before: &Category) -> Category {
        let mut after = before.clone();
        if self.name.is_present() {
            after.name = self.name.value().cloned().unwrap_or_default();
        }
        match &self.assignee {
            Patch::Set(assignee) if !assignable::in_project(catalogue, before.project, *assignee) => {}
            assignee => after.assignee = assignee.apply_to(before.assignee),
        }
        after
    }
}

/// Adds a category to the project; as it is kept.
///
/// # Errors
/// `Forbidden` when the viewer may not manage the categories of the project; `Invalid` when the name is blank, too long or taken.
pub fn create(db: &mut Write<'_>, viewer: &Viewer, project: ProjectId, change: &CategoryChange) -> Result<Category, ActionError> {
    if !viewer.may(Permission::ManageCategories, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let draft = change.apply_to(&catalogue, &Category { id: CategoryId(0), project, name: String::new(), assignee: None });
    validate(&catalogue, &draft)?;
    Ok(Category { id: categories::insert(db, project, &draft.name, draft.assignee)?, ..draft })
}

/// What is wrong with the category, in Redmine's words.
pub(super) fn validate(catalogue: &Catalogue, category: &Category) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    errors.require_text("Name", &category.name, MAX_CATEGORY_NAME_LENGTH);
    let mut others = catalogue.categories.values().filter(|other| other.project == category.project && other.id != category.id);
    if others.any(|other| other.name == category.name) {
        errors.add("Name", "has already been taken");
    }
    errors.into_result().map_err(ActionError::Invalid)
}
