//! Making a category (contract 4.8).

use crate::actions::Refused;
use crate::actions::issues::assignable;
use crate::domain::catalogue::Catalogue;
use crate::domain::given::Given;
use crate::domain::ids::{CategoryId, PrincipalId, ProjectId};
use crate::domain::permission::Permission;
use crate::domain::validation::Complaints;
use crate::domain::version::{Category, LONGEST_CATEGORY};
use crate::domain::viewer::Viewer;
use crate::store::{Write, categories};
use std::sync::Arc;

/// What a request wants of a category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CategoryChange {
    /// Its name.
    pub name: Given<String>,
    /// Who gets the issues that are put there; somebody to whom issues cannot be assigned counts as not said.
    pub assignee: Given<PrincipalId>,
}

impl CategoryChange {
    /// The category as it is asked for.
    pub(super) fn over(&self, catalogue: &Catalogue, before: &Category) -> Category {
        let mut after = before.clone();
        if self.name.is_mentioned() {
            after.name = self.name.value().cloned().unwrap_or_default();
        }
        match &self.assignee {
            Given::Value(assignee) if !assignable::in_project(catalogue, before.project, *assignee) => {}
            assignee => after.assignee = assignee.over(before.assignee),
        }
        after
    }
}

/// Adds a category to the project; as it is kept.
///
/// # Errors
/// `Forbidden` when the viewer may not manage the categories of the project; `Invalid` when the name is blank, too long or taken.
pub fn create(db: &mut Write<'_>, viewer: &Viewer, project: ProjectId, asked: &CategoryChange) -> Result<Category, Refused> {
    if !viewer.may(Permission::ManageCategories, project) {
        return Err(Refused::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let draft = asked.over(&catalogue, &Category { id: CategoryId(0), project, name: String::new(), assignee: None });
    judge(&catalogue, &draft)?;
    Ok(Category { id: categories::insert(db, project, &draft.name, draft.assignee)?, ..draft })
}

/// What is wrong with the category, in Redmine's words.
pub(super) fn judge(catalogue: &Catalogue, category: &Category) -> Result<(), Refused> {
    let mut complaints = Complaints::new();
    complaints.require_text("Name", &category.name, LONGEST_CATEGORY);
    let mut others = catalogue.categories.values().filter(|other| other.project == category.project && other.id != category.id);
    if others.any(|other| other.name == category.name) {
        complaints.add("Name", "has already been taken");
    }
    complaints.into_result().map_err(Refused::Invalid)
}
