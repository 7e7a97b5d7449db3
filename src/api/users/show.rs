//! `GET /users/current`: who am I? (contract 9)

use super::view::{self, Around};
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, users};
use std::sync::Arc;

/// The user who asks, with the API key.
pub fn current(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id = ask.user()?;
    let catalogue = Arc::clone(db.catalogue());
    let around = Around { api_key: users::api_key(db, id)?, for_admin: ask.viewer().admin };
    Ok(Reply::object("user", move |w| {
        if let Some(user) = catalogue.users.get(&id) {
            view::user(w, user, &around);
        }
    }))
}
