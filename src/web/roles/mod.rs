//! Roles, for administrators: their list and forms, and the permissions of all roles in one table.

mod edit;
mod fields;
mod list;
mod permissions;

use crate::record_pages::admin_routes;
use axum::routing::get;
use quarry_http::{Routes, read_handler, write_handler};

/// The address of the table with the permissions of all roles.
const PERMISSIONS: &str = "/roles/permissions";

/// Returns the routes of roles.
pub fn routes() -> Routes {
    admin_routes::<edit::RolePages>(list::list).route(
        PERMISSIONS,
        get(read_handler(permissions::edit).for_administrators())
            .post(write_handler(permissions::update).for_administrators()),
    )
}
