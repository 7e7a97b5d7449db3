//! `POST /users/:id/email_addresses`, `PUT` and `DELETE /users/:id/email_addresses/:address_id`,
//! for administrators (compatibility 14).

use super::list::address_reply;
use crate::actions::email_addresses;
use crate::actions::users::RightsChange;
use crate::domain::ids::UserId;
use crate::http::{BodyFields, Error, Reply, RequestContext, audit_user};
use std::sync::Arc;

/// Adds an address: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let mut body = BodyFields::from_body(request, "email_address")?;
    let address = body.text("address", "Email");
    let notify = body.boolean("notify", "Notify");
    body.check()?;
    let address = address.value().cloned().unwrap_or_default();
    let notify = notify.value().copied().unwrap_or(true);
    let clock = Arc::clone(&request.app.clock);
    let id = request.write(move |db, viewer| {
        email_addresses::create(db, viewer, user, &address, notify, clock.as_ref())
    })?;
    audit(request, user)?;
    let reply = request
        .app
        .read(|db| address_reply(request, db, user, id))?;
    Ok(reply.created(format!(
        "{}/users/{user}/email_addresses/{id}",
        request.base_url()
    )))
}

/// Sets whether mail goes to an address: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let id: i64 = request.id_param("address_id")?;
    let mut body = BodyFields::from_body(request, "email_address")?;
    let notify = body.boolean("notify", "Notify");
    body.check()?;
    if let Some(notify) = notify.value().copied() {
        let clock = Arc::clone(&request.app.clock);
        request.write(move |db, viewer| {
            email_addresses::update(db, viewer, user, id, notify, clock.as_ref())
        })?;
    }
    request.app.read(|db| address_reply(request, db, user, id))
}

/// Removes an address: 204.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let id: i64 = request.id_param("address_id")?;
    request.write(move |db, viewer| email_addresses::delete(db, viewer, user, id))?;
    audit(request, user)?;
    Ok(Reply::no_content())
}

/// Returns the user in the path. Only administrators may change addresses, and their own not with
/// an access token (compatibility 4.1).
fn require_access(request: &RequestContext) -> Result<UserId, Error> {
    request.require_admin()?;
    let user: UserId = request.id_param("id")?;
    if request.viewer().user == Some(user) {
        request.require_account()?;
    }
    Ok(user)
}

fn audit(request: &RequestContext, user: UserId) -> Result<(), Error> {
    let login = request
        .app
        .store
        .catalogue()?
        .users
        .get(&user)
        .map(|user| user.login.clone())
        .unwrap_or_default();
    audit_user(request, user, &login, &[RightsChange::Mail]);
    Ok(())
}
