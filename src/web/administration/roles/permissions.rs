//! `/roles/permissions`: all permissions by role, in one table.
//!
//! The form says what it showed for each role, so that only what was changed in it is saved.

use crate::administration::permission_labels::{heading, label, modules, permissions_of};
use crate::components::matrix::{Matrix, MatrixCell, MatrixColumn, MatrixGroup, MatrixRow};
use crate::components::pager::Pager;
use crate::form::number_param;
use crate::frame::render::{redirect_with, render};
use crate::frame::{Flash, FlashKind, Frame};
use crate::prelude::*;
use quarry_actions::administration::role_permissions as actions;
use quarry_actions::administration::role_permissions::{ChangedRoles, PermissionsChange};
use quarry_domain::access::permission::{PermissionSet, Requirement};
use quarry_domain::access::role::Role;
use quarry_domain::ids::RoleId;
use quarry_http::audit_role;

/// The address of the page.
pub const PERMISSIONS: &str = "/roles/permissions";

/// Maximum number of roles on a page: with all permissions they stay below the number of values
/// that a form can have.
const ROLES_PER_PAGE: usize = 10;

#[derive(Template)]
#[template(path = "administration/roles/permissions.html")]
struct PermissionsPage {
    frame: Frame,
    action: String,
    matrix: Matrix,
    /// The id, the name and the permissions of each role, as they are shown.
    shown: Vec<(RoleId, String, String)>,
    pager: Pager,
}

/// `GET`: the table.
pub fn edit(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let roles = &db.catalogue().roles;
    let pages = roles.len().div_ceil(ROLES_PER_PAGE).max(1);
    let page = number_param(request, "page")
        .and_then(|page| usize::try_from(page).ok())
        .unwrap_or(1)
        .clamp(1, pages);
    let roles: Vec<&Role> = roles
        .iter()
        .skip((page - 1) * ROLES_PER_PAGE)
        .take(ROLES_PER_PAGE)
        .collect();
    let groups = modules().map(|module| MatrixGroup {
        title: heading(module).to_owned(),
        rows: permissions_of(module)
            .filter(|permission| !is_public(*permission))
            .map(|permission| row(permission, &roles))
            .collect(),
    });
    let address = |page: i64| match page {
        1 => PERMISSIONS.to_owned(),
        page => format!("{PERMISSIONS}?page={page}"),
    };
    let as_i64 = |number| i64::try_from(number).unwrap_or(i64::MAX);
    let frame = Frame::for_administration(request, db, "Permissions").below("Roles", "/roles");
    let page = PermissionsPage {
        frame,
        action: address(as_i64(page)),
        matrix: Matrix {
            caption: "Permissions of roles".to_owned(),
            corner: "Permission".to_owned(),
            columns: roles.iter().map(|role| column(role)).collect(),
            groups: groups.filter(|group| !group.rows.is_empty()).collect(),
        },
        shown: roles
            .iter()
            .map(|role| (role.id, role.name.clone(), names(role)))
            .collect(),
        pager: Pager::new(
            as_i64((page - 1) * ROLES_PER_PAGE),
            as_i64(ROLES_PER_PAGE),
            as_i64(db.catalogue().roles.len()),
            address,
        ),
    };
    render(&page.frame, &page)
}

fn row(permission: Permission, roles: &[&Role]) -> MatrixRow {
    let cell = |role: &&Role| {
        if !role.can_have(permission) {
            return MatrixCell::None;
        }
        MatrixCell::Check {
            name: format!("permissions[{}][]", role.id),
            value: permission.name().to_owned(),
            is_checked: role.permissions.contains(permission),
        }
    };
    MatrixRow {
        label: label(permission).to_owned(),
        cells: roles.iter().map(cell).collect(),
    }
}

fn column(role: &Role) -> MatrixColumn {
    MatrixColumn {
        label: role.name.clone(),
        path: Some(format!("/roles/{}/edit", role.id)),
    }
}

/// Whether every role has the permission; the table leaves these out.
fn is_public(permission: Permission) -> bool {
    permission.requirement() == Requirement::Public
}

/// Returns the names of the permissions that the table shows as given.
fn names(role: &Role) -> String {
    let permissions = role.permissions.iter();
    let names: Vec<&str> = permissions
        .filter(|permission| role.can_have(*permission) && !is_public(*permission))
        .map(Permission::name)
        .collect();
    names.join(" ")
}

/// `POST`: saves what differs from what was shown.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let sent = sent_roles(&request.body);
    let changes: Vec<PermissionsChange> = sent
        .iter()
        .filter_map(|role| PermissionsChange::new(role.id, role.shown, role.chosen))
        .collect();
    let changed = request.write(move |db, viewer| actions::update(db, viewer, &changes))?;
    for role in &changed.updated {
        audit_role(request, *role, "updated");
    }
    Ok(redirect_with(
        request,
        request.path_and_query(),
        &answer(&changed, &sent),
    ))
}

/// A column of the form.
struct SentRole {
    id: RoleId,
    name: String,
    shown: PermissionSet,
    chosen: PermissionSet,
}

fn sent_roles(body: &Input) -> Vec<SentRole> {
    let shown = body.get("shown").map(Input::entries).unwrap_or_default();
    let roles = shown.iter().filter_map(|(id, names)| {
        let chosen = body.at(&["permissions", id]).and_then(Input::as_list);
        let name = body.at(&["names", id]).and_then(Input::as_text);
        let parse = |name: &str| Permission::parse(name);
        Some(SentRole {
            id: RoleId(id.parse().ok()?),
            name: name.unwrap_or_default().into_owned(),
            shown: names
                .as_text()?
                .split_whitespace()
                .filter_map(parse)
                .collect(),
            chosen: chosen
                .into_iter()
                .flatten()
                .filter_map(|name| parse(&name.as_text()?))
                .collect(),
        })
    });
    roles.collect()
}

/// Returns the message about what was saved.
fn answer(changed: &ChangedRoles, sent: &[SentRole]) -> Flash {
    let names = |ids: &[RoleId]| {
        let names = sent.iter().filter(|role| ids.contains(&role.id));
        let names: Vec<&str> = names.map(|role| role.name.as_str()).collect();
        names.join(", ")
    };
    let saved = if changed.updated.is_empty() {
        "Nothing was changed.".to_owned()
    } else {
        format!("Permissions were changed: {}.", names(&changed.updated))
    };
    if changed.missing.is_empty() {
        return Flash::notice(saved);
    }
    Flash {
        kind: FlashKind::Warning,
        text: format!(
            "{saved} Roles that have been deleted meanwhile: {}.",
            names(&changed.missing)
        ),
    }
}
