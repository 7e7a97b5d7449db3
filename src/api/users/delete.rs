//! `DELETE /users/:id`, for administrators (compatibility 11.1).

use super::fields;
use crate::actions::ActionError;
use crate::actions::users::{self, Actor};
use crate::http::{Error, Reply, RequestContext, audit_user};
use std::sync::Arc;

/// Deletes a user: 200 without a body. What the user has written stays, under the name Anonymous.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id = fields::id(request)?;
    let clock = Arc::clone(&request.app.clock);
    let deleted = request.write(move |db, viewer| -> Result<_, ActionError> {
        let login = db
            .catalogue()
            .users
            .get(&id)
            .map(|user| user.login.clone())
            .unwrap_or_default();
        Ok((
            users::delete(db, Actor::Viewer(viewer), id, clock.as_ref())?,
            login,
        ))
    });
    let (change, login) = deleted.map_err(Error::for_deletion)?;
    audit_user(request, id, &login, &[change]);
    Ok(Reply::ok())
}
