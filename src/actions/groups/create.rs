//! Creates groups (compatibility 11.2).

use super::change::{GroupChange, validate};
use crate::actions::ActionError;
use crate::actions::administration::require_admin;
use crate::domain::audit::AuditEvent;
use crate::domain::clock::Clock;
use crate::domain::custom_field::{Customized, Values};
use crate::domain::ids::{PrincipalId, UserId};
use crate::domain::viewer::Viewer;
use crate::store::{Write, custom_fields, groups, users};
use std::sync::Arc;

/// Creates a group. Returns its id and its users.
///
/// # Errors
/// `Forbidden` unless the viewer is an administrator; `Invalid` for a name that is blank, too long
/// or taken, for unknown users, and for invalid custom fields.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    change: &GroupChange,
    clock: &dyn Clock,
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
    let id = users::insert_group(db, None, &name, &members, clock.now())?;
    if change.requires_second_factor == Some(true) {
        groups::update(db, id, &name, true, clock.now())?;
    }
    custom_fields::update(db, Customized::Group, id.0, &values)?;
    db.audit(AuditEvent::new("group", id, "created").with_name(&name));
    Ok((id, members))
}
