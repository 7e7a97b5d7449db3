//! Groups, for administrators (contract 9).

use crate::domain::ids::PrincipalId;
use crate::domain::user::Group;
use crate::http::{Ask, Error, Reply};
use crate::store::{Read, roles};
use std::sync::Arc;

/// `GET /groups`: all, by name.
pub fn list(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    for_administrators(ask)?;
    let mut groups: Vec<Group> = db.catalogue().groups.values().cloned().collect();
    groups.sort_by_key(|group| (group.name.to_lowercase(), group.id));
    let describe = |w: &mut crate::wire::Fields, group: Group| {
        w.field("id", group.id.0);
        w.field("name", &group.name);
    };
    Ok(Reply::list("groups", "group", groups, describe, Vec::new()))
}

/// `GET /groups/:id`, with users and memberships where they are asked for.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    for_administrators(ask)?;
    let group = db.catalogue().groups.get(&ask.number::<PrincipalId>("id")?).ok_or(Error::NotFound)?.clone();
    let asked = ask.parameter("include").unwrap_or_default();
    let named = |name| asked.split(',').any(|part| part.trim() == name);
    let memberships = if named("memberships") { Some(roles::memberships(db, group.id)?) } else { None };
    let (catalogue, users) = (Arc::clone(db.catalogue()), named("users"));
    Ok(Reply::object("group", move |w| {
        w.field("id", group.id.0);
        w.field("name", &group.name);
        if users {
            w.items("users", "user", &group.users, |w, user| {
                w.attribute("id", user.0);
                w.attribute("name", catalogue.principal_name((*user).into()).unwrap_or_default());
            });
        }
        if let Some(memberships) = &memberships {
            crate::api::users::view::memberships(w, memberships.iter(), &catalogue);
        }
    }))
}

fn for_administrators(ask: &Ask) -> Result<(), Error> {
    if ask.viewer().admin { Ok(()) } else { Err(Error::Forbidden) }
}
