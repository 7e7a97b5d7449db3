//! What somebody may do in a project, and why: the page and the API.

use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, MANAGER, World, insert_group, user};
use regex::Regex;
use serde_json::Value;

/// Returns the row of a permission on a page.
#[track_caller]
fn row(world: &World, id: &str, project: &str, label: &str) -> String {
    let admin = Browser::logged_in(world, "admin");
    let path = format!("/users/{id}/permissions?project={project}");
    let page = admin.get(&path).assert_status(200);
    let pattern = format!("(?s)<tr><td>{label}</td>(.*?)</tr>");
    let row = Regex::new(&pattern).unwrap().captures(&page.body).unwrap();
    let tags = Regex::new("<[^>]*>").unwrap();
    let text = tags.replace_all(&row[1], " ").into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a permission in the API.
#[track_caller]
fn explained(world: &World, id: &str, project: &str, name: &str) -> Value {
    let path = format!("/users/{id}/permissions.json?project_id={project}");
    let reply = world.as_user("admin").get(&path).assert_status(200);
    reply
        .array("/permissions")
        .into_iter()
        .find(|permission| permission["name"] == name)
        .unwrap()
}

#[test]
fn every_rule_is_named() {
    let world = World::with_projects();
    let create = "Create issues";
    let in_open = |id| row(&world, id, "open", create);
    assert_eq!(in_open("1"), "yes Administrator.");
    assert_eq!(in_open("3"), "yes Role Developer.");
    assert_eq!(in_open("5"), "yes Role Non member.");
    assert_eq!(in_open("anonymous"), "no No role gives it.");
    assert_eq!(
        row(&world, "anonymous", "open", "View issues"),
        "yes Role Anonymous."
    );
    assert_eq!(
        row(&world, "3", "open", "Delete issues"),
        "no No role gives it."
    );
    assert_eq!(in_open("6"), "no The user cannot log in.");
    assert_eq!(
        row(&world, "5", "secret", create),
        "no The project is private, and the user not a member."
    );
    world.sql("DELETE FROM enabled_modules WHERE project_id = (SELECT id FROM projects WHERE identifier = 'open') AND name = 'issue_tracking'");
    assert_eq!(in_open("3"), "no The module Issues is off.");
    world.sql("UPDATE projects SET status = 5 WHERE identifier = 'open'");
    assert_eq!(
        row(&world, "2", "open", "Edit the project"),
        "no The project is closed."
    );
    assert_eq!(
        row(&world, "2", "open", "Close and reopen the project"),
        "yes Role Manager."
    );
    world.sql("UPDATE projects SET status = 9 WHERE identifier = 'open'");
    assert_eq!(
        row(&world, "2", "open", "View the project"),
        "no The project is archived."
    );
}

#[test]
fn roles_of_groups_and_of_projects_above_are_named() {
    let world = World::new();
    world
        .project("above")
        .private()
        .member("bob", DEVELOPER)
        .create();
    let below = world.project("below").private().create();
    world.sql(&format!("UPDATE projects SET inherit_members = 1, parent_id = (SELECT id FROM projects WHERE identifier = 'above') WHERE id = {below}"));
    let now = world.app.clock.now();
    let crew = world.write(move |db| insert_group(db, "Crew <b>", &[user("bob")], now));
    world.sql(&format!(
        "INSERT INTO members (id, project_id, user_id, created_on) VALUES (90, {below}, {crew}, 0)"
    ));
    world.sql(&format!(
        "INSERT INTO member_roles (member_id, role_id) VALUES (90, {MANAGER})"
    ));
    let above = world
        .app
        .store
        .catalogue()
        .unwrap()
        .project_by("above")
        .unwrap()
        .name
        .clone();
    assert_eq!(
        row(&world, "3", "below", "Edit issues"),
        format!(
            "yes Role Manager, through the group Crew &#60;b&#62;. Role Developer, inherited from {above}."
        )
    );
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/users/3/permissions?project=below")
        .assert_status(200)
        .assert_contains("<li>Through the group Crew &#60;b&#62; with the role Manager.</li>")
        .assert_contains(&format!(
            "<li>Member with the role Developer, inherited from {above}.</li>"
        ))
        .assert_contains("<li>The project is private: only members see it.</li>");
    let explained = explained(&world, "3", "below", "edit_issues");
    assert_eq!(explained["effective"], true);
    assert_eq!(explained["rule"], "role");
    assert_eq!(explained["roles"][0]["group"]["name"], "Crew <b>");
    assert_eq!(explained["roles"][1]["source"], "member");
    assert_eq!(explained["roles"][1]["inherited_from"]["name"], above);
}

#[test]
fn limits_to_trackers_are_named() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET settings_json = '{\"permissions_all_trackers\": {\"add_issues\": \"0\"}, \"permissions_tracker_ids\": {\"add_issues\": [\"2\"]}}' WHERE id = 4");
    assert_eq!(
        row(&world, "3", "open", "Create issues"),
        "yes Role Developer. Only for issues of: Feature."
    );
    let explained = explained(&world, "3", "open", "add_issues");
    assert_eq!(explained["trackers"][0]["id"], 2);
}

#[test]
fn only_administrators_ask() {
    let world = World::with_projects();
    let admin = world.as_user("admin");
    for (path, status) in [
        ("/users/3/permissions.json?project_id=open", 200),
        ("/users/3/permissions.xml?project_id=1", 200),
        ("/users/anonymous/permissions.xml?project_id=open", 200),
        ("/users/3/permissions.json", 422),
        ("/users/3/permissions.json?project_id=", 422),
        ("/users/3/permissions.json?project_id=nowhere", 404),
        ("/users/99/permissions.json?project_id=open", 404),
        ("/users/x/permissions.json?project_id=open", 404),
        ("/users/3/permissions.json?project_id[]=open", 422),
    ] {
        admin.get(path).assert_status(status);
    }
    for login in ["alice", "bob"] {
        world
            .as_user(login)
            .get("/users/3/permissions.json?project_id=open")
            .assert_status(403);
    }
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/users/3/permissions?project=open")
        .assert_status(403);
    let admin = Browser::logged_in(&world, "admin");
    admin
        .get("/users/3/permissions")
        .assert_status(200)
        .assert_contains("Choose a project");
    admin
        .get("/users/3/permissions?project=nowhere")
        .assert_status(404);
    admin
        .get("/users/3/edit")
        .assert_status(200)
        .assert_contains("href=\"/users/3/permissions\"");
}
