//! Groups, as administrators manage them (compatibility 11.2).
//!
//! Invariant: users of a group have its memberships, from the next request on.

use crate::accounts::memberships::{MAX_WORDS, has_words};
use crate::administration::custom_values;
use crate::administration::{require_admin, validate_name};
use crate::prelude::*;
use quarry_domain::accounts::group::Group;
use quarry_domain::administration::audit::{AuditEvent, RecordType};
use quarry_domain::administration::custom_field::{
    CustomField, Customized, RequestedValues, Values,
};
use quarry_domain::ids::PrincipalId;
use quarry_store::accounts::groups;
use quarry_store::administration::custom_fields;
use std::sync::Arc;

/// Creates a group. Returns its id and its users.
///
/// # Errors
/// `Invalid` for a name that is blank, too long or taken, for unknown users, and for invalid custom
/// fields.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &GroupChange,
) -> Result<(PrincipalId, Vec<UserId>), ActionError> {
    require_admin(viewer)?;
    let catalogue = Arc::clone(db.catalogue());
    let (name, members) = change.apply_to("", &[]);
    let defaults = Values::defaults(catalogue.custom_fields_of(Customized::Group));
    let values = validate(
        &catalogue,
        None,
        (&name, &members),
        (&defaults, &change.custom),
    )?;
    let group = Group {
        name,
        users: members,
        requires_second_factor: change.requires_second_factor.unwrap_or_default(),
        ..Group::default()
    };
    let created_on = db.now();
    let id = groups::insert(db, &group, created_on)?;
    custom_fields::update(db, Customized::Group, id.0, &values)?;
    db.audit(AuditEvent::new(RecordType::Group, id, "created").with_name(&group.name));
    Ok((id, group.users))
}

/// Maximum number of characters of the name of a group.
const MAX_NAME: usize = 255;

/// The requested attributes of a group. Unset ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupChange {
    pub name: Patch<String>,
    /// The users; replaces those that it has.
    pub users: Option<Vec<UserId>>,
    /// Users who join, in addition to those that it has.
    pub added: Vec<UserId>,
    /// Users who leave.
    pub removed: Vec<UserId>,
    /// Whether its users need a second factor.
    pub requires_second_factor: Option<bool>,
    /// Values of custom fields.
    pub custom: RequestedValues,
}

impl GroupChange {
    /// Returns the name and the users after the change.
    fn apply_to(&self, name: &str, users: &[UserId]) -> (String, Vec<UserId>) {
        let name = match &self.name {
            Patch::Unset => name.to_owned(),
            Patch::Clear => String::new(),
            Patch::Set(name) => name.trim().to_owned(),
        };
        let mut users = self.users.clone().unwrap_or_else(|| users.to_vec());
        users.extend(&self.added);
        users.retain(|user| !self.removed.contains(user));
        users.sort_unstable();
        users.dedup();
        (name, users)
    }
}

/// Returns the group if the viewer may manage it.
///
/// # Errors
/// `Invalid` for a builtin group.
fn find_managed<'c>(
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
        return Err(ActionError::invalid(
            "Builtin groups cannot be changed or deleted",
        ));
    }
    catalogue.groups.get(&id).ok_or(ActionError::NotFound)
}

/// Checks name, users and custom fields of a group; `id` is `None` for a new one. Returns the
/// values of custom fields after the change.
fn validate(
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
        errors.add("user_ids", "Users", "is invalid");
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
fn symmetric_difference(before: &[UserId], after: &[UserId]) -> Vec<UserId> {
    let removed = before.iter().filter(|user| !after.contains(user));
    removed
        .chain(after.iter().filter(|user| !before.contains(user)))
        .copied()
        .collect()
}

/// Returns the users whose name, login or mail address has these words, by name.
pub fn search_users(
    catalogue: &Catalogue,
    viewer: &Viewer,
    words: &str,
) -> Result<Vec<UserId>, ActionError> {
    require_admin(viewer)?;
    let words = words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().take(MAX_WORDS).collect();
    let mut users: Vec<(String, UserId)> = catalogue
        .users
        .values()
        .filter(|user| has_words(catalogue, viewer, user.id.into(), &words))
        .map(|user| (user.name.to_lowercase(), user.id))
        .collect();
    users.sort_unstable();
    Ok(users.into_iter().map(|(_, id)| id).collect())
}

/// Updates a group. Returns the users who joined or left it.
///
/// # Errors
/// `Forbidden` and `Invalid` as for [`create()`], and for the builtin groups.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    change: &GroupChange,
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = find_managed(&catalogue, viewer, id)?;
    let (name, users) = change.apply_to(&before.name, &before.users);
    let old = custom_fields::find_values(db, Customized::Group, id.0)?;
    let values = validate(
        &catalogue,
        Some(id),
        (&name, &users),
        (&old, &change.custom),
    )?;
    let after = Group {
        id,
        name,
        users,
        requires_second_factor: change
            .requires_second_factor
            .unwrap_or(before.requires_second_factor),
    };
    if after.name != before.name || after.requires_second_factor != before.requires_second_factor {
        groups::update(db, &after)?;
        let details = if after.requires_second_factor {
            "second factor required"
        } else {
            "second factor not required"
        };
        db.audit(
            AuditEvent::new(RecordType::Group, id, "updated")
                .with_name(&after.name)
                .with_details(details),
        );
    }
    custom_fields::update(db, Customized::Group, id.0, &values)?;
    let changed = symmetric_difference(&before.users, &after.users);
    if !changed.is_empty() {
        groups::set_users(db, id, &after.users)?;
    }
    Ok(changed)
}

/// Deletes a group; its users stay, without its memberships. Returns its users.
///
/// # Errors
/// `Invalid` for the builtin groups.
pub fn delete(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let group = find_managed(&catalogue, viewer, id)?;
    groups::delete(db, id)?;
    db.audit(AuditEvent::new(RecordType::Group, id, "deleted").with_name(&group.name));
    Ok(group.users.clone())
}

/// Adds users to a group, all or none. Returns those who were not in it.
///
/// # Errors
/// `NotFound` if there is no such group; `Invalid` when a user does not exist, or when all are in
/// the group already.
pub fn add_users(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    users: &[UserId],
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = &find_managed(&catalogue, viewer, id)?.users;
    let mut after: Vec<UserId> = before.iter().chain(users).copied().collect();
    after.sort_unstable();
    after.dedup();
    let added = symmetric_difference(before, &after);
    if added.is_empty() || !added.iter().all(|user| catalogue.users.contains_key(user)) {
        return Err(ActionError::invalid_attribute(
            "user_id",
            "User",
            "is invalid",
        ));
    }
    groups::set_users(db, id, &after)?;
    Ok(added)
}

/// Removes users from a group. Returns those who were in it.
///
/// # Errors
/// `NotFound` if there is no such group, or a user does not exist.
pub fn remove_users(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    users: &[UserId],
) -> Result<Vec<UserId>, ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let before = &find_managed(&catalogue, viewer, id)?.users;
    if !users.iter().all(|user| catalogue.users.contains_key(user)) {
        return Err(ActionError::NotFound);
    }
    let after: Vec<UserId> = before
        .iter()
        .filter(|user| !users.contains(user))
        .copied()
        .collect();
    let removed = symmetric_difference(before, &after);
    if !removed.is_empty() {
        groups::set_users(db, id, &after)?;
    }
    Ok(removed)
}
