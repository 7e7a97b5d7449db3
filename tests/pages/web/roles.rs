//! Managing roles in the browser.

use quarry::domain::access::permission::Permission;
use quarry::domain::access::role::Role;
use quarry::domain::ids::{RoleId, TrackerId};
use quarry_world::browser::{Browser, field, unescape};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, Response, World};
use regex::Regex;

fn role(world: &World, id: i64) -> Option<Role> {
    let catalogue = world.app.store.catalogue().unwrap();
    catalogue.role(RoleId(id)).cloned()
}

fn has(world: &World, id: i64, permission: Permission) -> bool {
    role(world, id).unwrap().permissions.contains(permission)
}

/// Returns the fields that a browser would send of the forms of a page, without the token.
pub fn form_fields(page: &Response) -> Vec<(String, String)> {
    let tags = Regex::new(r#"<(?:input|select|textarea)[^>]*>"#).unwrap();
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split_once(&format!(" {name}=\""))?.1;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let option = Regex::new(r#"<option value="([^"]*)"( selected)?>"#).unwrap();
    let main = page.body.split_once("<main").unwrap().1;
    let mut fields = Vec::new();
    for found in tags.find_iter(main) {
        let tag = found.as_str();
        let Some(name) = attribute(tag, "name")
            .filter(|name| name != "authenticity_token" && !name.starts_with("preview"))
        else {
            continue;
        };
        if tag.starts_with("<select") {
            let options = main[found.end()..].split_once("</select>").unwrap().0;
            let mut options: Vec<_> = option.captures_iter(options).collect();
            options.sort_by_key(|option| option.get(2).is_none());
            fields.push((name, options[0][1].to_owned()));
        } else if tag.starts_with("<textarea") {
            let text = main[found.end()..].split_once("</textarea>").unwrap().0;
            fields.push((name, unescape(text.strip_prefix('\n').unwrap_or(text))));
        } else if !tag.contains("type=\"checkbox\"") || tag.contains(" checked") {
            let value = attribute(tag, "value").unwrap_or_default();
            fields.push((name, unescape(&value)));
        }
    }
    fields
}

/// Sends the form of a page with some fields replaced.
pub fn send(
    browser: &Browser<'_>,
    page: &Response,
    path: &str,
    changes: &[(&str, &str)],
) -> Response {
    let mut fields = form_fields(page);
    fields.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .chain(changes.iter().copied())
        .collect();
    browser.submit(page, path, &fields)
}

#[test]
fn list_has_members_order_and_marks_builtin_roles() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles").assert_status(200);
    for expected in [
        ">Manager</a>",
        "2 members",
        "Built-in",
        "visitors who are not logged in",
        "href=\"/roles/4/delete\"",
        "href=\"/roles/new?copy=4\"",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    assert!(!page.body.contains("/roles/1/delete"), "{page:?}");
    admin
        .submit(&page, "/roles/4/edit", &[("role[position]", "1")])
        .assert_status(303);
    let catalogue = world.app.store.catalogue().unwrap();
    let order: Vec<RoleId> = catalogue.roles.iter().map(|role| role.id).take(3).collect();
    assert_eq!(order, [DEVELOPER, MANAGER, REPORTER]);
    assert!(
        has(&world, 4, Permission::EditIssues),
        "nothing else changes"
    );
}

#[test]
fn role_is_created_as_a_copy_with_its_workflow() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/roles/new?copy=4").assert_status(200);
    send(&admin, &page, "/roles/new", &[("role[name]", " ")])
        .assert_status(422)
        .assert_contains("Name cannot be blank");
    send(&admin, &page, "/roles/new", &[("role[name]", "Tester <b>")]).assert_status(303);
    admin
        .get("/roles")
        .assert_status(200)
        .assert_contains("The role was created.")
        .assert_contains("Tester &#60;b&#62;");
    let catalogue = world.app.store.catalogue().unwrap();
    let source = catalogue.role(DEVELOPER).unwrap();
    let copy = catalogue
        .roles
        .iter()
        .find(|role| role.name == "Tester <b>")
        .unwrap();
    assert_eq!(copy.permissions, source.permissions);
    assert_eq!(copy.issues_visibility, source.issues_visibility);
    for tracker in [1, 2, 3].map(TrackerId) {
        let workflow = |role| catalogue.workflow.transitions(tracker, role);
        assert_eq!(workflow(copy.id), workflow(DEVELOPER));
        assert!(!workflow(copy.id).is_empty());
    }
}

#[test]
fn unchanged_form_changes_nothing() {
    let world = World::new();
    world.sql("UPDATE roles SET settings_json = '{\"permissions_all_trackers\": {\"view_issues\": \"0\"}, \"permissions_tracker_ids\": {\"view_issues\": []}}' WHERE id = 4");
    let admin = Browser::logged_in(&world, "admin");
    for id in 1..=5 {
        let before = role(&world, id).unwrap();
        let path = format!("/roles/{id}/edit");
        let page = admin.get(&path).assert_status(200);
        send(&admin, &page, &path, &[]).assert_status(303);
        let after = role(&world, id).unwrap();
        assert_eq!(after.permissions, before.permissions);
        assert_eq!(after.tracker_limits, before.tracker_limits);
        assert_eq!(after.managed, before.managed);
    }
}

#[test]
fn permissions_visibility_managed_roles_and_trackers_are_saved() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/roles/4/edit";
    let page = admin
        .get(path)
        .assert_status(200)
        .assert_contains("Comment on issues");
    let fields = [
        ("role[name]", "Builder"),
        ("role[assignable]", "0"),
        ("role[permissions][]", ""),
        ("role[permissions][]", "view_issues"),
        ("role[issues_visibility]", "own"),
        ("role[time_entries_visibility]", "own"),
        ("role[users_visibility]", "members_of_visible_projects"),
        ("role[all_roles_managed]", "0"),
        ("role[managed_role_ids][]", "5"),
        ("role[tracker_limits][view_issues][]", "2"),
    ];
    send(&admin, &page, path, &fields).assert_status(303);
    let role = role(&world, 4).unwrap();
    assert_eq!(role.name, "Builder");
    assert!(!role.assignable);
    assert_eq!(
        role.permissions.iter().collect::<Vec<_>>(),
        [Permission::ViewIssues]
    );
    assert_eq!(
        (
            role.issues_visibility.name(),
            role.time_entries_visibility.name(),
            role.users_visibility.name()
        ),
        ("own", "own", "members_of_visible_projects")
    );
    assert_eq!(role.managed, Some([REPORTER].into()));
    assert_eq!(role.tracker_limits.len(), 1);
    assert_eq!(role.tracker_limits[&Permission::ViewIssues].as_slice(), [2]);
    // Limits that a form lacks stay.
    admin
        .submit(&page, path, &[("role[tracker_limits][add_issues][]", "1")])
        .assert_status(303);
    assert_eq!(self::role(&world, 4).unwrap().tracker_limits.len(), 2);
    for invalid in ["role[tracker_limits]", "role[tracker_limits][]"] {
        admin
            .submit(&page, path, &[(invalid, "1")])
            .assert_status(422);
    }
    let page = admin.get(path).assert_status(200);
    let refused = send(
        &admin,
        &page,
        path,
        &[("role[name]", "manager"), ("role[permissions][]", "fly")],
    );
    refused
        .assert_status(422)
        .assert_contains("Name has already been taken")
        .assert_contains("unknown permission fly")
        .assert_contains("value=\"manager\"");
}

