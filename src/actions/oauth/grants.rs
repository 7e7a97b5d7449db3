//! What people have allowed, for their account.

use crate::actions::ActionError;
use crate::domain::ids::{ApplicationId, UserId};
use crate::domain::oauth::Scopes;
use crate::store::{Read, Write, oauth};
use jiff::Timestamp;

/// Everything that a person has allowed one application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantSummary {
    /// The application.
    pub application: ApplicationId,
    /// Its name.
    pub name: String,
    /// The scopes of all grants.
    pub scopes: Scopes,
    /// The time of the first consent.
    pub created_on: Timestamp,
    /// The time of the last request.
    pub used_on: Timestamp,
}

/// Returns what the user has allowed, by application, the last used first.
pub fn list(db: &Read<'_>, user: UserId) -> Result<Vec<GrantSummary>, ActionError> {
    let mut summaries: Vec<GrantSummary> = Vec::new();
    for grant in oauth::grants::list(db, user)? {
        if let Some(summary) = summaries.iter_mut().find(|summary| summary.application == grant.application) {
            summary.created_on = summary.created_on.min(grant.created_on);
            summary.scopes.permissions = summary.scopes.permissions.union(grant.scopes.permissions);
            summary.scopes.admin |= grant.scopes.admin;
        } else if let Some(application) = oauth::applications::find(db, grant.application)? {
            let (name, used_on) = (application.name, grant.used_on);
            summaries.push(GrantSummary { application: application.id, name, scopes: grant.scopes, created_on: grant.created_on, used_on });
        }
    }
    Ok(summaries)
}

/// Revokes everything that the user has allowed the application. Fails with `NotFound` if that is nothing.
pub fn revoke_application(db: &mut Write<'_>, user: UserId, application: ApplicationId) -> Result<(), ActionError> {
    if oauth::grants::delete_of_user(db, user, application)? == 0 { Err(ActionError::NotFound) } else { Ok(()) }
}
