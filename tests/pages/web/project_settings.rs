//! The settings of a project in the browser.

use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::{Value, json};

const SETTINGS: &str = "/projects/open/settings";

/// Sends the form of a page to the address of the page.
pub fn submit(browser: &Browser<'_>, path: &str, fields: &[(&str, &str)]) -> Response {
    let page = browser.get(path).assert_status(200);
    browser.submit(&page, path, fields)
}

/// Returns a value of the project `open` as the API shows it.
fn project(world: &World, include: &str, pointer: &str) -> Value {
    let path = format!("/projects/1.json?include={include}");
    world
        .as_user("admin")
        .get(&path)
        .assert_status(200)
        .json_path(&format!("/project/{pointer}"))
}

pub fn open_world() -> World {
    let world = World::with_projects();
    assert_eq!(project(&world, "", "identifier"), "open");
    world
}

#[test]
fn manager_changes_the_information() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let saved = submit(
        &alice,
        SETTINGS,
        &[
            ("project[name]", "Harbour"),
            ("project[description]", "Ships"),
            ("project[is_public]", "0"),
        ],
    );
    assert_eq!(saved.assert_status(303).location(), SETTINGS);
    assert_eq!(project(&world, "", "name"), "Harbour");
    assert_eq!(project(&world, "", "is_public"), false);
    let wrong = submit(
        &alice,
        SETTINGS,
        &[
            ("project[name]", ""),
            ("project[homepage]", "https://kept.example"),
        ],
    );
    wrong
        .assert_status(422)
        .assert_contains("id=\"project[name]-error\"")
        .assert_contains("https://kept.example")
        .assert_contains("<title>Error: Information");
    assert_eq!(project(&world, "", "homepage"), "");
}

#[test]
fn former_identifier_keeps_leading_to_the_project() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    world.issue("open").subject("Harbour pump").create();
    let saved = submit(&alice, SETTINGS, &[("project[identifier]", "harbour")]);
    assert_eq!(
        saved.assert_status(303).location(),
        "/projects/harbour/settings"
    );
    for path in ["/projects/open/issues", "/projects/harbour/issues"] {
        alice
            .get(path)
            .assert_status(200)
            .assert_contains("Harbour pump");
    }
    let bob = world.as_user("bob");
    bob.get("/projects/open.json").assert_status(200);
    assert_eq!(world.count_hits("bob", "project:open+pump"), 1);
    assert_eq!(world.count_hits("bob", "project:harbour+pump"), 1);
    // Neither a new project nor another one gets it; the project itself does.
    let taken = "has already been taken";
    let admin = Browser::logged_in(&world, "admin");
    let new = [("project[name]", "Other"), ("project[identifier]", "open")];
    submit(&admin, "/projects/new", &new)
        .assert_status(422)
        .assert_contains(taken);
    submit(
        &alice,
        "/projects/secret/settings",
        &[("project[identifier]", "open")],
    )
    .assert_status(422)
    .assert_contains(taken);
    for wrong in ["", "Open", "1st", "a b", "new"] {
        let form = [("project[identifier]", wrong)];
        submit(&alice, "/projects/harbour/settings", &form).assert_status(422);
    }
    submit(
        &alice,
        "/projects/harbour/settings",
        &[("project[identifier]", "open")],
    )
    .assert_status(303);
    assert_eq!(project(&world, "", "identifier"), "open");
    alice.get("/projects/harbour").assert_status(200);
    // A deletion frees both.
    let delete = [("confirm", "open")];
    submit(&admin, "/projects/open/delete", &delete).assert_status(303);
    alice.get("/projects/harbour").assert_status(404);
    let new = [
        ("project[name]", "Other"),
        ("project[identifier]", "harbour"),
    ];
    submit(&admin, "/projects/new", &new).assert_status(303);
}

#[test]
fn identifier_changes_together_with_other_fields() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    for (identifier, name) in [("one", "One"), ("two", "Two"), ("three", "Three")] {
        let form = [("project[identifier]", identifier), ("project[name]", name)];
        let page = alice.get("/projects/1/settings").assert_status(200);
        let saved = alice.submit(&page, "/projects/1/settings", &form);
        assert_eq!(
            saved.assert_status(303).location(),
            format!("/projects/{identifier}/settings")
        );
        assert_eq!(project(&world, "", "identifier"), identifier);
        assert_eq!(project(&world, "", "name"), name);
    }
    let form = [("project[identifier]", "four"), ("project[name]", "")];
    submit(&alice, "/projects/three/settings", &form).assert_status(422);
    assert_eq!(project(&world, "", "identifier"), "three");
    // Former identifiers cannot be piled up, so that others find free ones.
    let rename = |identifier: &str| {
        let page = alice.get("/projects/1/settings").assert_status(200);
        let form = [("project[identifier]", identifier)];
        alice.submit(&page, "/projects/1/settings", &form).status
    };
    let statuses: Vec<u16> = (0..20)
        .map(|number| rename(&format!("n-{number}")))
        .collect();
    assert_eq!((statuses[0], statuses[19]), (303, 422));
    assert_eq!(rename("open"), 303);
}

