//! Roles, their permissions and settings.

use crate::import::field::{Asked, How, may, must, number, text};
use crate::import::noun::{Many, Noun, rows, set};
use crate::import::yaml;
use crate::store::Value;

pub const ALL: &[Noun] = &[
    rows(
        "roles",
        "roles",
        &[
            must("name", How::Text),
            number("position", How::Whole, 0),
            number("builtin", How::Whole, 0),
            number("assignable", How::Switch, 1),
            text("issues_visibility", "default"),
            text("users_visibility", "all"),
            text("time_entries_visibility", "all"),
            number("all_roles_managed", How::Switch, 1),
            may("default_time_entry_activity_id", How::Whole),
            may("settings", How::Yaml).to("settings_json"),
        ],
    )
    .names(),
    Noun {
        many: Some(Many { from: "permissions", to: "name", make: permissions }),
        members: 1,
        ..set(("roles", "id"), ("role_permissions", "role_id"), "roles", &[]).label("roles (permissions)").names()
    },
    set(("roles_managed_roles", "role_id"), ("roles_managed_roles", "role_id"), "roles", &[must("managed_role_id", How::Ref("roles"))])
        .names(),
];

/// All of them, also those that are not known here: plug-ins have their own, and later versions more.
fn permissions(asked: &Asked<'_>) -> Result<Vec<Value>, String> {
    Ok(yaml::names(&asked.row.text("permissions")?)?.into_iter().map(Value::Text).collect())
}
