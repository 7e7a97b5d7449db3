//! Who may use, share and change saved searches, and what they have to do with saved queries.

use super::saved::save;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::search::world;
use serde_json::json;

/// Private searches of bob (1 everywhere, 2 in `open`); of alice one in `secret` for everybody (3),
/// in `open` one for reporters (4) and a public one (5); one of admin for everybody (6).
fn searches(world: &World) {
    let bob = Browser::logged_in(world, "bob");
    let alice = Browser::logged_in(world, "alice");
    let admin = Browser::logged_in(world, "admin");
    let new = "queries?q=rocket&type=SearchQuery";
    let public = ("query[visibility]", "public");
    save(&bob, &format!("/{new}"), &[("query[name]", "Everywhere")]);
    save(
        &bob,
        &format!("/projects/open/{new}"),
        &[("query[name]", "Here")],
    );
    save(
        &alice,
        &format!("/projects/secret/{new}"),
        &[("query[name]", "Confidential"), public],
    );
    save(
        &alice,
        &format!("/projects/open/{new}"),
        &[
            ("query[name]", "Reporters"),
            ("query[visibility]", "roles"),
            ("query[role_ids][]", "5"),
        ],
    );
    save(
        &alice,
        &format!("/projects/open/{new}"),
        &[("query[name]", "Public"), public],
    );
    save(
        &admin,
        &format!("/{new}"),
        &[("query[name]", "Common"), public],
    );
}

#[test]
fn searches_are_used_changed_and_deleted_by_those_who_may() {
    let world = world();
    searches(&world);
    let expected = [
        ("admin", [200; 6]),
        ("alice", [404, 404, 200, 200, 200, 403]),
        ("bob", [200, 200, 404, 404, 403, 403]),
        ("carol", [404, 404, 404, 403, 403, 403]),
        ("dave", [404, 404, 404, 404, 403, 403]),
    ];
    for (login, statuses) in expected {
        let browser = Browser::logged_in(&world, login);
        let page = browser.get("/search").assert_status(200);
        for (id, status) in (1..).zip(statuses) {
            let use_status = if status == 404 { 404 } else { 302 };
            for path in ["search", "search.atom"] {
                browser
                    .get(&format!("/{path}?query_id={id}"))
                    .assert_status(use_status);
            }
            let written = if status == 200 { 303 } else { status };
            browser
                .get(&format!("/queries/{id}/edit"))
                .assert_status(status);
            browser
                .get(&format!("/queries/{id}/delete"))
                .assert_status(status);
            browser
                .submit(
                    &page,
                    &format!("/queries/{id}/edit"),
                    &[("query[description]", login)],
                )
                .assert_status(written);
            browser
                .submit(&page, &format!("/queries/{id}?q=tank"), &[])
                .assert_status(written);
            if status != 200 {
                browser
                    .submit(&page, &format!("/queries/{id}/delete"), &[])
                    .assert_status(status);
            }
        }
        for (name, id) in [
            ("Everywhere", 0),
            ("Here", 1),
            ("Confidential", 2),
            ("Reporters", 3),
            ("Public", 4),
            ("Common", 5),
        ] {
            // Administrators see the private ones of others by their address only.
            let is_listed = statuses[id] != 404 && !(login == "admin" && id < 2);
            assert_eq!(
                page.body.contains(&format!("<b>{name}</b>")),
                is_listed,
                "{login}: {name}"
            );
        }
    }
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get("/projects/open/search?q=tank&query_id=5")
        .assert_status(200);
    assert!(!page.body.contains("/queries/5"), "bob may not change it");
    // Anonymous is asked to log in, and uses what everybody may.
    let stranger = Browser::new(&world);
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    for (id, location) in [
        (1, "/login"),
        (3, "/login"),
        (99, "/login"),
        (6, "/search?q=tank"),
    ] {
        let reply = stranger
            .get(&format!("/search?query_id={id}"))
            .assert_status(302);
        assert!(
            reply.location().starts_with(location),
            "{id}: {}",
            reply.location()
        );
    }
    let page = stranger
        .get("/search")
        .assert_status(200)
        .assert_contains("<b>Common</b>");
    assert!(!page.body.contains("Confidential"));
    assert!(
        !stranger
            .get("/search?q=rocket")
            .body
            .contains("Save search")
    );
}

#[test]
fn search_runs_with_the_rights_of_the_reader() {
    let world = world();
    searches(&world);
    let alice = Browser::logged_in(&world, "alice");
    let found = alice.get("/search?q=rocket&query_id=6").assert_status(200);
    found.assert_contains("Hidden ");
    let dave = Browser::logged_in(&world, "dave");
    let found = dave.get("/search?q=rocket&query_id=6").assert_status(200);
    assert!(!found.body.contains("Hidden "));
    // A user who can no longer see the project loses the search in it, even one of their own.
    world.sql("DELETE FROM member_roles; DELETE FROM members");
    let alice = Browser::logged_in(&world, "alice");
    alice.get("/search?query_id=3").assert_status(404);
    alice.get("/queries/3/edit").assert_status(404);
    assert!(
        !alice
            .get("/search")
            .assert_status(200)
            .body
            .contains("Confidential")
    );
}

