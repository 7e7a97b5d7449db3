//! Memberships of projects (compatibility 11.7).
//!
//! Invariants: a viewer gives and takes only roles that they may manage. Inherited roles change where they come from only.

mod create;
mod delete;
mod find;
mod update;

pub use create::{NewMemberships, create};
pub use delete::delete;
pub use find::{find, find_managed, list};
pub use update::update;

use crate::domain::catalogue::Catalogue;
use crate::domain::ids::RoleId;
use crate::domain::validation::ValidationErrors;

/// Adds an error unless these are ordinary roles.
fn check_roles(catalogue: &Catalogue, errors: &mut ValidationErrors, roles: &[RoleId]) {
    let is_ordinary = |id: &RoleId| catalogue.role(*id).is_some_and(|role| role.builtin.is_none());
    if roles.iter().any(is_ordinary) && !roles.iter().all(is_ordinary) {
        errors.add("Role", "is invalid");
    }
}
