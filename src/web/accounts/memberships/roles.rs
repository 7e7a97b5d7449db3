//! The roles of members: as text, and as a row of a form.

use crate::components::form_field::{FieldKind, FormField, choice, typed};
use crate::prelude::*;
use quarry_domain::access::membership::Membership;
use quarry_domain::ids::RoleId;

const NO_ROLE: &str = "Choose at least one role from the list.";
const NO_PRINCIPAL: &str = "Choose users or groups from the list.";
const ALREADY_MEMBER: &str = "One of the chosen users or groups is already a member.";

/// The name of the roles in forms, as in the API.
const FIELD: &str = "membership[role_ids][]";

/// A role of a member.
pub struct RoleLabel {
    pub name: String,
    /// Whether it comes from a group or from the parent project.
    pub is_inherited: bool,
}

/// Returns the roles of a membership, in the order of all roles.
pub fn labels(catalogue: &Catalogue, membership: &Membership) -> Vec<RoleLabel> {
    let roles = catalogue.roles.iter().filter_map(|role| {
        let (_, is_inherited) = membership.roles.iter().find(|(id, _)| *id == role.id)?;
        Some(RoleLabel {
            name: role.name.clone(),
            is_inherited: *is_inherited,
        })
    });
    roles.collect()
}

/// Returns the row with the roles that the viewer may give. `current` are those that the member
/// has.
pub fn field(
    catalogue: &Catalogue,
    offered: &[RoleId],
    current: &[RoleId],
    form: &Input,
) -> FormField {
    let current: Vec<String> = current.iter().map(ToString::to_string).collect();
    let value = typed(form, FIELD).unwrap_or_else(|| current.join("\n"));
    let mut field = FormField::new(FieldKind::Checkboxes, FIELD, "Roles", value);
    let roles = catalogue
        .roles
        .iter()
        .filter(|role| offered.contains(&role.id));
    field.choices = roles.map(|role| choice(role.id, &role.name)).collect();
    field
}

/// Moves the errors of an action to the fields that they belong to, reworded for a form. Returns
/// the sentences of the others.
pub fn assign_errors(
    errors: ValidationErrors,
    roles: &mut FormField,
    mut principals: Option<&mut FormField>,
) -> Vec<String> {
    let mut others = Vec::new();
    for error in errors {
        match (error.attribute.as_deref(), principals.as_mut()) {
            (Some("role_ids"), _) => roles.error = Some(NO_ROLE.to_owned()),
            (Some("user_ids"), Some(field)) => field.error = Some(NO_PRINCIPAL.to_owned()),
            (Some("user_id"), Some(field)) => field.error = Some(ALREADY_MEMBER.to_owned()),
            _ => others.push(error.to_string()),
        }
    }
    others
}
