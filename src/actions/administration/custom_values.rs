//! The values of the custom fields of a record: who may set them, and which are valid
//! (compatibility 6.4).

use crate::issues::assignable;
use crate::prelude::*;
use quarry_domain::accounts::user::UserStatus;
use quarry_domain::administration::custom_field::{
    CustomField, Customized, Format, RequestedValues, Values,
};
use quarry_domain::ids::VersionId;

/// Returns the custom fields of this type of record that the viewer may set on records of the
/// project, by position.
pub fn settable_fields<'c>(
    catalogue: &'c Catalogue,
    viewer: &Viewer,
    customized: Customized,
    project: ProjectId,
) -> Vec<&'c CustomField> {
    catalogue
        .custom_fields_of(customized)
        .filter(|field| field.is_visible_to(viewer, project) && (field.editable || viewer.admin))
        .collect()
}

/// Returns the values after a change, and adds the errors in them. `fields` are those that can be
/// set. Values that stay the same are not validated (compatibility 6.5), except in a new record
/// (`is_new`). For `is_selectable` see [`validate`].
pub(crate) fn apply(
    catalogue: &Catalogue,
    errors: &mut ValidationErrors,
    fields: &[&CustomField],
    before: &Values,
    requested: &RequestedValues,
    is_new: bool,
    is_selectable: impl Fn(&CustomField, i64) -> bool,
) -> Values {
    let mut values = before.clone();
    values.apply(fields, requested);
    let validated = fields
        .iter()
        .copied()
        .filter(|field| is_new || before.differs_in(field.id, &values));
    validate(
        catalogue,
        errors,
        validated,
        (before, &values),
        is_selectable,
    );
    values
}

/// As [`apply`], for records outside projects: users, groups, values of enumerations. A field can
/// have any user.
pub(crate) fn apply_without_project(
    catalogue: &Catalogue,
    errors: &mut ValidationErrors,
    fields: &[&CustomField],
    before: &Values,
    requested: &RequestedValues,
    is_new: bool,
) -> Values {
    apply(
        catalogue,
        errors,
        fields,
        before,
        requested,
        is_new,
        |_, id| catalogue.users.contains_key(&UserId(id)),
    )
}

/// Adds the errors in the values of these fields after a change. `is_selectable` tells whether a
/// field can have the user or version with an id.
pub(crate) fn validate<'f>(
    catalogue: &Catalogue,
    errors: &mut ValidationErrors,
    fields: impl IntoIterator<Item = &'f CustomField>,
    (before, after): (&Values, &Values),
    is_selectable: impl Fn(&CustomField, i64) -> bool,
) {
    for field in fields {
        let old = before.get(field.id).unwrap_or_default();
        let new = after.get(field.id).unwrap_or_default();
        if let Some(message) = field.validate_update(new, old, catalogue.max_text_length(), |id| {
            is_selectable(field, id)
        }) {
            errors.add_custom_field(field.id, &field.name, &message);
        }
    }
}

/// Whether a field of a record in the project can have this version, which must be shared with the
/// project, or this active member of it.
pub(crate) fn is_version_or_member(
    catalogue: &Catalogue,
    project: ProjectId,
    field: &CustomField,
    id: i64,
) -> bool {
    match field.format {
        Format::Version => is_shared_version(catalogue, project, id),
        _ => assignable::is_member(catalogue, project, UserId(id)),
    }
}

/// As [`is_version_or_member`], with any active user.
pub(crate) fn is_version_or_user(
    catalogue: &Catalogue,
    project: ProjectId,
    field: &CustomField,
    id: i64,
) -> bool {
    match field.format {
        Format::Version => is_shared_version(catalogue, project, id),
        _ => catalogue
            .users
            .get(&UserId(id))
            .is_some_and(|user| user.status == UserStatus::Active),
    }
}

fn is_shared_version(catalogue: &Catalogue, project: ProjectId, id: i64) -> bool {
    catalogue
        .versions
        .get(&VersionId(id))
        .is_some_and(|version| catalogue.is_shared_with(version, project))
}
