//! `POST /users`, for administrators (compatibility 11.1).

use super::fields;
use super::show::reply_by_id;
use crate::actions::users::{self, Actor, CreatedUser};
use crate::http::{Error, Reply, RequestContext, audit_user};
use std::sync::Arc;

/// Creates a user: 201 with it and its URL. A generated password is returned here and never again.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let change = fields::parse(request)?;
    let login = change
        .login
        .value()
        .map(|login| login.trim().to_owned())
        .unwrap_or_default();
    let clock = Arc::clone(&request.app.clock);
    let entropy = Arc::clone(&request.app.entropy);
    let created = request.write(move |db, viewer| -> Result<CreatedUser, Error> {
        fields::check_groups(db.catalogue(), &change)?;
        Ok(users::create(
            db,
            Actor::Viewer(viewer),
            &change,
            clock.as_ref(),
            entropy.as_ref(),
        )?)
    })?;
    audit_user(request, created.id, &login, &created.changes);
    let CreatedUser { id, password, .. } = created;
    let reply = request.app.read(|db| {
        reply_by_id(
            request,
            db,
            id,
            password.filter(|_| !request.redmine_strict(db)),
        )
    })?;
    Ok(reply.created(format!("{}/users/{id}", request.base_url())))
}
