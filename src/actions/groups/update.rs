//! Updates groups (compatibility 11.2).

use super::change::{GroupChange, find_managed, symmetric_difference, validate};
use crate::actions::ActionError;
use crate::domain::audit::AuditEvent;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Customized;
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields, groups};
use std::sync::Arc;

/// Updates a group. Returns the users who joined or left it.
///
/// # Errors
/// `NotFound`; `Forbidden` and `Invalid` as for [`super::create()`], and for the builtin groups.
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    id: PrincipalId,
    change: &GroupChange,
    clock: &dyn Clock,
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
    let requires_second_factor = change
        .requires_second_factor
        .unwrap_or(before.requires_second_factor);
    if name != before.name || requires_second_factor != before.requires_second_factor {
        groups::update(db, id, &name, requires_second_factor, clock.now())?;
        let details = if requires_second_factor {
            "second factor required"
        } else {
            "second factor not required"
        };
        db.audit(
            AuditEvent::new("group", id, "updated")
                .with_name(&name)
                .with_details(details),
        );
    }
    custom_fields::update(db, Customized::Group, id.0, &values)?;
    let changed = symmetric_difference(&before.users, &users);
    if !changed.is_empty() {
        groups::set_users(db, id, &users)?;
    }
    Ok(changed)
}
