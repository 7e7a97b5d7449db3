//! `GET /users/current`: who am I? `GET /users/:id` (contract 9).

use super::view::{self, Around};
use crate::domain::custom_field::Customized;
use crate::domain::ids::UserId;
use crate::domain::user::UserStatus;
use crate::domain::visibility;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, custom_fields, roles, users};
use std::sync::Arc;

/// The user who asks, with the API key.
pub fn current(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    reply(ask, db, ask.user()?)
}

/// A user; 404 where there is none, or none that the viewer may know of.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: UserId = ask.number("id")?;
    let viewer = ask.viewer();
    let found = db.catalogue().users.get(&id).ok_or(Error::NotFound)?;
    let known = found.status == UserStatus::Active && visibility::knows(viewer, db.catalogue(), id.into());
    if !viewer.admin && viewer.user != Some(id) && !known {
        return Err(Error::NotFound);
    }
    reply(ask, db, id)
}

fn reply(ask: &Ask, db: &Read<'_>, id: UserId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let asked = ask.parameter("include").unwrap_or_default();
    let named = |name| asked.split(',').any(|part| part.trim() == name);
    let keeps_key = ask.viewer().admin || ask.viewer().user == Some(id);
    let around = Around {
        asker: Arc::clone(&ask.asker),
        api_key: if keeps_key { users::api_key(db, id)? } else { None },
        last_login_on: users::last_login(db, id)?,
        values: custom_fields::values_of(db, Customized::User, id.0)?,
        memberships: if named("memberships") { Some(roles::memberships(db, id.into())?) } else { None },
        groups: named("groups") && ask.viewer().admin,
        in_list: false,
        catalogue: Arc::clone(&catalogue),
    };
    Ok(Reply::object("user", move |w| {
        if let Some(user) = catalogue.users.get(&id) {
            view::user(w, user, &around);
        }
    }))
}