#[test]
fn modules_trackers_and_defaults_are_chosen() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let modules = [
        ("project[enabled_module_names][]", "issue_tracking"),
        ("project[enabled_module_names][]", "wiki"),
    ];
    submit(&alice, "/projects/open/settings/modules", &modules).assert_status(303);
    let names = project(&world, "enabled_modules", "enabled_modules");
    let names: Vec<&str> = names
        .as_array()
        .unwrap()
        .iter()
        .map(|module| module["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["issue_tracking", "wiki"]);
    let form = [
        ("project[tracker_ids][]", "1"),
        ("project[default_assigned_to_id]", "3"),
    ];
    submit(&alice, "/projects/open/settings/issues", &form).assert_status(303);
    assert_eq!(
        project(&world, "trackers", "trackers")
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(project(&world, "", "default_assignee/id"), 3);
    let form = [("project[default_assigned_to_id]", "5")];
    submit(&alice, "/projects/open/settings/issues", &form)
        .assert_status(422)
        .assert_contains("id=\"project[default_assigned_to_id]-error\"");
}

#[test]
fn only_those_with_the_permission_change_a_project() {
    let world = open_world();
    let bob = Browser::logged_in(&world, "bob");
    let dave = Browser::logged_in(&world, "dave");
    let pages = [
        "/projects/secret/settings",
        "/projects/secret/settings/modules",
        "/projects/secret/settings/issues",
        "/projects/secret/settings/status",
        "/projects/secret/delete",
    ];
    for path in pages {
        dave.get(path).assert_status(404);
        bob.get(&path.replace("secret", "open")).assert_status(403);
        let page = bob.get("/").assert_status(200);
        let form = [("project[name]", "Taken"), ("confirm", "open")];
        let refused = bob.submit(&page, &path.replace("secret", "open"), &form);
        assert!(matches!(refused.status, 403 | 404), "{path}: {refused:?}");
    }
    let overview = bob.get("/projects/open").assert_status(200);
    assert!(!overview.body.contains(&format!("{SETTINGS}\"")));
    assert_ne!(project(&world, "", "name"), "Taken");
}

#[test]
fn project_is_closed_reopened_archived_and_restored() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    let status = || project(&world, "", "status");
    submit(&alice, "/projects/open/close", &[]).assert_status(303);
    assert_eq!(status(), 5);
    alice.get(SETTINGS).assert_status(403);
    submit(&alice, "/projects/open/reopen", &[]).assert_status(303);
    assert_eq!(status(), 1);
    alice.get("/projects/open/archive").assert_status(403);
    let archived = submit(&admin, "/projects/open/archive", &[]).assert_status(303);
    assert_eq!(archived.location(), "/admin/projects");
    alice.get("/projects/open").assert_status(404);
    admin
        .get("/admin/projects")
        .assert_contains("/projects/open/unarchive");
    submit(&admin, "/projects/open/unarchive", &[]).assert_status(303);
    assert_eq!(status(), 1);
    alice.get("/projects/open").assert_status(200);
}

#[test]
fn project_is_deleted_when_its_identifier_is_typed() {
    let world = open_world();
    let admin = Browser::logged_in(&world, "admin");
    world.issue("open").create();
    for typed in ["", "secret", "OPEN"] {
        submit(&admin, "/projects/open/delete", &[("confirm", typed)])
            .assert_status(422)
            .assert_contains("id=\"confirm-error\"");
    }
    let deleted = submit(&admin, "/projects/open/delete", &[("confirm", "open")]);
    deleted.assert_status(303);
    world
        .as_user("admin")
        .get("/projects/1.json")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/issues/1.json")
        .assert_status(404);
}

#[test]
fn members_are_copied_with_the_roles_that_the_viewer_may_give() {
    let world = World::with_projects();
    world
        .project("third")
        .member("alice", quarry_world::MANAGER)
        .create();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/projects/third/memberships/copy";
    let copied = submit(&alice, path, &[("from_project_id", "1")]).assert_status(303);
    assert_eq!(copied.location(), "/projects/third/settings/members");
    alice
        .get(copied.location())
        .assert_contains("2 members were added.")
        .assert_contains("bob Tester")
        .assert_contains("carol Tester");
    submit(&alice, path, &[("from_project_id", "1")]).assert_status(303);
    for wrong in ["", "99", "x"] {
        submit(&alice, path, &[("from_project_id", wrong)])
            .assert_status(422)
            .assert_contains("id=\"from_project_id-error\"");
    }
    let bob = Browser::logged_in(&world, "bob");
    bob.get(path).assert_status(403);
}

#[test]
fn project_like_another_one_has_its_members_versions_categories_and_forums() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    for (path, field) in [
        ("/projects/open/versions/new", "version[name]"),
        (
            "/projects/open/issue_categories/new",
            "issue_category[name]",
        ),
        ("/projects/open/boards/new", "board[name]"),
    ] {
        submit(&admin, path, &[(field, "Anchor")]).assert_status(303);
    }
    let page = admin.get("/projects/new?copy_from=open").assert_status(200);
    assert!(page.body.contains("New project like"), "{page:?}");
    let form = [
        ("project[name]", "Twin"),
        ("project[identifier]", "twin"),
        ("project[tracker_ids][]", "2"),
        ("copy_from", "open"),
        ("copy[]", "members"),
        ("copy[]", "versions"),
        ("copy[]", "categories"),
        ("copy[]", "boards"),
    ];
    admin
        .submit(&page, "/projects/new", &form)
        .assert_status(303);
    for settings in ["versions", "categories", "boards"] {
        admin
            .get(&format!("/projects/twin/settings/{settings}"))
            .assert_contains("Anchor");
    }
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/projects/twin/settings/members")
        .assert_status(200);
    assert!(page.body.contains("bob Tester") && page.body.contains("carol Tester"));
    // Nobody else copies a project.
    alice
        .get("/projects/new?copy_from=secret")
        .assert_status(403);
    let page = alice.get("/projects/new").assert_status(200);
    let form = [
        ("project[name]", "Third"),
        ("project[identifier]", "third"),
        ("copy_from", "open"),
    ];
    alice
        .submit(&page, "/projects/new", &form)
        .assert_status(403);
}

