//! One's own account (contract 9).

use crate::actions::accounts::{self, OwnChange};
use crate::api::custom_fields::view::custom_fields;
use crate::domain::custom_field::Customized;
use crate::domain::ids::UserId;
use crate::http::{Ask, Error, Reply, Said};
use crate::store::{Read, custom_fields as stored, users};
use std::sync::Arc;

/// `GET /my/account`: what one may know of oneself.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    reply(ask, db, ask.user()?)
}

/// `PUT /my/account`: changes one's names, mail address and custom fields; 200 with the account as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let id = ask.user()?;
    let mut said = Said::of(ask, "user")?;
    let change = OwnChange {
        firstname: said.text("firstname", "First name"),
        lastname: said.text("lastname", "Last name"),
        mail: said.text("mail", "Email"),
        custom: said.custom_fields(),
    };
    said.finish()?;
    let clock = Arc::clone(&ask.app.clock);
    ask.change(move |db, _| accounts::change_own(db, id, &change, clock.as_ref()))?;
    ask.app.store.read(|db| reply(ask, db, id))
}

fn reply(ask: &Ask, db: &Read<'_>, id: UserId) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let (key, last_login_on) = (users::api_key(db, id)?, users::last_login(db, id)?);
    let (values, admin) = (stored::values_of(db, Customized::User, id.0)?, ask.viewer().admin);
    Ok(Reply::object("user", move |w| {
        let Some(user) = catalogue.users.get(&id) else { return };
        w.field("id", id.0);
        w.field("login", &user.login);
        w.field("admin", user.admin);
        w.field("firstname", &user.firstname);
        w.field("lastname", &user.lastname);
        w.field("mail", &user.mail);
        w.field("created_on", user.created_on);
        w.field("last_login_on", last_login_on);
        w.field("api_key", key.as_deref());
        custom_fields(w, catalogue.custom_fields_of(Customized::User).filter(|field| field.visible || admin), Some(&values));
    }))
}
