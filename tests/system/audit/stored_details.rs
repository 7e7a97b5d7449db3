//! What events of the stored audit log say, and whom they name (operations 10.1).

use super::stored::{events, finish_deferred_writes, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{App, form, tokens};
use quarry_world::process::message;
use serde_json::json;

/// Creates a user whose full name is `first last`. Returns the id.
fn create_user(world: &World, login: &str, first: &str, last: &str) -> i64 {
    let user = json!({"user": {
        "login": login, "firstname": first, "lastname": last,
        "mail": format!("{login}@example.net"), "password": "a-new-password-1"
    }});
    let created = world.as_user("admin").post("/users.json", user);
    created.assert_status(201).json()["user"]["id"]
        .as_i64()
        .unwrap()
}

#[test]
fn deletion_of_a_user_removes_no_name_of_somebody_or_something_else() {
    let world = world();
    let admin = world.as_user("admin");
    let setting = json!({"setting": {"value": "New"}});
    admin
        .put("/settings/app_title.json", setting)
        .assert_status(200);
    let group = json!({"group": {"name": "Ann Lee"}});
    admin.post("/groups.json", group).assert_status(201);
    let namesake = create_user(&world, "app_title", "Ann", "Lee");
    let member = json!({"membership": {"user_id": namesake, "role_ids": [4]}});
    admin
        .post("/projects/open/memberships.json", member)
        .assert_status(201);
    admin
        .delete(&format!("/users/{namesake}.json"))
        .assert_status(200);
    let named = events(
        &world,
        "name",
        "record IN ('setting', 'group') AND change IN ('created', 'updated')",
    );
    assert_eq!(named, [["app_title"], ["Ann Lee"]]);
    let of_user =
        format!("record = 'user' AND record_id = {namesake} OR principal_id = {namesake}");
    let left = events(&world, "record, change, name, changes_json", &of_user);
    for event in &left {
        assert_eq!(event[2], "", "{event:?}");
        assert!(!event[3].contains("Ann"), "{event:?}");
        assert!(!event[3].contains("example.net"), "{event:?}");
    }
    // What rights somebody had stays.
    let created = left.iter().find(|event| event[1] == "created").unwrap();
    assert!(created[3].contains("administrator"), "{created:?}");
}

#[test]
fn user_who_joins_a_group_is_named_on_the_page_and_by_id_in_the_store() {
    let world = world();
    let admin = world.as_user("admin");
    let group = json!({"group": {"name": "Auditors", "user_ids": [3]}});
    let group = admin.post("/groups.json", group).assert_status(201);
    let group = &group.json()["group"]["id"];
    let joined = events(
        &world,
        "id, name, details, principal_id",
        "change = 'user added'",
    );
    assert_eq!(joined.len(), 1, "{joined:?}");
    assert_eq!(joined[0][1..], ["Auditors", "user 3", "3"]);
    let browser = Browser::logged_in(&world, "admin");
    for path in ["/admin/audit?record=group", "/admin/audit?user=bob"] {
        let page = browser.get(path).assert_status(200);
        page.assert_contains("Group Auditors: user added")
            .assert_contains("bob Tester");
    }
    let event = format!("/admin/audit/{}", joined[0][0]);
    browser.get(&event).assert_contains("bob Tester");
    let path = format!("/groups/{group}/users/3.json");
    admin.delete(&path).assert_status(204);
    let page = browser.get("/admin/audit?record=group").assert_status(200);
    page.assert_contains("Group Auditors: user removed");
    admin.delete("/users/3.json").assert_status(200);
    browser.get(&event).assert_contains("user 3");
    let again = json!({"user_id": 4});
    let path = format!("/groups/{group}/users.json");
    admin.post(&path, again).assert_status(204);
    let data = world.into_data();
    let mut list = data.quarry(&["audit", "list", "--kind", "group"]);
    let list = message(&list.output().unwrap());
    let row = list.lines().find(|line| line.contains("user added"));
    let row = row.unwrap();
    assert!(row.contains("group Auditors: user added"), "{row}");
    assert!(row.ends_with("carol Tester"), "{row}");
    assert!(list.contains("user 3"), "{list}");
}

#[test]
fn users_of_a_group_are_quoted_where_their_names_have_commas() {
    let world = world();
    world.set(Setting::UserFormat, "lastname_comma_firstname");
    let group = json!({"group": {"name": "Auditors", "user_ids": [3, 4]}});
    let admin = world.as_user("admin");
    admin.post("/groups.json", group).assert_status(201);
    let created = events(&world, "id", "record = 'group' AND change = 'created'");
    let browser = Browser::logged_in(&world, "admin");
    let page = browser.get(&format!("/admin/audit/{}", created[0][0]));
    page.assert_contains("&#34;Tester, bob&#34;, &#34;Tester, carol&#34;");
}

#[test]
fn each_change_of_a_password_has_its_event() {
    let world = world();
    for password in ["another-password-1", "another-password-2"] {
        // The clock of the test stands still.
        world.sql("UPDATE users SET passwd_changed_on = passwd_changed_on - 1000 WHERE id = 5");
        world.sql("UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
        let change = json!({"user": {"password": password}});
        world
            .as_user("admin")
            .put("/users/5.json", change)
            .assert_status(200);
    }
    let found = events(
        &world,
        "record_id",
        "record = 'user' AND change = 'updated'",
    );
    assert_eq!(found, [["5"], ["5"]]);
}

#[test]
fn api_key_that_is_shown_again_and_again_has_few_events() {
    let world = world();
    for _ in 0..20 {
        world
            .as_user("admin")
            .get("/users/3.json")
            .assert_status(200);
    }
    let found = events(&world, "record_id, details", "change = 'API key shown'");
    assert_eq!(found, [["3", ""], ["3", "10 times within an hour"]]);
}

#[test]
fn refused_logins_of_one_address_name_each_account() {
    let world = world();
    for login in ["alice", "alice", "bob"] {
        world
            .anonymous()
            .basic(login, "wrong-password")
            .get("/users/current.json")
            .assert_status(401);
    }
    finish_deferred_writes(&world);
    let found = events(&world, "record_id", "change = 'refused'");
    assert_eq!(found, [["2"], ["3"]]);
}

#[test]
fn all_values_of_a_project_are_recorded() {
    let world = world();
    let admin = world.as_user("admin");
    let field = json!({"custom_field": {
        "name": "Cost centre", "customized_type": "project", "field_format": "string",
        "is_required": false
    }});
    let created = admin.post("/custom_fields.json", field).assert_status(201);
    let id = created.json()["custom_field"]["id"].clone();
    world.sql("DELETE FROM audit_events");
    let change = json!({"project": {
        "description": "Now in Rust", "homepage": "https://example.org/",
        "default_assigned_to_id": 2, "custom_fields": [{"id": id, "value": "4711"}]
    }});
    admin.put("/projects/open.json", change).assert_status(200);
    let found = events(
        &world,
        "changes_json",
        "record = 'project' AND record_id = 1",
    );
    let text = format!("{found:?}");
    for value in ["Now in Rust", "https://example.org/", "user 2", "4711"] {
        assert!(text.contains(value), "{value}: {text}");
    }
}

#[test]
fn token_that_its_application_revokes_is_recorded() {
    let world = world();
    let app = App::confidential(&world, "view_issues");
    let granted = tokens(&world, "bob", &app, "view_issues");
    let body = format!("token={}&{}", granted.refresh, app.credentials());
    form(&world, "/oauth/revoke", &body).assert_status(200);
    let found = events(
        &world,
        "change, principal_id, details",
        "record = 'oauth grant'",
    );
    assert_eq!(
        found.last().unwrap()[..],
        ["revoked", "3", "by the application"]
    );
}

#[test]
fn login_and_logout_are_recorded() {
    let world = world();
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get("/my/account").assert_status(200);
    browser.submit(&page, "/logout", &[]).assert_status(303);
    let found = events(&world, "change, user_id, origin", "record = 'login'");
    assert_eq!(
        found,
        [["succeeded", "3", "session"], ["ended", "3", "session"]]
    );
}
