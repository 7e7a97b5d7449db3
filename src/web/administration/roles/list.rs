//! `/roles`: the list of roles.

use super::permissions::PERMISSIONS;
use crate::components::list_page::{Cell, Link, ListPage};
use crate::frame::Frame;
use crate::prelude::*;
use quarry_domain::access::role::{Builtin, Role};
use quarry_domain::ids::RoleId;

/// Lists the roles: first those that members can have, in their order.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = db.catalogue();
    let count = catalogue
        .roles
        .iter()
        .filter(|role| role.builtin.is_none())
        .count();
    let mut ordinary = 0;
    let rows = catalogue.roles.iter().map(|role| {
        let edit = format!("/roles/{}/edit", role.id);
        let copy = Link::new("Copy", format!("/roles/new?copy={}", role.id));
        let delete = Link::new("Delete", format!("/roles/{}/delete", role.id));
        let permissions = role.effective_permissions().iter().count();
        let cells = |notes, members, order, links| {
            vec![
                Cell::Record(Link::new(&role.name, &edit), notes),
                members,
                Cell::Number(i64::try_from(permissions).unwrap_or(i64::MAX)),
                order,
                Cell::Links(links),
            ]
        };
        match role.builtin {
            Some(builtin) => cells(
                vec!["Built-in".to_owned()],
                Cell::Text(applies_to(builtin).to_owned()),
                Cell::Text(String::new()),
                vec![copy],
            ),
            None => {
                let index = ordinary;
                ordinary += 1;
                cells(
                    Vec::new(),
                    Cell::Text(members_label(catalogue, role)),
                    Cell::order(edit.clone(), "role", index, count),
                    vec![copy, delete],
                )
            }
        }
    });
    let rows = rows.collect();
    let frame = Frame::for_administration(request, db, "Roles");
    ListPage::new(
        frame,
        &["Name", "Members", "#Permissions", "Order", ""],
        rows,
    )
    .with_introduction("What people may do in a project follows from their roles there.")
    .with_button("New role", "/roles/new")
    .with_button("All permissions", PERMISSIONS)
    .with_json("/roles.json?include=administration")
    .render()
}

/// Returns whom a builtin role applies to.
fn applies_to(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::NonMember => "users in public projects that they are not members of",
        Builtin::Anonymous => "visitors who are not logged in",
    }
}

fn members_label(catalogue: &Catalogue, role: &Role) -> String {
    match members_with(catalogue, role.id) {
        0 => "none".to_owned(),
        1 => "1 member".to_owned(),
        count => format!("{count} members"),
    }
}

/// Returns the number of memberships with the role, each of a user or a group in one project.
pub fn members_with(catalogue: &Catalogue, role: RoleId) -> usize {
    let members = catalogue.members.iter();
    members
        .filter(|member| member.role_ids().any(|id| id == role))
        .count()
}
