//! What creating and changing a project have in common: what becomes of it, and whether that will do (compatibility 8).

use crate::actions::ActionError;
use crate::actions::issues::assignable;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Format, Values};
use crate::domain::ids::{CustomFieldId, PrincipalId, ProjectId, UserId, VersionId};
use crate::domain::patch::Patch;
use crate::domain::permission::Permission;
use crate::domain::project::{Project, ProjectChange, ProjectStatus, modules_by_name};
use crate::domain::role::Role;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;

/// The role that people get in projects that they make: the one of the setting, or the first that can be given.
pub(super) fn creator_role(catalogue: &Catalogue) -> Option<&Role> {
    let wanted = catalogue.integer_setting(Setting::NewProjectUserRoleId);
    let mut given = catalogue.roles.iter().filter(|role| role.builtin.is_none());
    given.clone().find(|role| role.id.0 == wanted).or_else(|| given.next())
}

/// Which of the attributes the viewer may set that need a permission of their own.
pub(super) struct May {
    /// Whether the project is public.
    pub publicity: bool,
    /// Its modules.
    pub modules: bool,
}

/// Returns the project after the change. The identifier stays (compatibility 8), and so does a hidden parent when no parent is requested
/// for: to this viewer there is none.
///
/// # Errors
/// `NotFound` when a tracker is not there.
pub(super) fn applied(
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: &Project,
    change: &ProjectChange,
    may: &May,
) -> Result<Project, ActionError> {
    let mut after = before.clone();
    if change.name.is_present() {
        after.name = change.name.value().cloned().unwrap_or_default();
    }
    if change.homepage.is_present() {
        after.homepage = change.homepage.value().cloned().unwrap_or_default();
    }
    after.description = change.description.apply_to(after.description);
    if change.parent != Patch::Clear || before.parent.is_some_and(|parent| viewer.rights(parent).is_some()) {
        after.parent = change.parent.apply_to(after.parent);
    }
    after.default_version = change.default_version.apply_to(after.default_version);
    after.default_assignee = change.default_assignee.apply_to(after.default_assignee);
    if let Some(public) = change.is_public.value().filter(|_| may.publicity) {
        after.is_public = *public;
    }
    // The members above can be brought in only by somebody who knows what is above.
    let knows_above = after.parent.is_none_or(|parent| viewer.rights(parent).is_some());
    if let Some(inherit) = change.inherit_members.value().filter(|inherit| knows_above || !**inherit) {
        after.inherit_members = *inherit;
    }
    if let Some(wanted) = change.trackers.value() {
        if wanted.iter().any(|id| catalogue.tracker(*id).is_none()) {
            return Err(ActionError::NotFound);
        }
        after.trackers = catalogue.trackers.iter().map(|tracker| tracker.id).filter(|id| wanted.contains(id)).collect();
    }
    if let Some(names) = change.modules.value().filter(|_| may.modules) {
        after.modules = modules_by_name(names.iter().map(String::as_str));
    }
    Ok(after)
}

/// Adds what is wrong with the description and with what the project refers to, as far as that is new. What the viewer cannot see is wrong even when it is
/// what it was: the answer tells nobody.
pub(super) fn validate(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (before, after): (&Project, &Project),
    change: &ProjectChange,
    errors: &mut ValidationErrors,
) {
    if after.description != before.description {
        errors.limit_text("Description", after.description.as_deref().unwrap_or_default(), catalogue.max_text_length());
    }
    let guessed = change.parent.value().is_some_and(|parent| viewer.rights(*parent).is_none());
    if guessed || (after.parent != before.parent && !may_be_below(catalogue, viewer, before, after.parent)) {
        errors.add("Subproject of", "is invalid");
    }
    if change.default_version.value().is_some_and(|id| !is_version_known(catalogue, viewer, after.id, *id)) {
        errors.add("Default version", "is not included in the list");
    }
    let assignee = after.default_assignee.filter(|_| after.default_assignee != before.default_assignee);
    if assignee.is_some_and(|id| !is_assignee_known(catalogue, viewer, after.id, id)) {
        errors.add("Default assignee", "is invalid");
    }
}

