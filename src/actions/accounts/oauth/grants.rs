//! Grants: the consent of a user to an application.

use super::secret;
use crate::prelude::*;
use jiff::Timestamp;
use quarry_domain::accounts::oauth::{
    Authorization, AuthorizationCode, CODE_LIFETIME, Grant, Scopes,
};
use quarry_domain::ids::ApplicationId;
use quarry_store::accounts::oauth;
use std::collections::HashMap;

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
) -> Result<String, ActionError> {
    let now = db.now();
    oauth::grants::delete_expired(db)?;
    oauth::applications::find(db, application)?.ok_or(ActionError::NotFound)?;
    let code = secret::generate(db.entropy());
    let stored = AuthorizationCode {
        grant: Grant {
            application,
            user,
            scopes: authorization.scopes,
            created_on: now,
            used_on: now,
            ..Grant::default()
        },
        expires_on: now.saturating_add(CODE_LIFETIME).unwrap_or(Timestamp::MAX),
        redirect_uri: authorization.redirect_uri.clone(),
        challenge: authorization.challenge.clone(),
        ..AuthorizationCode::default()
    };
    oauth::grants::insert(db, &stored, &code)?;
    oauth::grants::keep_last(db, user, application, MAX_GRANTS)?;
    Ok(code)
}

/// All grants of a user for one application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantSummary {
    pub application: ApplicationId,
    pub name: String,
    pub scopes: Scopes,
    /// The time of the first consent.
    pub created_on: Timestamp,
    /// The time of the last request.
    pub used_on: Timestamp,
}

/// Returns the grants of the user by application, the last used first.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<GrantSummary>, ActionError> {
    let mut names: HashMap<ApplicationId, String> = oauth::applications::list(db)?
        .into_iter()
        .map(|application| (application.id, application.name))
        .collect();
    let mut summaries: Vec<GrantSummary> = Vec::new();
    for grant in oauth::grants::list(db, user)? {
        if let Some(summary) = summaries
            .iter_mut()
            .find(|summary| summary.application == grant.application)
        {
            summary.created_on = summary.created_on.min(grant.created_on);
            summary.scopes.permissions = summary.scopes.permissions.union(grant.scopes.permissions);
            summary.scopes.admin |= grant.scopes.admin;
        } else if let Some(name) = names.remove(&grant.application) {
            let Grant {
                application,
                scopes,
                created_on,
                used_on,
                ..
            } = grant;
            summaries.push(GrantSummary {
                application,
                name,
                scopes,
                created_on,
                used_on,
            });
        }
    }
    Ok(summaries)
}

/// Revokes all grants of the user for the application.
pub fn revoke_application(
    db: &mut Write<'_>,
    user: UserId,
    application: ApplicationId,
) -> Result<(), ActionError> {
    if oauth::grants::delete_of_user(db, user, application)? == 0 {
        Err(ActionError::NotFound)
    } else {
        Ok(())
    }
}