#[test]
fn without_the_right_nothing_is_saved() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let path = "/queries?q=rocket&type=SearchQuery";
    bob.post(path, &[("query[name]", "x")]).assert_status(403);
    for hidden in ["secret", "none"] {
        let page = bob.get("/search").assert_status(200);
        bob.submit(
            &page,
            &format!("/projects/{hidden}{path}"),
            &[("query[name]", "x")],
        )
        .assert_status(404);
        bob.get(&format!(
            "/projects/{hidden}/queries/new?q=rocket&type=SearchQuery"
        ))
        .assert_status(404);
    }
    world.sql("DELETE FROM role_permissions WHERE name = 'save_queries'");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/search?q=rocket").assert_status(200);
    assert!(!page.body.contains("Save search"));
    bob.submit(&page, path, &[("query[name]", "x")])
        .assert_status(403);
    bob.get("/queries/new?q=rocket&type=SearchQuery")
        .assert_status(403);
    let stranger = Browser::new(&world);
    let login = stranger
        .get("/queries/new?q=rocket&type=SearchQuery")
        .assert_status(302);
    assert!(login.location().starts_with("/login"));
}

#[test]
fn saved_searches_are_no_queries_of_issues() {
    let world = world();
    searches(&world);
    for login in ["admin", "alice", "bob"] {
        let client = world.as_user(login);
        client
            .get("/queries.json")
            .assert_json_path("/total_count", 0);
        for id in 1..=6 {
            let path = format!("/queries/{id}.json");
            client.get(&path).assert_status(404);
            client
                .put(&path, json!({"query": {"name": "x", "filters": []}}))
                .assert_status(404);
            client.delete(&path).assert_status(404);
            client
                .get(&format!("/issues.json?query_id={id}"))
                .assert_status(404);
            client
                .get(&format!("/time_entries.json?query_id={id}"))
                .assert_status(404);
        }
    }
    let admin = Browser::logged_in(&world, "admin");
    admin.get("/issues?query_id=6").assert_status(404);
    for path in [
        "/issues",
        "/projects/open/issues",
        "/projects/open/settings/issues",
    ] {
        let page = admin.get(path).assert_status(200);
        assert!(
            !page.body.contains("Common") && !page.body.contains("Public<"),
            "{path}"
        );
    }
    let page = admin.get("/projects/open/issues").assert_status(200);
    admin
        .submit(
            &page,
            "/projects/open/queries/default",
            &[("query_id", "5")],
        )
        .assert_status(404);
    admin
        .submit(&page, "/queries/default", &[("query_id", "6")])
        .assert_status(404);
    // Nor the other way round.
    let query = json!({"query": {"name": "Issues", "visibility": "public"}});
    world
        .as_user("admin")
        .post("/queries.json", query)
        .assert_status(201);
    for path in [
        "/search?query_id=7",
        "/search?q=a&query_id=7",
        "/search.atom?query_id=7",
        "/search?query_id=x",
        "/search?query_id=-1",
        "/search?query_id=99999999999999999999",
    ] {
        admin.get(path).assert_status(404);
    }
    assert!(!admin.get("/search").body.contains("<b>Issues</b>"));
    // A search sent to a query of issues is a list with its text; a list sent to a saved search changes nothing.
    admin
        .submit(&page, "/queries/7?q=rocket&type=SearchQuery", &[])
        .assert_status(303);
    let filters = world
        .as_user("admin")
        .get("/queries/7.json")
        .json_path("/query/filters/0/field");
    assert_eq!(filters, "q");
    admin
        .submit(&page, "/queries/6?tracker_id=1", &[])
        .assert_status(303);
    let start = admin.get("/search?query_id=6").assert_status(302);
    assert_eq!(start.location(), "/search?q=rocket&query_id=6");
    // Managers find the shared ones of the project among its settings.
    admin
        .get("/projects/open/settings/queries")
        .assert_contains("<a href=\"/projects/open/search?query_id=5\">Public</a>");
}

#[test]
fn project_takes_its_searches_with_it() {
    let world = world();
    searches(&world);
    let admin = Browser::logged_in(&world, "admin");
    let bob = Browser::logged_in(&world, "bob");
    world
        .as_user("admin")
        .put("/projects/open/archive.json", json!({}))
        .assert_status(204);
    for browser in [&admin, &bob] {
        for id in [2, 5] {
            browser
                .get(&format!("/search?query_id={id}"))
                .assert_status(404);
            browser
                .get(&format!("/queries/{id}/edit"))
                .assert_status(404);
        }
        let list = browser.get("/search").assert_status(200).body;
        assert!(!list.contains("<b>Here</b>") && !list.contains("<b>Public</b>"));
    }
    world
        .as_user("admin")
        .put("/projects/open/unarchive.json", json!({}))
        .assert_status(204);
    bob.get("/search?query_id=2").assert_status(302);
    world
        .as_user("admin")
        .put("/projects/open/close.json", json!({}))
        .assert_status(204);
    bob.get("/search?query_id=2").assert_status(302);
}

#[test]
fn search_is_shared_and_moved_like_a_query() {
    let world = world();
    searches(&world);
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/search").assert_status(200);
    // Only its author makes a search private, and only administrators share one for all projects.
    alice
        .submit(
            &page,
            "/queries/5/edit",
            &[("query[project_id]", ""), ("query[visibility]", "public")],
        )
        .assert_status(422)
        .assert_contains("only administrators share queries for all projects");
    alice
        .submit(
            &page,
            "/queries/5/edit",
            &[("query[visibility]", "private")],
        )
        .assert_status(303);
    Browser::logged_in(&world, "bob")
        .get("/search?query_id=5")
        .assert_status(404);
    let moved = alice
        .submit(&page, "/queries/5/edit", &[("query[project_id]", "")])
        .assert_status(303);
    assert_eq!(moved.location(), "/search?query_id=5");
    assert_eq!(
        alice.get(moved.location()).assert_status(302).location(),
        "/search?q=rocket&query_id=5"
    );
}
