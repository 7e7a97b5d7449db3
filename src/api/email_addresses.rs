//! Further mail addresses of users, for administrators (compatibility 14).

use crate::prelude::*;
use quarry_actions::accounts::email_addresses;
use quarry_actions::accounts::users::RightsChange;
use quarry_domain::accounts::email_address::EmailAddress;
use quarry_domain::ids::UserId;
use quarry_http::{audit_user, protected_handler};

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/users/{id}/email_addresses",
            get(read_handler(list).for_administrators())
                .post(protected_handler(create).for_administrators()),
        )
        .route(
            "/users/{id}/email_addresses/{address_id}",
            get(read_handler(show).for_administrators())
                .put(protected_handler(update).for_administrators())
                .patch(protected_handler(update).for_administrators())
                .delete(protected_handler(delete).for_administrators()),
        )
}

/// `GET /users/:id/email_addresses`, `GET /users/:id/email_addresses/:address_id`, for
/// administrators (compatibility 14).
///
/// Returns a page of the further addresses of a user, in the order in which they were added.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let user: UserId = request.id_param("id")?;
    let addresses = email_addresses::list(db, request.viewer(), user)?;
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(addresses);
    let meta = pagination.meta(total, page.len());
    Ok(Reply::list(
        "email_addresses",
        "email_address",
        page,
        |w: &mut _, address: EmailAddress| write_email_address(w, &address),
        meta,
    ))
}

/// Returns a further address of a user.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    address_reply(
        request,
        db,
        request.id_param("id")?,
        request.id_param("address_id")?,
    )
}

/// Returns the address with this id.
fn address_reply(
    request: &RequestContext,
    db: &Read<'_>,
    user: UserId,
    id: i64,
) -> Result<Reply, Error> {
    let address = email_addresses::find(db, request.viewer(), user, id)?;
    Ok(Reply::object("email_address", move |w| {
        write_email_address(w, &address)
    }))
}

/// `POST /users/:id/email_addresses`, `PUT` and `DELETE /users/:id/email_addresses/:address_id`,
/// for administrators (compatibility 14).
///
/// Adds an address: 201 with it and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let mut body = BodyFields::from_body(request, "email_address")?;
    let address = body.text("address", "Email");
    let notify = body.boolean("notify", "Notify");
    body.check()?;
    let address = address.value().cloned().unwrap_or_default();
    let notify = notify.value().copied().unwrap_or(true);
    let id = request
        .write(move |db, viewer| email_addresses::create(db, viewer, user, &address, notify))?;
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
fn update(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let id: i64 = request.id_param("address_id")?;
    let mut body = BodyFields::from_body(request, "email_address")?;
    let notify = body.boolean("notify", "Notify");
    body.check()?;
    if let Some(notify) = notify.value().copied() {
        request.write(move |db, viewer| email_addresses::update(db, viewer, user, id, notify))?;
    }
    request.app.read(|db| address_reply(request, db, user, id))
}

/// Removes an address: 204.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let user = require_access(request)?;
    let id: i64 = request.id_param("address_id")?;
    request.write(move |db, viewer| email_addresses::delete(db, viewer, user, id))?;
    audit(request, user)?;
    Ok(Reply::no_content())
}

/// Returns the user in the path. Only administrators may change addresses, and their own not with
/// an access token (compatibility 4.1).
fn require_access(request: &RequestContext) -> Result<UserId, Error> {
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

/// Writes the fields of an address.
pub fn write_email_address(w: &mut Fields, address: &EmailAddress) {
    w.field("id", address.id);
    w.field("address", &address.address);
    w.field("notify", address.notify);
    w.field("created_on", address.created_on);
    w.field("updated_on", address.updated_on);
}
