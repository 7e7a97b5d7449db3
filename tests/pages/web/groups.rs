//! Managing groups in the browser.

use super::members::offered;
use super::roles::{form_fields, send};
use quarry::domain::accounts::group::Group;
use quarry::domain::ids::{PrincipalId, UserId};
use quarry_world::browser::Browser;
use quarry_world::{MANAGER, World, insert_group, user};

const USERS: &str = "group[user_ids][]";

fn group(world: &World, id: PrincipalId) -> Option<Group> {
    let catalogue = world.app.store.catalogue().unwrap();
    catalogue.groups.get(&id).cloned()
}

fn insert(world: &World, name: &'static str, logins: &[&str]) -> PrincipalId {
    let now = world.app.clock.now();
    let users: Vec<UserId> = logins.iter().map(|login| user(login)).collect();
    world.write(move |db| insert_group(db, name, &users, now))
}

/// Returns the fields of a form as they are sent, with other chosen users.
fn with_users(fields: &[(String, String)], users: &[&str]) -> Vec<(String, String)> {
    let mut fields: Vec<_> = fields.to_vec();
    fields.retain(|(name, _)| name != USERS);
    fields.push((USERS.to_owned(), String::new()));
    fields.extend(users.iter().map(|id| (USERS.to_owned(), (*id).to_owned())));
    fields
}

fn as_texts(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    let fields = fields.iter();
    fields
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

#[test]
fn group_is_created_changed_and_deleted() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/groups")
        .assert_status(200)
        .assert_contains("There is no group yet.");
    let page = admin.get("/groups/new").assert_status(200);
    send(&admin, &page, "/groups/new", &[("group[name]", "")])
        .assert_status(422)
        .assert_contains("Name cannot be blank");
    let new = [("group[name]", "Crew & co"), (USERS, "3"), (USERS, "4")];
    let reply = send(&admin, &page, "/groups/new", &new).assert_status(303);
    let path = reply.location().to_owned();
    let id: i64 = path.split('/').nth(2).unwrap().parse().unwrap();
    let id = PrincipalId(id);
    assert_eq!(group(&world, id).unwrap().users, [UserId(3), UserId(4)]);
    world.sql(&format!(
        "INSERT INTO members (id, project_id, user_id, created_on) VALUES (90, 1, {id}, 0)"
    ));
    world.sql(&format!(
        "INSERT INTO member_roles (member_id, role_id) VALUES (90, {MANAGER})"
    ));
    let page = admin
        .get(&path)
        .assert_status(200)
        .assert_contains("/settings/members\">")
        .assert_contains("Manager");
    let changed = [("group[name]", "Sailors"), (USERS, "4"), (USERS, "5")];
    send(&admin, &page, &path, &changed).assert_status(303);
    let stored = group(&world, id).unwrap();
    assert_eq!(stored.name, "Sailors");
    assert_eq!(stored.users, [UserId(4), UserId(5)]);
    admin
        .get("/groups")
        .assert_status(200)
        .assert_contains("Sailors")
        .assert_contains("data-label=\"Users\">2<");
    let delete = format!("/groups/{id}/delete");
    let page = admin
        .get(&delete)
        .assert_status(200)
        .assert_contains("2 users are in the group, and stay.")
        .assert_contains("(Manager).");
    admin.submit(&page, &delete, &[]).assert_status(303);
    assert!(group(&world, id).is_none());
    admin.get(&delete).assert_status(404);
    admin.submit(&page, &delete, &[]).assert_status(404);
}

#[test]
fn form_changes_only_the_users_that_it_showed() {
    let world = World::with_projects();
    let id = insert(&world, "Crew", &["bob", "carol"]);
    let path = format!("/groups/{id}/edit");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(&path).assert_status(200);
    // Meanwhile, somebody adds dave and removes carol.
    let other = Browser::logged_in(&world, "admin");
    let theirs = other.get(&path).assert_status(200);
    send(&other, &theirs, &path, &[(USERS, "3"), (USERS, "5")]).assert_status(303);
    let mine = with_users(&form_fields(&page), &["4", "1"]);
    admin
        .submit(&page, &path, &as_texts(&mine))
        .assert_status(303);
    assert_eq!(group(&world, id).unwrap().users, [UserId(1), UserId(5)]);
    // A user who does not exist.
    let page = admin.get(&path).assert_status(200);
    let unknown = with_users(&form_fields(&page), &["1", "5", "999", "x"]);
    admin
        .submit(&page, &path, &as_texts(&unknown))
        .assert_status(422)
        .assert_contains("Users is invalid");
    // Without the list, nobody leaves.
    admin
        .submit(&page, &path, &[("group[name]", "Crew 2")])
        .assert_status(303);
    assert_eq!(group(&world, id).unwrap().users, [UserId(1), UserId(5)]);
}