#[test]
fn only_roles_without_members_are_deleted() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/roles/3/delete")
        .assert_status(200)
        .assert_contains("2 members have this role");
    admin
        .get("/roles/1/delete")
        .assert_status(200)
        .assert_contains("Builtin roles cannot be deleted");
    let page = admin.get("/roles/new").assert_status(200);
    for id in [1, 3] {
        let path = format!("/roles/{id}/delete");
        admin.submit(&page, &path, &[]).assert_status(422);
        assert!(role(&world, id).is_some());
    }
    send(&admin, &page, "/roles/new", &[("role[name]", "Guest")]).assert_status(303);
    let confirm = admin.get("/roles/6/delete").assert_status(200);
    admin
        .submit(&confirm, "/roles/6/delete", &[])
        .assert_status(303);
    assert!(role(&world, 6).is_none());
}

#[test]
fn table_saves_only_what_was_changed_in_it() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let path = "/roles/permissions";
    let page = admin.get(path).assert_status(200);
    // Somebody else changes the same role after the table was shown.
    let other = Browser::logged_in(&world, "admin");
    let theirs = other.get(path).assert_status(200);
    let mut fields = form_fields(&theirs);
    fields.retain(|(name, value)| name != "permissions[4][]" || value != "log_time");
    fields.push(("permissions[4][]".to_owned(), "manage_news".to_owned()));
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    other.submit(&theirs, path, &fields).assert_status(303);
    assert!(!has(&world, 4, Permission::LogTime));

    let mut fields = form_fields(&page);
    fields.retain(|(name, value)| name != "permissions[4][]" || value != "comment_news");
    // A permission that the role cannot have.
    fields.push(("permissions[2][]".to_owned(), "manage_members".to_owned()));
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let reply = admin.submit(&page, path, &fields).assert_status(303);
    assert_eq!(reply.location(), path);
    admin
        .get(path)
        .assert_status(200)
        .assert_contains("Permissions were changed: Developer.");
    assert!(!has(&world, 4, Permission::LogTime) && has(&world, 4, Permission::ManageNews));
    assert!(!has(&world, 4, Permission::CommentNews));
    assert!(!has(&world, 2, Permission::ManageMembers));
}

