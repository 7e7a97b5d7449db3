//! `POST /roles`, for administrators (compatibility 14).

use super::fields;
use super::show::role_reply;
use crate::actions::roles;
use crate::http::{Error, Reply, RequestContext, audit_role};

/// Creates a role: 201 with it and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id = request.write(move |db, viewer| roles::create(db, viewer, &change))?;
    audit_role(request, id, "created");
    let reply = request.app.read(|db| role_reply(db, id))?;
    Ok(reply.created(format!("{}/roles/{id}", request.base_url())))
}