/// Whether the viewer may put the project there: at the top with the right to add projects, else below an active project in which
/// the viewer may add some, and which is not itself below the project.
fn may_be_below(catalogue: &Catalogue, viewer: &Viewer, project: &Project, parent: Option<ProjectId>) -> bool {
    let Some(parent) = parent else { return viewer.may_somewhere(Permission::AddProject) };
    let active = catalogue.projects.get(&parent).is_some_and(|found| found.status == ProjectStatus::Active);
    let above = parent == project.id || catalogue.ancestors(parent).contains(&project.id);
    active && !above && viewer.may(Permission::AddSubprojects, parent)
}

fn is_version_known(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId, version: VersionId) -> bool {
    let seen = |found: &crate::domain::version::Version| viewer.rights(found.project).is_some();
    catalogue.versions.get(&version).is_some_and(|found| seen(found) || catalogue.is_shared_with(found, project))
}

/// Administrators may name anybody who is active, others those to whom issues of the project can be assigned.
fn is_assignee_known(catalogue: &Catalogue, viewer: &Viewer, project: ProjectId, principal: PrincipalId) -> bool {
    let active = match catalogue.users.get(&UserId(principal.0)) {
        Some(user) => user.status == UserStatus::Active,
        None => catalogue.groups.contains_key(&principal) && catalogue.is_on(Setting::IssueGroupAssignment),
    };
    active
        && (viewer.admin
            || viewer.user.is_some_and(|user| principal == user.into())
            || assignable::in_project(catalogue, project, principal))
}

/// The project's own custom fields that the viewer may set. `role` is what the viewer is to be in a project that is not there yet.
pub(super) fn fields<'c>(catalogue: &'c Catalogue, viewer: &Viewer, project: ProjectId, role: Option<&Role>) -> Vec<&'c CustomField> {
    let visible = |field: &CustomField| field.is_visible_to(viewer, project) || role.is_some_and(|role| field.roles.contains(&role.id));
    catalogue.custom_fields_of(Customized::Project).filter(|field| visible(field) && (field.editable || viewer.admin)).collect()
}

/// Adds what is wrong with the values of these fields.
pub(super) fn validate_values(
    catalogue: &Catalogue,
    project: ProjectId,
    fields: &[&CustomField],
    (before, after): (Option<&Values>, &Values),
    errors: &mut ValidationErrors,
) {
    for field in fields {
        let known = |id: i64| match field.format {
            Format::User => catalogue.users.get(&UserId(id)).is_some_and(|user| user.status == UserStatus::Active),
            _ => catalogue.versions.get(&VersionId(id)).is_some_and(|version| catalogue.is_shared_with(version, project)),
        };
        let old = before.and_then(|before| before.get(field.id)).unwrap_or_default();
        let new = after.get(field.id).unwrap_or_default();
        if let Some(complaint) = field.validate_update(new, old, catalogue.max_text_length(), known) {
            errors.add(&field.name, &complaint);
        }
    }
}

/// The custom fields of its issues, except those that are in every project, before and after. What the viewer may not see stays as
/// it is.
///
/// # Errors
/// `NotFound` when there is no such field for this viewer.
pub(super) fn issue_fields(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    change: &Patch<Vec<CustomFieldId>>,
) -> Result<Option<Vec<CustomFieldId>>, ActionError> {
    let Some(wanted) = change.value() else { return Ok(None) };
    let local = || catalogue.custom_fields_of(Customized::Issue).filter(|field| !field.is_for_all);
    let seen = |field: &&CustomField| field.is_visible_to(viewer, project);
    let every = || catalogue.custom_fields_of(Customized::Issue).filter(seen);
    if wanted.iter().any(|id| every().all(|field| field.id != *id)) {
        return Err(ActionError::NotFound);
    }
    let before: Vec<CustomFieldId> = local().filter(|field| field.projects.contains(&project)).map(|field| field.id).collect();
    let stays = |field: &&CustomField| if seen(field) { wanted.contains(&field.id) } else { before.contains(&field.id) };
    let after: Vec<CustomFieldId> = local().filter(stays).map(|field| field.id).collect();
    Ok((after != before).then_some(after))
}
