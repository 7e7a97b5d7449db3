//! Changes of a group, and which of them are valid (compatibility 11.2).

use crate::actions::administration::{require_admin, validate_name};
use crate::actions::{ActionError, custom_values};
use crate::domain::catalogue::Catalogue;
use crate::domain::custom_field::{CustomField, Customized, RequestedValues, Values};
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::patch::Patch;
use crate::domain::user::Group;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;

/// Maximum number of characters of the name of a group.
const MAX_NAME: usize = 255;

/// The requested attributes of a group. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupChange {
    /// The name.
    pub name: Patch<String>,
    /// The users; replaces those that it has.
    pub users: Option<Vec<UserId>>,
    /// Whether its users need a second factor.
    pub requires_second_factor: Option<bool>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

impl GroupChange {
    /// Returns the name and the users after the change.
    pub(super) fn apply_to(&self, name: &str, users: &[UserId]) -> (String, Vec<UserId>) {
        let name = match &self.name {
            Patch::Unset => name.to_owned(),
            Patch::Clear => String::new(),
            Patch::Set(name) => name.trim().to_owned(),
        };
        let mut users = self.users.clone().unwrap_or_else(|| users.to_vec());
        users.sort_unstable();
        users.dedup();
        (name, users)
    }
}

/// Returns the group if the viewer may manage it.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `NotFound`; `Invalid` for a builtin group.
pub(super) fn find_managed<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    id: PrincipalId,
) -> Result<&'c Group, ActionError> {
    require_admin(viewer)?;
    let is_builtin = catalogue
        .builtin
        .get(&id)
        .is_some_and(|builtin| builtin.group_name().is_some());
    if is_builtin {
        return Err(ActionError::Invalid(vec![
            "Builtin groups cannot be changed or deleted".to_owned(),
        ]));
    }
    catalogue.groups.get(&id).ok_or(ActionError::NotFound)
}

/// Checks name, users and custom fields of a group; `id` is `None` for a new one. Returns the
/// values of custom fields after the change.
pub(super) fn validate(
    catalogue: &Catalogue,
    id: Option<PrincipalId>,
    (name, users): (&str, &[UserId]),
    (before, requested): (&Values, &RequestedValues),
) -> Result<Values, ActionError> {
    let mut errors = ValidationErrors::new();
    let siblings = catalogue
        .groups
        .values()
        .filter(|group| Some(group.id) != id);
    validate_name(
        &mut errors,
        name,
        MAX_NAME,
        siblings.map(|group| group.name.as_str()),
    );
    if !users.iter().all(|user| catalogue.users.contains_key(user)) {
        errors.add("Users", "is invalid");
    }
    let fields: Vec<&CustomField> = catalogue.custom_fields_of(Customized::Group).collect();
    let values = custom_values::apply_without_project(
        catalogue,
        &mut errors,
        &fields,
        before,
        requested,
        id.is_none(),
    );
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(values)
}

/// Returns the users that are in only one of the lists.
pub(super) fn symmetric_difference(before: &[UserId], after: &[UserId]) -> Vec<UserId> {
    let removed = before.iter().filter(|user| !after.contains(user));
    removed
        .chain(after.iter().filter(|user| !before.contains(user)))
        .copied()
        .collect()
}
