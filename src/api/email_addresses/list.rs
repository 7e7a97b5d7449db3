//! `GET /users/:id/email_addresses`, `GET /users/:id/email_addresses/:address_id`, for
//! administrators (compatibility 14).

use super::view;
use crate::actions::email_addresses;
use crate::domain::ids::UserId;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::store::email_addresses::EmailAddress;

/// Returns a page of the further addresses of a user, in the order in which they were added.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    let user: UserId = request.id_param("id")?;
    let addresses = email_addresses::list(db, request.viewer(), user)?;
    let pagination = Pagination::from_query(&request.query);
    let (page, total) = pagination.slice(addresses);
    let meta = pagination.meta(total, page.len());
    let describe = |w: &mut _, address: EmailAddress| view::email_address(w, &address);
    Ok(Reply::list(
        "email_addresses",
        "email_address",
        page,
        describe,
        meta,
    ))
}

/// Returns a further address of a user.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    request.require_admin()?;
    address_reply(
        request,
        db,
        request.id_param("id")?,
        request.id_param("address_id")?,
    )
}

/// Returns the address with this id.
pub(super) fn address_reply(
    request: &RequestContext,
    db: &Read<'_>,
    user: UserId,
    id: i64,
) -> Result<Reply, Error> {
    let address = email_addresses::find(db, request.viewer(), user, id)?;
    Ok(Reply::object("email_address", move |w| {
        view::email_address(w, &address)
    }))
}
