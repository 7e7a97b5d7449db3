//! Roles, for administrators: their list and forms, and the permissions of all roles in one table.

use crate::prelude::*;

mod edit;
mod fields;
mod list;
mod permissions;

/// Returns the routes of roles.
pub fn routes() -> Routes {
    edit::routes().route(
        "/roles/permissions",
        get(read_handler(permissions::edit).for_administrators())
            .post(write_handler(permissions::update).for_administrators()),
    )
}
