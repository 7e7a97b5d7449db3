//! `GET /roles` (compatibility 11.2).

use super::view;
use crate::domain::role::Role;
use crate::http::{Error, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Fields;
use std::sync::Arc;

/// Returns id and name of each role that can be given. Administrators may ask for all fields, and
/// get the builtin roles too.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let administration = request.includes_administration()?;
    let catalogue = Arc::clone(db.catalogue());
    let roles: Vec<Role> = catalogue
        .roles
        .iter()
        .filter(|role| administration || role.builtin.is_none())
        .cloned()
        .collect();
    let describe = move |w: &mut Fields, role: Role| {
        if administration {
            view::role(w, &role);
            view::administration(w, &role, &catalogue);
        } else {
            w.field("id", role.id.0);
            w.field("name", &role.name);
        }
    };
    Ok(Reply::list("roles", "role", roles, describe, Vec::new()))
}
