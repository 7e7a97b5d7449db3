//! Updates mail addresses.

use super::find;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::UserId;
use crate::domain::viewer::Viewer;
use crate::store::{Write, email_addresses};

/// Sets whether mail goes to a further address of a user.
///
/// # Errors
/// As for [`find()`].
pub fn update(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    id: i64,
    notify: bool,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let before = find(db, viewer, user, id)?;
    if before.notify != notify {
        email_addresses::update(db, id, notify, clock.now())?;
    }
    Ok(())
}