#[test]
fn users_are_searched_and_choices_stay() {
    let world = World::with_projects();
    world.sql("WITH RECURSIVE s (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM s WHERE n < 400) INSERT INTO users (id, type, login, firstname, lastname, status, created_on, updated_on) SELECT n, 'User', 'many' || n, 'Many', 'Number' || n, 1, 0, 0 FROM s");
    world.sql("INSERT INTO users (id, type, lastname, created_on, updated_on) VALUES (20, 'Group', 'Big', 0, 0)");
    world.sql("INSERT INTO group_users (group_id, user_id) SELECT 20, id FROM users WHERE id BETWEEN 100 AND 399");
    let id = PrincipalId(20);
    let path = format!("/groups/{id}/edit");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin
        .get(&path)
        .assert_status(200)
        .assert_contains("more: search for them by name.");
    assert_eq!(offered(&page.body, USERS).len(), 200);
    // Remove the first one, then search for bob and add him.
    let first = offered(&page.body, USERS)[0].clone();
    let mut fields = form_fields(&page);
    fields.retain(|(name, value)| name != USERS || *value != first);
    fields.retain(|(name, _)| name != "name");
    fields.push(("name".to_owned(), "BOB".to_owned()));
    fields.push(("do".to_owned(), "search".to_owned()));
    let found = admin
        .submit(&page, &path, &as_texts(&fields))
        .assert_status(200);
    assert_eq!(offered(&found.body, USERS), [first.as_str(), "3"]);
    let mut fields = form_fields(&found);
    assert!(
        !fields.contains(&(USERS.to_owned(), first.clone())),
        "still removed"
    );
    fields.push((USERS.to_owned(), "3".to_owned()));
    // Another search keeps both.
    let again = with_search(&fields, "nobody at all");
    let found = admin
        .submit(&found, &path, &as_texts(&again))
        .assert_status(200);
    assert_eq!(offered(&found.body, USERS), ["3", first.as_str()]);
    let fields = form_fields(&found);
    admin
        .submit(&found, &path, &as_texts(&fields))
        .assert_status(303);
    let users = group(&world, id).unwrap().users;
    assert_eq!(users.len(), 300);
    assert!(users.contains(&UserId(3)) && !users.contains(&UserId(first.parse().unwrap())));
}

fn with_search(fields: &[(String, String)], words: &str) -> Vec<(String, String)> {
    let mut fields = fields.to_vec();
    fields.retain(|(name, _)| name != "name");
    fields.push(("name".to_owned(), words.to_owned()));
    fields.push(("do".to_owned(), "search".to_owned()));
    fields
}

#[test]
fn taking_off_a_required_second_factor_needs_the_password() {
    let world = World::with_projects();
    let id = insert(&world, "Crew", &["bob", "carol"]);
    let path = format!("/groups/{id}/edit");
    let delete = format!("/groups/{id}/delete");
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(&path).assert_status(200);
    assert!(!page.body.contains("Your password"), "{page:?}");
    send(&admin, &page, &path, &[("group[twofa_required]", "1")]).assert_status(303);
    assert!(group(&world, id).unwrap().requires_second_factor);
    let page = admin
        .get(&path)
        .assert_status(200)
        .assert_contains("Your password");
    for change in [("group[twofa_required]", "0"), (USERS, "4")] {
        send(&admin, &page, &path, &[change])
            .assert_status(422)
            .assert_contains("Enter your password.");
        send(&admin, &page, &path, &[change, ("password", "wrong")])
            .assert_status(422)
            .assert_contains("This is not your password.");
    }
    let stored = group(&world, id).unwrap();
    assert!(stored.requires_second_factor && stored.users.len() == 2);
    // Another user joins without it.
    let joined = [(USERS, "3"), (USERS, "4"), (USERS, "5")];
    send(&admin, &page, &path, &joined).assert_status(303);
    let confirm = admin.get(&delete).assert_status(200);
    admin.submit(&confirm, &delete, &[]).assert_status(422);
    assert!(group(&world, id).is_some());
    let off = [("group[twofa_required]", "0"), ("password", "adminadmin")];
    send(&admin, &page, &path, &off).assert_status(303);
    assert!(!group(&world, id).unwrap().requires_second_factor);
}

#[test]
fn only_administrators_see_and_change_groups() {
    let world = World::with_projects();
    let id = insert(&world, "Crew", &["bob"]);
    let alice = Browser::logged_in(&world, "alice");
    let token = alice.get("/my/account").assert_status(200);
    alice.get("/groups").assert_status(403);
    for path in [
        "/groups/new".to_owned(),
        format!("/groups/{id}/edit"),
        format!("/groups/{id}/delete"),
    ] {
        alice.get(&path).assert_status(403);
        let fields = [("group[name]", "Mine"), (USERS, "2")];
        alice.submit(&token, &path, &fields).assert_status(403);
    }
    assert_eq!(group(&world, id).unwrap().name, "Crew");
}
