//! `PUT /users/:id`, for administrators (compatibility 11.1).

use super::fields;
use super::show::reply_by_id;
use crate::actions::users::{self, Actor, UpdatedUser};
use crate::http::{Error, Reply, RequestContext, audit_user};
use std::sync::Arc;

/// Updates a user: 200 with the new state. A generated password is returned here and never again.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let id = fields::id(request)?;
    // An application must not take over an account with the token that it was given.
    if change.password.is_some() || request.viewer().user == Some(id) {
        request.require_account()?;
    }
    let clock = Arc::clone(&request.app.clock);
    let entropy = Arc::clone(&request.app.entropy);
    let updated = request.write(move |db, viewer| -> Result<UpdatedUser, Error> {
        fields::check_groups(db.catalogue(), &change)?;
        Ok(users::update(
            db,
            Actor::Viewer(viewer),
            id,
            &change,
            clock.as_ref(),
            entropy.as_ref(),
        )?)
    })?;
    let login = request
        .app
        .store
        .catalogue()?
        .users
        .get(&id)
        .map(|user| user.login.clone())
        .unwrap_or_default();
    audit_user(request, id, &login, &updated.changes);
    request
        .app
        .read(|db| reply_by_id(request, db, id, updated.password))
}
