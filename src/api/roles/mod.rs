//! Roles (compatibility 11.2).

use crate::domain::ids::RoleId;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;

/// `GET /roles`: id and name of each role that can be assigned.
pub fn list(_: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let roles: Vec<(i64, String)> =
        db.catalogue().roles.iter().filter(|role| role.builtin.is_none()).map(|role| (role.id.0, role.name.clone())).collect();
    Ok(Reply::list(
        "roles",
        "role",
        roles,
        |w, (id, name)| {
            w.field("id", id);
            w.field("name", name);
        },
        Vec::new(),
    ))
}

/// `GET /roles/:id`: the role with its permissions.
pub fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let role = db.catalogue().role(request.id_param::<RoleId>("id")?).ok_or(Error::NotFound)?.clone();
    Ok(Reply::object("role", move |w| {
        w.field("id", role.id.0);
        w.field("name", &role.name);
        w.field("assignable", role.assignable);
        w.field("issues_visibility", role.issues_visibility.name());
        w.field("time_entries_visibility", role.time_entries_visibility.name());
        w.field("users_visibility", role.users_visibility.name());
        w.texts("permissions", "permission", role.permission_list.iter().map(|permission| permission.name()));
    }))
}