#[test]
fn activities_of_a_project_are_chosen_and_logged_time_keeps_its_own() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let client = world.as_user("alice");
    let log = |activity: i64| {
        let entry = json!({"project_id": "open", "hours": 1, "activity_id": activity});
        client
            .post("/time_entries.json", json!({"time_entry": entry}))
            .status
    };
    let activities = || {
        let path = "/projects/1.json?include=time_entry_activities";
        let list = client.get(path).json_path("/project/time_entry_activities");
        let list = list.as_array().unwrap().clone();
        let ids = list.iter().map(|activity| activity["id"].as_i64().unwrap());
        ids.collect::<Vec<_>>()
    };
    let before = activities();
    assert_eq!(log(before[0]), 201);
    let path = "/projects/open/settings/activities";
    let kept = before[1].to_string();
    let form = [("project[activity_ids][]", kept.as_str())];
    submit(&alice, path, &form).assert_status(303);
    assert_eq!(activities(), [before[1]]);
    assert_eq!(log(before[0]), 422);
    assert_eq!(log(before[1]), 201);
    let entries = client.get("/time_entries.json?project_id=open");
    assert_eq!(entries.assert_status(200).json_path("/total_count"), 2);
    submit(&alice, path, &[("project[activity_ids][]", "")])
        .assert_status(422)
        .assert_contains("Activities cannot be empty");
    let both: Vec<String> = before.iter().map(ToString::to_string).collect();
    let form: Vec<_> = both
        .iter()
        .map(|id| ("project[activity_ids][]", id.as_str()))
        .collect();
    submit(&alice, path, &form).assert_status(303);
    assert_eq!(activities(), before);
    let other = world
        .as_user("admin")
        .get("/projects/2.json?include=time_entry_activities");
    let other = other.json_path("/project/time_entry_activities");
    assert_eq!(other.as_array().unwrap().len(), before.len());
}

#[test]
fn start_page_and_shared_queries_are_managed() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/projects/open/settings/wiki";
    alice.get(path).assert_contains("no page yet");
    let client = world.as_user("alice");
    let text = json!({"wiki_page": {"text": "Hello"}});
    client
        .put("/projects/open/wiki/Welcome.json", text)
        .assert_status(201);
    submit(&alice, path, &[("wiki[title]", "welcome")]).assert_status(303);
    alice.get("/projects/open/wiki").assert_contains("Hello");
    submit(&alice, path, &[("wiki[title]", "")]).assert_status(422);

    let query = json!({"query": {"name": "Late", "project_id": "open", "visibility": "public", "type": "IssueQuery"}});
    client.post("/queries.json", query).assert_status(201);
    alice
        .get("/projects/open/settings/queries")
        .assert_contains("Late")
        .assert_contains("/queries/1/delete");
    submit(&alice, "/queries/1/delete", &[]).assert_status(303);
    alice
        .get("/projects/open/settings/queries")
        .assert_contains("There are no shared queries yet.");
}
