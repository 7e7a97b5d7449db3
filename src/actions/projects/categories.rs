//! Issue categories.

use crate::issues::assignable;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{CategoryId, PrincipalId};
use quarry_domain::projects::category::{Category, MAX_CATEGORY_NAME_LENGTH};
use quarry_store::lists::queries;
use quarry_store::projects::categories;
use std::sync::Arc;

/// Returns the category if the viewer may manage the categories of its project (compatibility 6.8).
///
/// # Errors
/// `NotFound` if there is none; `Forbidden` if the viewer may not manage it.
pub fn find<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: CategoryId,
) -> Result<&'c Category, ActionError> {
    let category = catalogue.categories.get(&id).ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageCategories, category.project) {
        Ok(category)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// The attributes of a category in a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CategoryChange {
    pub name: Patch<String>,
    /// The default assignee; ignored unless it is active, and is assignable in the project or
    /// visible to the viewer.
    pub assignee: Patch<PrincipalId>,
}

impl CategoryChange {
    /// Returns the category after the change.
    fn apply_to(&self, catalogue: &Catalogue, viewer: &Viewer, before: &Category) -> Category {
        let mut after = before.clone();
        if self.name.is_present() {
            after.name = self.name.value().cloned().unwrap_or_default();
        }
        match &self.assignee {
            Patch::Set(assignee)
                if !can_be_default_assignee(catalogue, viewer, before.project, *assignee) => {}
            assignee => after.assignee = assignee.apply_to(before.assignee),
        }
        after
    }
}

impl Resource for Category {
    type Id = CategoryId;
    type Parent = ProjectId;
    type Change = CategoryChange;

    /// Creates a category in the project, and returns its id.
    ///
    /// # Errors
    /// `Invalid` if the name is blank, too long or taken.
    fn create(
        db: &mut Write<'_>,
        viewer: &Viewer,
        project: ProjectId,
        change: &CategoryChange,
    ) -> Result<CategoryId, ActionError> {
        if !viewer.may(Permission::ManageCategories, project) {
            return Err(ActionError::Forbidden);
        }
        let catalogue = Arc::clone(db.catalogue());
        let draft = change.apply_to(
            &catalogue,
            viewer,
            &Category {
                project,
                ..Category::default()
            },
        );
        validate(&catalogue, None, &draft)?;
        Ok(categories::insert(db, &draft)?)
    }

    /// Updates a category.
    fn update(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CategoryId,
        change: &CategoryChange,
    ) -> Result<(), ActionError> {
        let catalogue = Arc::clone(db.catalogue());
        let before = find(&catalogue, viewer, id)?;
        let after = change.apply_to(&catalogue, viewer, before);
        validate(&catalogue, Some(&before.name), &after)?;
        Ok(categories::update(db, &after)?)
    }

    /// Deletes a category. Its issues get the category `reassign_to` if that is another one of the
    /// same project, and so do filters of saved queries; otherwise none.
    fn delete(
        db: &mut Write<'_>,
        viewer: &Viewer,
        id: CategoryId,
        reassign_to: Option<CategoryId>,
    ) -> Result<(), ActionError> {
        let catalogue = Arc::clone(db.catalogue());
        let category = find(&catalogue, viewer, id)?;
        let replacement = reassign_to.filter(|reassign_to| {
            *reassign_to != id
                && catalogue
                    .categories
                    .get(reassign_to)
                    .is_some_and(|target| target.project == category.project)
        });
        if let Some(target) = replacement.map(|target| target.to_string()) {
            queries::replace_filter_value(db, "category_id", &id.to_string(), Some(&target))?;
        }
        Ok(categories::delete(db, id, replacement)?)
    }
}

/// Whether the user or group can be the default assignee, which need not be a member of the project
/// if the viewer can see it.
fn can_be_default_assignee(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    principal: PrincipalId,
) -> bool {
    let is_active = match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => user.status == UserStatus::Active,
        None => {
            catalogue.groups.contains_key(&principal)
                && catalogue.is_on(Setting::IssueGroupAssignment)
        }
    };
    is_active
        && (assignable::in_project(catalogue, project, principal)
            || visibility::can_see_principal(viewer, catalogue, principal))
}

/// Validates a category, with Redmine's messages.
fn validate(
    catalogue: &Catalogue,
    old_name: Option<&str>,
    category: &Category,
) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    errors.require_text("name", "Name", &category.name, MAX_CATEGORY_NAME_LENGTH);
    errors.refuse_line_breaks("name", "Name", &category.name, old_name);
    let mut siblings = catalogue
        .categories
        .values()
        .filter(|sibling| sibling.project == category.project && sibling.id != category.id);
    if siblings.any(|sibling| sibling.name == category.name) {
        errors.add("name", "Name", "has already been taken");
    }
    errors.into_result().map_err(ActionError::Invalid)
}
