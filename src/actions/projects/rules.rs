//! Rules for creating and updating projects (compatibility 8).

use crate::administration::custom_values;
use crate::issues::assignable;
use crate::prelude::*;
use quarry_domain::access::role::Role;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::{CustomField, Customized, Values};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{CustomFieldId, PrincipalId, VersionId};
use quarry_domain::projects::project::{Project, ProjectChange, ProjectStatus, modules_by_name};
use quarry_domain::query::saved::QueryKind;
use quarry_store::lists::queries;

/// Returns the role that users get in the projects they create: that of the setting, or the first
/// assignable one.
pub(crate) fn creator_role(catalogue: &Catalogue) -> Option<&Role> {
    let id = catalogue.integer_setting(Setting::NewProjectUserRoleId);
    let mut roles = catalogue.roles.iter().filter(|role| role.builtin.is_none());
    roles
        .clone()
        .find(|role| role.id.0 == id)
        .or_else(|| roles.next())
}

/// The attributes with a permission of their own that the viewer may set.
pub(super) struct SettableAttributes {
    /// Whether the viewer may set whether the project is public.
    pub publicity: bool,
    /// Whether the viewer may set its modules.
    pub modules: bool,
}

/// Returns the project after the change. Keeps the identifier (compatibility 8), and a hidden
/// parent if the parent is cleared.
///
/// # Errors
/// `NotFound` if a tracker does not exist.
pub(super) fn apply(
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: &Project,
    change: &ProjectChange,
    settable: &SettableAttributes,
) -> Result<Project, ActionError> {
    let mut after = before.clone();
    if change.name.is_present() {
        after.name = change.name.value().cloned().unwrap_or_default();
    }
    after.homepage = change.homepage.apply_to(after.homepage);
    let description = change.description.apply_to(after.description.clone());
    // Between null and an empty text there is no change.
    if before.id == ProjectId(0)
        || !is_empty(before.description.as_deref())
        || !is_empty(description.as_deref())
    {
        after.description = description;
    }
    if change.parent != Patch::Clear || before.parent.is_some_and(|parent| viewer.sees(parent)) {
        after.parent = change.parent.apply_to(after.parent);
    }
    after.default_version = change.default_version.apply_to(after.default_version);
    after.default_assignee = change.default_assignee.apply_to(after.default_assignee);
    after.default_query = change.default_query.apply_to(after.default_query);
    if let Some(public) = change.is_public.value().filter(|_| settable.publicity) {
        after.is_public = *public;
    }
    // Only a viewer who can see the parent can let the project inherit its members.
    let sees_parent = after.parent.is_none_or(|parent| viewer.sees(parent));
    if let Some(inherit) = change
        .inherit_members
        .value()
        .filter(|inherit| sees_parent || !**inherit)
    {
        after.inherit_members = *inherit;
    }
    if let Some(trackers) = change.trackers.value() {
        if trackers.iter().any(|id| catalogue.tracker(*id).is_none()) {
            return Err(ActionError::NotFound);
        }
        after.trackers = catalogue
            .trackers
            .iter()
            .map(|tracker| tracker.id)
            .filter(|id| trackers.contains(id))
            .collect();
    }
    if let Some(names) = change.modules.value().filter(|_| settable.modules) {
        after.modules = modules_by_name(names.iter().map(String::as_str));
    }
    Ok(after)
}

fn is_empty(text: Option<&str>) -> bool {
    text.is_none_or(str::is_empty)
}

/// Adds the errors of changed attributes that need the catalogue. A hidden parent is an error even
/// if it is unchanged, so that the response reveals nothing.
pub(super) fn validate(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (before, after): (&Project, &Project),
    change: &ProjectChange,
    errors: &mut ValidationErrors,
) {
    errors.refuse_line_breaks("name", "Name", &after.name, Some(&before.name));
    if after.description != before.description {
        errors.limit_text(
            "description",
            "Description",
            after.description.as_deref().unwrap_or_default(),
            catalogue.max_text_length(),
        );
    }
    let is_hidden = change
        .parent
        .value()
        .is_some_and(|parent| !viewer.sees(*parent));
    let is_placed = before.id == ProjectId(0) || after.parent != before.parent;
    if is_hidden || (is_placed && !may_move_below(catalogue, viewer, before, after.parent)) {
        errors.add("parent_id", "Subproject of", "is invalid");
    }
    if change
        .default_version
        .value()
        .is_some_and(|id| !is_selectable_version(catalogue, viewer, after.id, *id))
    {
        errors.add(
            "default_version_id",
            "Default version",
            "is not included in the list",
        );
    }
    let assignee = after
        .default_assignee
        .filter(|_| after.default_assignee != before.default_assignee);
    if assignee.is_some_and(|id| !is_selectable_assignee(catalogue, viewer, after.id, id)) {
        errors.add("default_assigned_to_id", "Default assignee", "is invalid");
    }
}

