//! Roles, their permissions and settings.

use crate::field::{ColumnType, FieldContext, optional, required, text, with_default};
use crate::source::{Cell, Source, SourceError};
use crate::table_mapping::{MultiValue, TableMapping, owned_rows, rows};
use crate::yaml;
use quarry_store::Value;

/// The permission to choose who can see a project (compatibility 5).
const PUBLICITY_PERMISSION: &str = "select_project_publicity";
/// Permissions that included the choice before it had a permission of its own.
const EDIT_PERMISSIONS: [&str; 3] = ["add_project", "edit_project", "add_subprojects"];

pub const ALL: &[TableMapping] = &[
    rows(
        "roles",
        "roles",
        &[
            required("name", ColumnType::Text),
            with_default("position", ColumnType::Integer, 0),
            with_default("builtin", ColumnType::Integer, 0),
            with_default("assignable", ColumnType::Boolean, 1),
            text("issues_visibility", "default"),
            text("users_visibility", "all"),
            text("time_entries_visibility", "all"),
            with_default("all_roles_managed", ColumnType::Boolean, 1),
            optional("default_time_entry_activity_id", ColumnType::Integer),
            optional("settings", ColumnType::Yaml).to("settings_json"),
        ],
    )
    .in_catalogue(),
    TableMapping {
        multi_value: Some(MultiValue {
            from: "permissions",
            to: "name",
            position: Some("position"),
            split: permissions,
        }),
        key_columns: 1,
        ..owned_rows(
            ("roles", "id"),
            ("role_permissions", "role_id"),
            "roles",
            &[],
        )
        .label("roles (permissions)")
        .in_catalogue()
    },
    owned_rows(
        ("roles_managed_roles", "role_id"),
        ("roles_managed_roles", "role_id"),
        "roles",
        &[required("managed_role_id", ColumnType::Ref("roles"))],
    )
    .in_catalogue(),
];

/// Returns all permissions of a role, including those of plug-ins and later versions.
fn permissions(context: &FieldContext<'_>) -> Result<Vec<Value>, String> {
    let mut names = yaml::list(&context.row.text("permissions")?)?;
    if !context.ids.has_publicity_permission()
        && names
            .iter()
            .any(|name| EDIT_PERMISSIONS.contains(&name.as_str()))
    {
        names.push(PUBLICITY_PERMISSION.to_owned());
    }
    Ok(names.into_iter().map(Value::Text).collect())
}

/// Whether the source has a permission for choosing who can see a project: a role has it, or the
/// version is recent enough.
pub fn has_publicity_permission(source: &mut Source) -> Result<bool, SourceError> {
    // This column is not older than the permission.
    if source.has_column("roles", "default_time_entry_activity_id")
        || !source.has_column("roles", "permissions")
    {
        return Ok(true);
    }
    let permissions = source.column("roles", "permissions")?;
    Ok(permissions
        .iter()
        .any(|cell| matches!(cell, Cell::Text(text) if text.contains(PUBLICITY_PERMISSION))))
}
