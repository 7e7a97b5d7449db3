//! Memberships of projects (compatibility 11.7).
//!
//! Invariants: a viewer gives and takes only roles that they may manage. Inherited roles change
//! where they come from only.

mod candidates;
mod create;
mod delete;
mod find;
mod update;

pub use candidates::{Candidates, candidates};
pub use create::{NewMemberships, create};
pub use delete::{delete, deletion_refusal};
pub use find::{find, find_managed, list};
pub use update::update;

use crate::domain::audit::AuditEvent;
use crate::domain::catalogue::Catalogue;
use crate::domain::ids::{MembershipId, PrincipalId, ProjectId, RoleId};
use crate::domain::validation::ValidationErrors;

/// Adds an error unless these are ordinary roles.
fn check_roles(catalogue: &Catalogue, errors: &mut ValidationErrors, roles: &[RoleId]) {
    let is_ordinary = |id: &RoleId| {
        catalogue
            .role(*id)
            .is_some_and(|role| role.builtin.is_none())
    };
    if roles.iter().any(is_ordinary) && !roles.iter().all(is_ordinary) {
        errors.add("Role", "is invalid");
    }
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
    AuditEvent::new("membership", id, change)
        .with_name(name)
        .in_project(catalogue.projects.get(&project))
        .with_details(names.join(", "))
}
