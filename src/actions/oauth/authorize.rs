//! The consent of a user.

use super::secret;
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::{ApplicationId, GrantId, UserId};
use crate::domain::oauth::{Authorization, AuthorizationCode, CODE_LIFETIME, Grant};
use crate::store::{Write, oauth};
use jiff::Timestamp;

/// Maximum number of grants of one user for one application, such as one for each device. The
/// oldest ones are deleted.
const MAX_GRANTS: i64 = 20;

/// Records the consent of a user. Returns the authorization code, of which only the digest is
/// stored.
///
/// # Errors
/// `NotFound` if the application was deleted meanwhile.
pub fn approve(
    db: &mut Write<'_>,
    user: UserId,
    application: ApplicationId,
    authorization: &Authorization,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<String, ActionError> {
    let now = clock.now();
    oauth::grants::delete_expired(db, now)?;
    oauth::applications::find(db, application)?.ok_or(ActionError::NotFound)?;
    let code = secret::generate(entropy);
    let stored = AuthorizationCode {
        grant: Grant {
            id: GrantId(0),
            application,
            user,
            scopes: authorization.scopes,
            created_on: now,
            used_on: now,
        },
        expires_on: now.saturating_add(CODE_LIFETIME).unwrap_or(Timestamp::MAX),
        is_used: false,
        redirect_uri: authorization.redirect_uri.clone(),
        challenge: authorization.challenge.clone(),
    };
    oauth::grants::insert(db, &stored, &code)?;
    oauth::grants::keep_last(db, user, application, MAX_GRANTS)?;
    Ok(code)
}
