//! Roles, their permissions and settings.

use crate::import::field::{Asked, How, may, must, number, text};
use crate::import::noun::{Many, Noun, rows, set};
use crate::import::source::{Cell, Source, SourceError};
use crate::import::yaml;
use crate::store::Value;

/// The permission to say who can see a project, and those with which one says so before it came (contract 3).
const PUBLICITY: &str = "select_project_publicity";
const EDITING: [&str; 3] = ["add_project", "edit_project", "add_subprojects"];

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
    let mut names = yaml::names(&asked.row.text("permissions")?)?;
    if !asked.known.has_publicity() && names.iter().any(|name| EDITING.contains(&name.as_str())) {
        names.push(PUBLICITY.to_owned());
    }
    Ok(names.into_iter().map(Value::Text).collect())
}

/// Whether the source has a permission of its own for who can see a project: some role of it has it, or it is as late as that.
pub fn has_publicity(source: &mut Source) -> Result<bool, SourceError> {
    // Of no earlier version than the permission.
    if source.has("roles", "default_time_entry_activity_id") || !source.has("roles", "permissions") {
        return Ok(true);
    }
    let permissions = source.column("roles", "permissions")?;
    Ok(permissions.iter().any(|cell| matches!(cell, Cell::Text(text) if text.contains(PUBLICITY))))
}
