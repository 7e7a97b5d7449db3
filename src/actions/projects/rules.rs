//! What creating and changing a project have in common: what becomes of it, and whether that will do (contract 6).

use crate::actions::Refused;
use crate::actions::issues::assignable;
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, Format, Values};
use crate::domain::given::Given;
use crate::domain::ids::{CustomFieldId, PrincipalId, ProjectId, UserId, VersionId};
use crate::domain::permission::Permission;
use crate::domain::project::{Project, ProjectChange, ProjectStatus, modules_named};
use crate::domain::role::Role;
use crate::domain::setting::Setting;
use crate::domain::user::UserStatus;
use crate::domain::validation::Complaints;
use crate::domain::viewer::Viewer;

/// The role that people get in projects that they make: the one of the setting, or the first that can be given.
pub(super) fn creator_role(catalogue: &Catalogue) -> Option<&Role> {
    let wanted = catalogue.number(Setting::NewProjectUserRoleId);
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

/// What the project becomes. The identifier stays (contract 6), and so does a parent that the viewer cannot see when none is asked
/// for: to this viewer there is none.
///
/// # Errors
/// `NotFound` when a tracker is not there.
pub(super) fn applied(
    catalogue: &Catalogue,
    viewer: &Viewer,
    before: &Project,
    asked: &ProjectChange,
    may: &May,
) -> Result<Project, Refused> {
    let mut after = before.clone();
    if asked.name.is_mentioned() {
        after.name = asked.name.value().cloned().unwrap_or_default();
    }
    if asked.homepage.is_mentioned() {
        after.homepage = asked.homepage.value().cloned().unwrap_or_default();
    }
    after.description = asked.description.over(after.description);
    if asked.parent != Given::Empty || before.parent.is_some_and(|parent| viewer.rights(parent).is_some()) {
        after.parent = asked.parent.over(after.parent);
    }
    after.default_version = asked.default_version.over(after.default_version);
    after.default_assignee = asked.default_assignee.over(after.default_assignee);
    if let Some(public) = asked.is_public.value().filter(|_| may.publicity) {
        after.is_public = *public;
    }
    // The members above can be brought in only by somebody who knows what is above.
    let knows_above = after.parent.is_none_or(|parent| viewer.rights(parent).is_some());
    if let Some(inherit) = asked.inherit_members.value().filter(|inherit| knows_above || !**inherit) {
        after.inherit_members = *inherit;
    }
    if let Some(wanted) = asked.trackers.value() {
        if wanted.iter().any(|id| catalogue.tracker(*id).is_none()) {
            return Err(Refused::NotFound);
        }
        after.trackers = catalogue.trackers.iter().map(|tracker| tracker.id).filter(|id| wanted.contains(id)).collect();
    }
    if let Some(names) = asked.modules.value().filter(|_| may.modules) {
        after.modules = modules_named(names.iter().map(String::as_str));
    }
    Ok(after)
}

/// Adds what is wrong with the description and with what the project refers to, as far as that is new. What the viewer cannot see is wrong even when it is
/// what it was: the answer tells nobody.
pub(super) fn judge(
    catalogue: &Catalogue,
    viewer: &Viewer,
    (before, after): (&Project, &Project),
    asked: &ProjectChange,
    complaints: &mut Complaints,
) {
    if after.description != before.description {
        complaints.limit_text("Description", after.description.as_deref().unwrap_or_default(), catalogue.max_text_length());
    }
    let guessed = asked.parent.value().is_some_and(|parent| viewer.rights(*parent).is_none());
    if guessed || (after.parent != before.parent && !may_be_below(catalogue, viewer, before, after.parent)) {
        complaints.add("Subproject of", "is invalid");
    }
    if asked.default_version.value().is_some_and(|id| !is_version_known(catalogue, viewer, after.id, *id)) {
        complaints.add("Default version", "is not included in the list");
    }
    let assignee = after.default_assignee.filter(|_| after.default_assignee != before.default_assignee);
    if assignee.is_some_and(|id| !is_assignee_known(catalogue, viewer, after.id, id)) {
        complaints.add("Default assignee", "is invalid");
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
    catalogue.versions.get(&version).is_some_and(|found| seen(found) || found.is_shared_with(project, catalogue))
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
pub(super) fn judge_values(
    catalogue: &Catalogue,
    project: ProjectId,
    fields: &[&CustomField],
    (before, after): (Option<&Values>, &Values),
    complaints: &mut Complaints,
) {
    for field in fields {
        let known = |id: i64| match field.format {
            Format::User => catalogue.users.get(&UserId(id)).is_some_and(|user| user.status == UserStatus::Active),
            _ => catalogue.versions.get(&VersionId(id)).is_some_and(|version| version.is_shared_with(project, catalogue)),
        };
        let old = before.and_then(|before| before.of(field.id)).unwrap_or_default();
        let new = after.of(field.id).unwrap_or_default();
        if let Some(complaint) = field.complaint_within(new, old, catalogue.max_text_length(), known) {
            complaints.add(&field.name, &complaint);
        }
    }
}

/// The custom fields of its issues, beside those that are in every project, before and after. What the viewer may not see stays as
/// it is.
///
/// # Errors
/// `NotFound` when there is no such field for this viewer.
pub(super) fn issue_fields(
    catalogue: &Catalogue,
    viewer: &Viewer,
    project: ProjectId,
    asked: &Given<Vec<CustomFieldId>>,
) -> Result<Option<Vec<CustomFieldId>>, Refused> {
    let Some(wanted) = asked.value() else { return Ok(None) };
    let local = || catalogue.custom_fields_of(Customized::Issue).filter(|field| !field.everywhere);
    let seen = |field: &&CustomField| field.is_visible_to(viewer, project);
    let every = || catalogue.custom_fields_of(Customized::Issue).filter(seen);
    if wanted.iter().any(|id| every().all(|field| field.id != *id)) {
        return Err(Refused::NotFound);
    }
    let before: Vec<CustomFieldId> = local().filter(|field| field.projects.contains(&project)).map(|field| field.id).collect();
    let stays = |field: &&CustomField| if seen(field) { wanted.contains(&field.id) } else { before.contains(&field.id) };
    let after: Vec<CustomFieldId> = local().filter(stays).map(|field| field.id).collect();
    Ok((after != before).then_some(after))
}
