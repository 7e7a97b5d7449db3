//! Revocation of tokens by their application (RFC 7009).

use crate::actions::ActionError;
use crate::domain::oauth::Application;
use crate::store::{Write, oauth};

/// Revokes a token of the application: an access token alone, a refresh token with its grant.
/// Tokens that are unknown or belong to another application are ignored (section 2.2). Returns
/// whether one was revoked.
pub fn revoke(
    db: &mut Write<'_>,
    application: &Application,
    token: &str,
) -> Result<bool, ActionError> {
    if let Some(tokens) = oauth::tokens::find_by_refresh_token(db, token)?
        .filter(|tokens| tokens.grant.application == application.id)
    {
        oauth::grants::delete(db, tokens.grant.id)?;
        return Ok(true);
    }
    if let Some(tokens) = oauth::tokens::find_by_access_token(db, token)?
        .filter(|tokens| tokens.grant.application == application.id)
    {
        oauth::tokens::expire(db, tokens.id)?;
        return Ok(true);
    }
    Ok(false)
}