#[test]
fn table_names_roles_that_were_deleted_meanwhile() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let new = admin.get("/roles/new").assert_status(200);
    send(&admin, &new, "/roles/new", &[("role[name]", "Guest & co")]).assert_status(303);
    let page = admin.get("/roles/permissions").assert_status(200);
    assert_eq!(field(&page, "names[6]").as_deref(), Some("Guest & co"));
    let confirm = admin.get("/roles/6/delete").assert_status(200);
    admin
        .submit(&confirm, "/roles/6/delete", &[])
        .assert_status(303);
    let mut fields = form_fields(&page);
    for id in ["5", "6"] {
        fields.push((format!("permissions[{id}][]"), "manage_wiki".to_owned()));
    }
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| {
            (
                n.as_str(),
                if n == "names[6]" {
                    "Guest & co"
                } else {
                    v.as_str()
                },
            )
        })
        .collect();
    admin
        .submit(&page, "/roles/permissions", &fields)
        .assert_status(303);
    admin
        .get("/roles/permissions")
        .assert_status(200)
        .assert_contains("Permissions were changed: Reporter. Roles that have been deleted meanwhile: Guest &#38; co.");
}

#[test]
fn table_with_many_roles_has_pages() {
    let world = World::new();
    world.sql("INSERT INTO roles (id, name, position) WITH RECURSIVE s (value) AS (SELECT 10 UNION ALL SELECT value + 1 FROM s WHERE value < 30) SELECT value, 'Role ' || value, value FROM s");
    world.sql("INSERT INTO role_permissions (role_id, name, position) SELECT r.id, p.name, p.position FROM roles r, role_permissions p WHERE p.role_id = 3 AND r.id >= 10");
    let admin = Browser::logged_in(&world, "admin");
    for page in ["?page=1", "?page=3", "?page=99", "?page=x"] {
        let path = format!("/roles/permissions{page}");
        let page = admin.get(&path).assert_status(200);
        assert!(form_fields(&page).len() < 1000);
        send(&admin, &page, &path, &[]).assert_status(303);
    }
}

#[test]
fn only_administrators_see_and_change_roles() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let token = alice.get("/my/account").assert_status(200);
    for path in [
        "/roles/new",
        "/roles/4/edit",
        "/roles/4/delete",
        "/roles/permissions",
    ] {
        alice.get(path).assert_status(403);
        alice
            .submit(
                &token,
                path,
                &[("shown[4]", ""), ("permissions[4][]", "manage_news")],
            )
            .assert_status(403);
    }
    assert!(!has(&world, 4, Permission::ManageNews));
}
