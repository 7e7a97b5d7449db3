//! `/users/:id/address`: an administrator confirms the mail address that a user has asked for.

use super::edit::find_user;
use crate::form::field;
use crate::frame::Flash;
use crate::frame::render::redirect_with;
use crate::prelude::*;
use quarry_actions::accounts::address_changes;

const CONFIRMED: &str = "The mail address is confirmed.";
const DISCARDED: &str = "The mail address stays as it is.";

/// `POST`: gives the address up (`do=discard`), or confirms it.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request
        .app
        .read(|db| find_user(request, db).map(|user| user.id))?;
    let address = field(request, "address");
    if field(request, "do") == "discard" {
        request
            .write(move |db, viewer| address_changes::discard_as_admin(db, viewer, id, &address))?;
        let flash = Flash::notice(DISCARDED);
        return Ok(redirect_with(request, paths::edit_user(id), &flash));
    }
    let outcome = request.write(move |db, viewer| -> Result<_, Error> {
        match address_changes::confirm_as_admin(db, viewer, id, &address) {
            Err(ActionError::Invalid(errors)) => Ok(Err(errors)),
            outcome => Ok(Ok(outcome?)),
        }
    })?;
    let flash = match outcome {
        Ok(()) => Flash::notice(CONFIRMED),
        Err(errors) => Flash::error(format!("{}.", errors.messages().join(". "))),
    };
    Ok(redirect_with(request, paths::edit_user(id), &flash))
}
