//! Registration of applications by administrators (RFC 6749, section 2).

use super::secret;
use crate::ActionError;
use crate::accounts::users::Actor;
use quarry_domain::accounts::oauth::{Application, ApplicationChange};
use quarry_domain::ids::ApplicationId;
use quarry_store::Write;
use quarry_store::accounts::oauth::applications;

/// Maximum number of applications.
const MAX_APPLICATIONS: i64 = 1000;

/// Registers an application. Returns it with its secret, which is not stored; a public application
/// has none.
///
/// # Errors
/// `Invalid` with a message for each invalid attribute, and when there are too many applications.
pub fn create(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    change: &ApplicationChange,
) -> Result<(Application, Option<String>), ActionError> {
    actor.refuse_ordinary_viewers()?;
    let (redirect_uris, scopes) = change.validate(None).map_err(ActionError::Invalid)?;
    if applications::count(db)? >= MAX_APPLICATIONS {
        return Err(ActionError::invalid(format!(
            "There are {MAX_APPLICATIONS} applications already; delete one first"
        )));
    }
    let mut application = Application {
        client_id: secret::generate(db.entropy()),
        name: change.name.trim().to_owned(),
        redirect_uris,
        scopes,
        is_confidential: change.is_confidential,
        created_on: db.now(),
        ..Application::default()
    };
    let secret = change
        .is_confidential
        .then(|| secret::generate(db.entropy()));
    let digest = secret.as_deref().map(|secret| db.secrets().digest(secret));
    application.id = applications::insert(db, &application, digest.as_deref())?;
    Ok((application, secret))
}

/// Updates name, redirect URIs and scopes. Grants keep their scopes, but tokens are limited to
/// those of the application.
pub fn update(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: ApplicationId,
    change: &ApplicationChange,
) -> Result<(), ActionError> {
    actor.refuse_ordinary_viewers()?;
    let before = applications::find(db, id)?.ok_or(ActionError::NotFound)?;
    let (redirect_uris, scopes) = change
        .validate(Some(&before.name))
        .map_err(ActionError::Invalid)?;
    applications::update(
        db,
        &Application {
            name: change.name.trim().to_owned(),
            redirect_uris,
            scopes,
            ..before
        },
    )?;
    Ok(())
}

/// Replaces the secret of a confidential application. The former one stops working at once; tokens
/// stay valid. Returns the new secret.
///
/// # Errors
/// `Invalid` for a public application.
pub fn rotate_secret(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: ApplicationId,
) -> Result<String, ActionError> {
    actor.refuse_ordinary_viewers()?;
    let application = applications::find(db, id)?.ok_or(ActionError::NotFound)?;
    if !application.is_confidential {
        return Err(ActionError::invalid("A public application has no secret"));
    }
    let secret = secret::generate(db.entropy());
    let digest = db.secrets().digest(&secret);
    applications::set_secret_digest(db, id, &digest)?;
    Ok(secret)
}

/// Deletes an application, and with it all grants and tokens.
pub fn delete(
    db: &mut Write<'_>,
    actor: Actor<'_>,
    id: ApplicationId,
) -> Result<Application, ActionError> {
    actor.refuse_ordinary_viewers()?;
    let application = applications::find(db, id)?.ok_or(ActionError::NotFound)?;
    applications::delete(db, id)?;
    Ok(application)
}
