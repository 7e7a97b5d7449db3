//! Groups, for administrators (compatibility 11.2).

use crate::domain::ids::PrincipalId;
use crate::domain::user::Group;
use crate::http::{Error, Reply, RequestContext};
use crate::store::{Read, roles};
use std::sync::Arc;

/// `GET /groups`: all groups, by name.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    let mut groups: Vec<Group> = db.catalogue().groups.values().cloned().collect();
    groups.sort_by_key(|group| (group.name.to_lowercase(), group.id));
    let describe = |w: &mut crate::wire::Fields, group: Group| {
        w.field("id", group.id.0);
        w.field("name", &group.name);
    };
    Ok(Reply::list("groups", "group", groups, describe, Vec::new()))
}

/// `GET /groups/:id`, with users and memberships if included.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    require_admin(request)?;
    let group = db.catalogue().groups.get(&request.id_param::<PrincipalId>("id")?).ok_or(Error::NotFound)?.clone();
    let include = request.query_param("include").unwrap_or_default();
    let is_included = |name| include.split(',').any(|part| part.trim() == name);
    let memberships = if is_included("memberships") { Some(roles::memberships(db, group.id)?) } else { None };
    let (catalogue, with_users) = (Arc::clone(db.catalogue()), is_included("users"));
    Ok(Reply::object("group", move |w| {
        w.field("id", group.id.0);
        w.field("name", &group.name);
        if with_users {
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

fn require_admin(request: &RequestContext) -> Result<(), Error> {
    if request.viewer().admin { Ok(()) } else { Err(Error::Forbidden) }
}
