//! The anonymous user.

use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::ids::UserId;
use crate::domain::user::BuiltinPrincipal;
use crate::store::{Write, users};

/// Returns the anonymous user, who is created if there is none: only an import brings one along.
pub fn anonymous(db: &mut Write<'_>, clock: &dyn Clock) -> Result<UserId, ActionError> {
    match users::builtin(db)?
        .into_iter()
        .find(|(_, builtin)| *builtin == BuiltinPrincipal::Anonymous)
    {
        Some((id, _)) => Ok(UserId(id.0)),
        None => Ok(users::insert_anonymous(db, clock.now())?),
    }
}
