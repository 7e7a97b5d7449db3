//! Versions, categories, forums and repositories of a project in the browser.

use super::project_settings::{open_world, submit};
use quarry_world::browser::Browser;
use serde_json::json;

#[test]
fn categories_are_created_changed_and_replaced() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let list = "/projects/open/settings/categories";
    alice.get(list).assert_contains("There is no category yet.");
    for name in ["Engine", "Hull"] {
        let form = [
            ("issue_category[name]", name),
            ("issue_category[assigned_to_id]", "3"),
        ];
        let created = submit(&alice, "/projects/open/issue_categories/new", &form);
        assert_eq!(created.assert_status(303).location(), list);
    }
    let form = [("issue_category[name]", "Engine")];
    submit(&alice, "/projects/open/issue_categories/new", &form)
        .assert_status(422)
        .assert_contains("Name has already been taken");
    submit(
        &alice,
        "/issue_categories/1/edit",
        &[("issue_category[name]", "Motor")],
    )
    .assert_status(303);
    alice
        .get(list)
        .assert_contains("Motor")
        .assert_contains("bob Tester");
    let issue = world.as_user("alice").post(
        "/issues.json",
        json!({"issue": {"project_id": "open", "subject": "x", "category_id": 1}}),
    );
    let issue = issue.assert_status(201).json_path("/issue/id");
    let page = alice.get("/issue_categories/1/delete").assert_status(200);
    page.assert_contains("Hull");
    let form = [("reassign_to_id", "2")];
    submit(&alice, "/issue_categories/1/delete", &form).assert_status(303);
    let shown = world.show_issue("alice", issue.as_i64().unwrap(), "");
    assert_eq!(shown["category"]["name"], "Hull");
}

#[test]
fn versions_are_created_changed_completed_and_deleted() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let list = "/projects/open/settings/versions";
    for form in [
        [
            ("version[name]", "1.0"),
            ("version[due_date]", "2026-11-01"),
        ],
        [
            ("version[name]", "2.0"),
            ("version[due_date]", "2027-11-01"),
        ],
    ] {
        submit(&alice, "/projects/open/versions/new", &form).assert_status(303);
    }
    let form = [("version[name]", "3.0"), ("version[due_date]", "soon")];
    submit(&alice, "/projects/open/versions/new", &form)
        .assert_status(422)
        .assert_contains("Due date is not a valid date");
    submit(&alice, "/versions/2/edit", &[("version[name]", "2.1")]).assert_status(303);
    let page = "/projects/open/versions/close_completed";
    let shown = alice.get(page).assert_status(200);
    assert!(shown.body.contains("1.0") && !shown.body.contains("2.1"));
    submit(&alice, page, &[]).assert_status(303);
    alice.get(list).assert_contains("2.1");
    let client = world.as_user("alice");
    let status = |id: i64| {
        client
            .get(&format!("/versions/{id}.json"))
            .json_path("/version/status")
    };
    assert_eq!((status(1), status(2)), (json!("closed"), json!("open")));
    let issue = json!({"issue": {"project_id": "open", "subject": "x", "fixed_version_id": 2}});
    client.post("/issues.json", issue).assert_status(201);
    submit(&alice, "/versions/2/delete", &[])
        .assert_status(422)
        .assert_contains("it is the target version of issues");
    submit(&alice, "/versions/1/delete", &[]).assert_status(303);
    client.get("/versions/1.json").assert_status(404);
}

#[test]
fn forums_and_repositories_are_managed() {
    let world = open_world();
    let alice = Browser::logged_in(&world, "alice");
    let form = [("board[name]", "Quay"), ("board[description]", "Talk")];
    submit(&alice, "/projects/open/boards/new", &form).assert_status(303);
    submit(&alice, "/boards/1/edit", &[("board[name]", "Deck")]).assert_status(303);
    alice
        .get("/projects/open/settings/boards")
        .assert_contains("Deck");
    submit(&alice, "/boards/1/edit", &[("board[name]", "")])
        .assert_status(422)
        .assert_contains("Name cannot be blank");
    submit(
        &alice,
        "/projects/open/boards/new",
        &[("board[name]", "Pier")],
    )
    .assert_status(303);
    let list = "/projects/open/settings/boards";
    let page = alice.get(list).assert_status(200);
    assert!(page.body.find("Deck") < page.body.find("Pier"));
    let moved = [("board[position]", "1")];
    alice
        .submit(&page, "/boards/2/edit", &moved)
        .assert_status(303);
    let page = alice.get(list).assert_status(200);
    assert!(page.body.find("Pier") < page.body.find("Deck"));
    submit(&alice, "/boards/1/delete", &[]).assert_status(303);

    submit(
        &alice,
        "/projects/open/repositories/new",
        &[("repository[scm]", "Git")],
    )
    .assert_status(303);
    let form = [
        ("repository[identifier]", "tools"),
        ("repository[scm]", "Git"),
    ];
    submit(&alice, "/projects/open/repositories/new", &form).assert_status(303);
    alice
        .get("/projects/open/settings/repositories")
        .assert_contains("Main repository")
        .assert_contains("tools");
    let form = [("repository[identifier]", "12")];
    submit(&alice, "/repositories/1/edit", &form).assert_status(422);
    submit(&alice, "/repositories/2/delete", &[]).assert_status(303);
    alice.get("/repositories/2/edit").assert_status(404);
}
