//! The consent of a person.

use super::secret;
use crate::actions::ActionError;
use crate::domain::clock::{Clock, Entropy};
use crate::domain::ids::{ApplicationId, GrantId, UserId};
use crate::domain::oauth::{Authorization, CODE_LIFETIME, Code, Grant};
use crate::store::{Write, oauth};
use jiff::Timestamp;

/// Maximum number of grants of one person for one application, such as one for each device; the oldest ends first.
const MAX_GRANTS: i64 = 20;

/// Records the consent of a person. Returns the code for the application, which is not stored.
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
    // It may have been deleted since the person was asked.
    oauth::applications::find(db, application)?.ok_or(ActionError::NotFound)?;
    let text = secret::fresh(entropy);
    let code = Code {
        grant: Grant { id: GrantId(0), application, user, scopes: authorization.scopes, created_on: now, used_on: now },
        expires_on: now.saturating_add(CODE_LIFETIME).unwrap_or(Timestamp::MAX),
        is_used: false,
        redirect_uri: authorization.redirect_uri.clone(),
        challenge: authorization.challenge.clone(),
    };
    oauth::grants::insert(db, &code, &text)?;
    oauth::grants::keep_last(db, user, application, MAX_GRANTS)?;
    Ok(text)
}
