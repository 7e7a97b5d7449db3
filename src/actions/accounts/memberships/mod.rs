//! Memberships of projects (compatibility 11.7).
//!
//! Invariants: a viewer gives and takes only roles that they may manage. Inherited roles are
//! changed only where they come from.

mod candidates;
mod copy;
mod default_role;

pub use candidates::{Candidates, candidates};
pub(crate) use candidates::{MAX_WORDS, has_words};
pub use copy::{copy, copy_to_new_project};
pub use default_role::default_role;

use crate::prelude::*;
use candidates::PossibleMembers;
use quarry_domain::access::membership::{Membership, managed_roles};
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::setting::Setting;
use quarry_domain::ids::{MembershipId, PrincipalId, RoleId};
use quarry_store::accounts::memberships;
use std::sync::Arc;

/// Adds an error unless these are ordinary roles.
fn check_roles(catalogue: &Catalogue, errors: &mut ValidationErrors, roles: &[RoleId]) {
    if roles.iter().any(|id| is_ordinary(catalogue, *id))
        && !roles.iter().all(|id| is_ordinary(catalogue, *id))
    {
        errors.add("role_ids", "Role", "is invalid");
    }
}

/// Whether the role can be given to members.
fn is_ordinary(catalogue: &Catalogue, role: RoleId) -> bool {
    catalogue
        .role(role)
        .is_some_and(|role| role.builtin.is_none())
}

/// Returns the audit event of a change of a membership, with its roles; those of a deleted
/// membership are the last ones.
fn event(
    catalogue: &Catalogue,
    (id, project, principal): (MembershipId, ProjectId, PrincipalId),
    change: &'static str,
    roles: &[RoleId],
) -> AuditEvent {
    let names: Vec<&str> = roles
        .iter()
        .filter_map(|role| Some(catalogue.role(*role)?.name.as_str()))
        .collect();
    let name = catalogue.principal_name(principal).unwrap_or_default();
    AuditEvent::new(RecordType::Membership, id, change)
        .with_name(name)
        .of_principal(principal)
        .in_project(catalogue.projects.get(&project))
        .with_details(names.join(", "))
}

/// Returns the memberships of a project by id.
///
/// # Errors
/// `Forbidden` if the viewer cannot see the project.
pub fn list(
    db: &Read<'_>,
    viewer: &Viewer,
    project: ProjectId,
) -> Result<Vec<Membership>, ActionError> {
    if !viewer.may(Permission::ViewMembers, project) {
        return Err(ActionError::Forbidden);
    }
    let mut listed = memberships::list_by_project(db, project)?;
    listed.retain(|membership| is_shown(db.catalogue(), viewer, membership));
    Ok(listed)
}

/// Returns the membership with this id.
///
/// # Errors
/// `Forbidden` if the viewer cannot see its project.
pub fn find(db: &Read<'_>, viewer: &Viewer, id: MembershipId) -> Result<Membership, ActionError> {
    let membership = memberships::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !viewer.may(Permission::ViewMembers, membership.project) {
        return Err(ActionError::Forbidden);
    }
    if is_shown(db.catalogue(), viewer, &membership) {
        Ok(membership)
    } else {
        Err(ActionError::NotFound)
    }
}

/// Whether a membership of a visible project is shown. Only viewers who manage members see those of
/// users who cannot log in, unless the compatibility switch is on (compatibility 1.2).
fn is_shown(catalogue: &Catalogue, viewer: &Viewer, membership: &Membership) -> bool {
    let user = catalogue.users.get(&UserId(membership.principal.0));
    let manages_members =
        || viewer.admin || viewer.may(Permission::ManageMembers, membership.project);
    user.is_none_or(|user| user.status == UserStatus::Active)
        || manages_members()
        || catalogue.is_on(Setting::RedmineCompatibility)
}

/// Returns the membership if the viewer may manage the members of its project.
pub fn find_managed(
    db: &Read<'_>,
    viewer: &Viewer,
    id: MembershipId,
) -> Result<Membership, ActionError> {
    let membership = memberships::find(db, id)?.ok_or(ActionError::NotFound)?;
    if viewer.may(Permission::ManageMembers, membership.project) {
        Ok(membership)
    } else {
        Err(ActionError::Forbidden)
    }
}

/// The memberships in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewMemberships {
    /// The users and groups.
    pub principals: Vec<PrincipalId>,
    /// The roles of each. Those that the viewer may not give are ignored.
    pub roles: Vec<RoleId>,
}

