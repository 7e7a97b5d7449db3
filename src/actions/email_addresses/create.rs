//! Adds mail addresses.

use super::find::require_user;
use crate::actions::{ActionError, user_rules};
use crate::domain::clock::Clock;
use crate::domain::ids::UserId;
use crate::domain::validation::ValidationErrors;
use crate::domain::viewer::Viewer;
use crate::store::{Write, email_addresses};

/// Maximum number of further addresses of a user.
const MAX_ADDRESSES: usize = 5;

/// Adds an address to those of a user, and returns its id.
///
/// # Errors
/// As for [`super::list()`]; `Invalid` if it is no address, if somebody has it already, and when
/// the user has too many.
pub fn create(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    address: &str,
    notify: bool,
    clock: &dyn Clock,
) -> Result<i64, ActionError> {
    require_user(db, viewer, user)?;
    let address = address.trim();
    let mut errors = ValidationErrors::new();
    user_rules::check_mail(db, &mut errors, None, address)?;
    if email_addresses::list(db, user)?.len() >= MAX_ADDRESSES {
        errors.add_message(&format!(
            "Email addresses are too many (maximum is {MAX_ADDRESSES} for one user)"
        ));
    }
    errors.into_result().map_err(ActionError::Invalid)?;
    Ok(email_addresses::insert(
        db,
        user,
        address,
        notify,
        clock.now(),
    )?)
}