/// Adds an error if the new default query is not a public one of the project or for all projects.
pub(super) fn validate_default_query(
    db: &Read<'_>,
    (before, after): (&Project, &Project),
    errors: &mut ValidationErrors,
) -> Result<(), StoreError> {
    let Some(id) = after
        .default_query
        .filter(|_| after.default_query != before.default_query)
    else {
        return Ok(());
    };
    if !queries::find(db, QueryKind::Issues, id)?
        .is_some_and(|query| query.can_be_default_of(after.id))
    {
        errors.add(
            "default_issue_query_id",
            "Default issue query",
            "is invalid",
        );
    }
    Ok(())
}

/// Whether the viewer may move the project below `parent`: at the top with the permission to add
/// projects, otherwise below an active project with the permission to add subprojects, but not
/// below itself.
fn may_move_below(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: &Project,
    parent: Option<ProjectId>,
) -> bool {
    let Some(parent) = parent else {
        return viewer.may_somewhere(Permission::AddProject);
    };
    let active = catalogue
        .projects
        .get(&parent)
        .is_some_and(|project| project.status == ProjectStatus::Active);
    let is_cycle = parent == project.id || catalogue.ancestors(parent).contains(&project.id);
    active && !is_cycle && viewer.may(Permission::AddSubprojects, parent)
}

fn is_selectable_version(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    version: VersionId,
) -> bool {
    catalogue.versions.get(&version).is_some_and(|version| {
        viewer.may(Permission::ViewIssues, version.project)
            || catalogue.is_shared_with(version, project)
    })
}

/// Whether the viewer may select the default assignee: administrators any active principal, others
/// those to whom issues of the project can be assigned.
fn is_selectable_assignee(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    principal: PrincipalId,
) -> bool {
    let active = match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => user.status == UserStatus::Active,
        None => {
            catalogue.groups.contains_key(&principal)
                && catalogue.is_on(Setting::IssueGroupAssignment)
        }
    };
    active
        && (viewer.admin
            || viewer.user.is_some_and(|user| principal == user.into())
            || assignable::in_project(catalogue, project, principal))
}

/// Returns the custom fields of the project that the viewer may set. In a new project nobody has a
/// role yet, so that fields that are limited to roles are for administrators.
pub(super) fn fields<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    project: ProjectId,
) -> Vec<&'c CustomField> {
    custom_values::settable_fields(catalogue, viewer, Customized::Project, project)
}

/// Adds the errors in the values of these fields.
pub(super) fn validate_values(
    catalogue: &Catalogue,
    project: ProjectId,
    fields: &[&CustomField],
    values: (&Values, &Values),
    errors: &mut ValidationErrors,
) {
    let is_selectable =
        |field: &_, id| custom_values::is_version_or_user(catalogue, project, field, id);
    custom_values::validate(
        catalogue,
        errors,
        fields.iter().copied(),
        values,
        is_selectable,
    );
}

/// Returns the new custom fields of the issues of the project, except those that every project has;
/// `None` if they do not change. Keeps fields that the viewer may not see.
///
/// # Errors
/// `NotFound` if one does not exist or is hidden from the viewer.
pub(super) fn issue_fields(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    change: &Patch<Vec<CustomFieldId>>,
) -> Result<Option<Vec<CustomFieldId>>, ActionError> {
    let Some(requested) = change.value() else {
        return Ok(None);
    };
    let local = || {
        catalogue
            .custom_fields_of(Customized::Issue)
            .filter(|field| !field.is_for_all)
    };
    let is_visible = |field: &&CustomField| field.is_visible_to(viewer, project);
    if requested.iter().any(|id| {
        catalogue
            .custom_fields_of(Customized::Issue)
            .filter(is_visible)
            .all(|field| field.id != *id)
    }) {
        return Err(ActionError::NotFound);
    }
    let before: Vec<CustomFieldId> = local()
        .filter(|field| field.projects.contains(&project))
        .map(|field| field.id)
        .collect();
    let after: Vec<CustomFieldId> = local()
        .filter(|field| {
            if is_visible(field) {
                requested.contains(&field.id)
            } else {
                before.contains(&field.id)
            }
        })
        .map(|field| field.id)
        .collect();
    Ok((after != before).then_some(after))
}
