//! `POST /users/:id/status`: locks a user, lets the user in again, or activates a registered one.

use super::edit::find;
use crate::actions::ActionError;
use crate::actions::users::{self as actions, Actor, UserChange};
use crate::domain::user::UserStatus;
use crate::http::{Error, Reply, RequestContext};
use crate::web::form::{audit_user, field};
use crate::web::frame::{Flash, FlashKind};
use crate::web::render::redirect_with;
use std::sync::Arc;

/// Sets the status with this code. Locking ends the sessions of the user.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let (id, login) = request
        .app
        .read(|db| find(request, db).map(|user| (user.id, user.login.clone())))?;
    let status = field(request, "status")
        .parse()
        .ok()
        .and_then(UserStatus::from_code);
    let status = status.ok_or_else(|| Error::BadRequest("status must be 1, 2 or 3".to_owned()))?;
    let change = UserChange {
        status: Some(status),
        ..UserChange::default()
    };
    let clock = Arc::clone(&request.app.clock);
    let entropy = Arc::clone(&request.app.entropy);
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match actions::update(
            db,
            Actor::Viewer(viewer),
            id,
            &change,
            clock.as_ref(),
            entropy.as_ref(),
        ) {
            Err(ActionError::Invalid(messages)) => Ok(Err(messages)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    let flash = match outcome {
        Ok(updated) => {
            audit_user(request, id, &login, &updated.changes);
            Flash::notice(match status {
                UserStatus::Active => "The user can log in.",
                UserStatus::Registered => "The user must be activated before logging in.",
                UserStatus::Locked | UserStatus::Anonymous => "The user is locked.",
            })
        }
        Err(messages) => Flash {
            kind: FlashKind::Error,
            text: format!("{}.", messages.join(". ")),
        },
    };
    Ok(redirect_with(request, format!("/users/{id}/edit"), &flash))
}