/// Makes users and groups members of the project, all or none. Returns the id of the membership of
/// the first one.
///
/// # Errors
/// `Invalid` for a principal that does not exist, is hidden from the viewer or is a member already,
/// and for roles that do not exist or that the viewer may not give.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    new: &NewMemberships,
) -> Result<MembershipId, ActionError> {
    if !viewer.may(Permission::ManageMembers, project) {
        return Err(ActionError::Forbidden);
    }
    let catalogue = Arc::clone(db.catalogue());
    let managed = managed_roles(&catalogue, viewer, project);
    let roles: Vec<RoleId> = new
        .roles
        .iter()
        .copied()
        .filter(|role| managed.contains(role))
        .collect();
    let existing = memberships::list_by_project(db, project)?;
    let mut principals: Vec<PrincipalId> = Vec::new();
    for principal in &new.principals {
        if !principals.contains(principal) {
            principals.push(*principal);
        }
    }
    let mut errors = ValidationErrors::new();
    let possible = PossibleMembers::new(&catalogue, viewer);
    if principals.is_empty()
        || !principals
            .iter()
            .all(|principal| possible.contains(*principal))
    {
        errors.add("user_ids", "Principal", "cannot be blank");
    } else if existing
        .iter()
        .any(|membership| principals.contains(&membership.principal))
    {
        errors.add("user_id", "User", "has already been taken");
    }
    check_roles(&catalogue, &mut errors, &new.roles);
    if roles.is_empty() {
        errors.add("role_ids", "Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let created_on = db.now();
    let ids = memberships::insert_all(db, project, &principals, &roles, created_on)?;
    for (id, principal) in ids.iter().zip(&principals) {
        db.audit(event(
            &catalogue,
            (*id, project, *principal),
            "created",
            &roles,
        ));
    }
    ids.first().copied().ok_or(ActionError::NotFound)
}

/// Fails unless these are ordinary roles, at least one.
///
/// # Errors
/// `Invalid` with the messages of [`create`].
pub fn check_new_roles(db: &Read<'_>, roles: &[RoleId]) -> Result<(), ActionError> {
    let mut errors = ValidationErrors::new();
    if !roles.iter().all(|role| is_ordinary(db.catalogue(), *role)) {
        errors.add("role_ids", "Role", "is invalid");
    } else if roles.is_empty() {
        errors.add("role_ids", "Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)
}

/// Makes a user whom the transaction has created a member of the project.
///
/// # Errors
/// `Forbidden` if the viewer may not manage the members of the project, or not give one of the
/// roles.
pub fn create_for_new_user(
    db: &mut Write<'_>,
    viewer: &Viewer,
    project: ProjectId,
    user: UserId,
    roles: &[RoleId],
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let managed = managed_roles(&catalogue, viewer, project);
    if !viewer.may(Permission::ManageMembers, project)
        || !roles.iter().all(|role| managed.contains(role))
    {
        return Err(ActionError::Forbidden);
    }
    check_new_roles(db, roles)?;
    let created_on = db.now();
    let id = memberships::insert(db, project, user.into(), roles, created_on)?;
    db.audit(event(
        &catalogue,
        (id, project, user.into()),
        "created",
        roles,
    ));
    Ok(())
}

/// Replaces the roles of a membership. Inherited roles stay, and those that the viewer may not
/// manage.
///
/// # Errors
/// `Invalid` for roles that do not exist, or when none would be left.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: MembershipId,
    roles: &[RoleId],
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let membership = find_managed(db, viewer, id)?;
    let managed = managed_roles(&catalogue, viewer, membership.project);
    let inherited: Vec<RoleId> = membership
        .roles
        .iter()
        .filter(|(_, inherited)| *inherited)
        .map(|(role, _)| *role)
        .collect();
    let mut own: Vec<RoleId> = membership
        .own_roles()
        .filter(|role| !managed.contains(role))
        .collect();
    own.extend(
        roles
            .iter()
            .filter(|role| managed.contains(role) && !inherited.contains(role)),
    );
    let mut errors = ValidationErrors::new();
    check_roles(&catalogue, &mut errors, roles);
    if own.is_empty() && inherited.is_empty() {
        errors.add("role_ids", "Role", "cannot be empty");
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    let present: Vec<RoleId> = inherited.iter().chain(&own).copied().collect();
    db.audit(event(
        &catalogue,
        (id, membership.project, membership.principal),
        "updated",
        &present,
    ));
    Ok(memberships::set_roles(db, id, &own)?)
}

/// Deletes a membership, and those that inherit from it.
///
/// # Errors
/// `Invalid` with the [`deletion_refusal`].
pub fn delete(db: &mut Write<'_>, viewer: &Viewer, id: MembershipId) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let membership = find_managed(db, viewer, id)?;
    match deletion_refusal(
        &membership,
        &managed_roles(&catalogue, viewer, membership.project),
    ) {
        Some(message) => Err(ActionError::invalid(message)),
        None => {
            let roles: Vec<RoleId> = membership.own_roles().collect();
            db.audit(event(
                &catalogue,
                (id, membership.project, membership.principal),
                "deleted",
                &roles,
            ));
            Ok(memberships::set_roles(db, id, &[])?)
        }
    }
}

/// Returns why a viewer who may manage these roles cannot delete the membership: it is inherited,
/// or has another role.
pub fn deletion_refusal(membership: &Membership, managed: &[RoleId]) -> Option<&'static str> {
    if membership.is_inherited() {
        Some("The membership is inherited from a group or from the parent project; remove it there")
    } else if membership.own_roles().any(|role| !managed.contains(&role)) {
        Some("The membership has a role that you may not manage")
    } else {
        None
    }
}
