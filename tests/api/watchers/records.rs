//! `/…/watchers` of news, boards, topics, wiki pages and wikis (compatibility 13.6)

use axum::http::Method;
use quarry_world::oauth_flow::{App, tokens, with_token};
use quarry_world::{Client, MANAGER, Response, World, user};
use serde_json::json;

/// The records other than issues that can be watched, by their paths: news, a project's news, a
/// board, a topic, a wiki page, a wiki.
const RECORDS: [&str; 6] = [
    "/news/1",
    "/projects/open/news",
    "/boards/1",
    "/messages/1",
    "/projects/open/wiki/Start_here",
    "/projects/open/wiki/index",
];

/// A world with one record of each type in the project, which alice manages and carol reports to.
fn world_with_records(project: &str) -> World {
    let world = World::with_records(project);
    let page = json!({"wiki_page": {"text": "Welcome"}});
    world
        .as_user("alice")
        .put(&format!("/projects/{project}/wiki/Start_here.json"), page)
        .assert_status(201);
    world.sql("DELETE FROM watchers");
    world
}

fn ids(response: &Response) -> Vec<i64> {
    response.integers("/watchers", "id")
}

fn list(admin: &Client<'_>, path: &str, query: &str) -> Response {
    admin
        .get(&format!("{path}/watchers.json{query}"))
        .assert_status(200)
}

#[test]
fn every_record_can_be_watched_by_those_who_are_added() {
    let world = world_with_records("open");
    let admin = world.as_user("admin");
    let bob = user("bob").0;
    let dave = user("dave").0;
    for path in RECORDS {
        assert_eq!(ids(&list(&admin, path, "")), [0; 0], "{path}");
        let body = json!({"watcher": {"user_ids": [dave, bob, dave, 9999]}});
        assert_eq!(
            admin
                .post(&format!("{path}/watchers.json"), body)
                .assert_status(204)
                .body,
            "",
            "{path}"
        );
        assert_eq!(ids(&list(&admin, path, "")), [dave, bob], "{path}");
        let page = list(&admin, path, "?limit=1&offset=1");
        let past = list(&admin, path, "?offset=2");
        assert_eq!(
            (
                ids(&page),
                page.integer("/total_count"),
                page.integer("/limit")
            ),
            (vec![bob], 2, 1),
            "{path}"
        );
        assert_eq!(
            (ids(&past), past.integer("/total_count")),
            (vec![], 2),
            "{path}"
        );
        let name = list(&admin, path, "")
            .json_path("/watchers/0/name")
            .as_str()
            .unwrap()
            .to_owned();
        let xml = admin
            .get(&format!("{path}/watchers.xml"))
            .assert_status(200);
        xml.assert_contains(&format!(
            "<watchers total_count=\"2\" offset=\"0\" limit=\"25\" type=\"array\"><watcher><id>{dave}</id><name>{name}</name></watcher>"
        ));
        admin
            .delete(&format!("{path}/watchers/{dave}.json"))
            .assert_status(204);
        admin
            .delete(&format!("{path}/watchers/{dave}.xml"))
            .assert_status(204);
        admin
            .delete(&format!("{path}/watchers/9999.json"))
            .assert_status(404);
        assert_eq!(ids(&list(&admin, path, "")), [bob], "{path}");
        let body = format!("<user_id>{dave}</user_id>").into_bytes();
        admin
            .send(
                Method::POST,
                &format!("{path}/watchers.xml"),
                Some("application/xml"),
                body,
            )
            .assert_status(204);
        assert_eq!(ids(&list(&admin, path, "")), [bob, dave], "{path}");
        admin
            .post(&format!("{path}/watchers.json"), "{")
            .assert_status(400);
        let many = json!({"watcher": {"user_ids": (1..=1001).collect::<Vec<i64>>()}});
        admin
            .post(&format!("{path}/watchers.json"), many)
            .assert_status(422)
            .assert_contains("Watchers are too many");
    }
}

fn add_watcher(world: &World, path: &str, login: &str, id: i64) -> Response {
    world
        .as_user(login)
        .post(&format!("{path}/watchers.json"), json!({"user_id": id}))
}

#[test]
fn everybody_who_is_logged_in_may_watch_and_see_themselves_alone() {
    let world = world_with_records("open");
    let carol = user("carol").0;
    let bob = user("bob").0;
    for path in RECORDS {
        add_watcher(&world, path, "admin", bob).assert_status(204);
        add_watcher(&world, path, "carol", bob).assert_status(403);
        add_watcher(&world, path, "carol", carol).assert_status(204);
        let list = world
            .as_user("carol")
            .get(&format!("{path}/watchers.json"))
            .assert_status(200);
        assert_eq!(
            (ids(&list), list.integer("/total_count")),
            (vec![carol], 1),
            "{path}"
        );
        world
            .as_user("carol")
            .delete(&format!("{path}/watchers/{bob}.json"))
            .assert_status(403);
        world
            .as_user("carol")
            .delete(&format!("{path}/watchers/{carol}.json"))
            .assert_status(204);
        let list = world
            .as_user("carol")
            .get(&format!("{path}/watchers.json"))
            .assert_status(200);
        assert_eq!(
            (ids(&list), list.integer("/total_count")),
            (vec![], 0),
            "{path}"
        );
        world
            .anonymous()
            .get(&format!("{path}/watchers.json"))
            .assert_status(401);
        world
            .anonymous()
            .post(&format!("{path}/watchers.json"), json!({}))
            .assert_status(401);
        world
            .anonymous()
            .delete(&format!("{path}/watchers/{bob}.json"))
            .assert_status(401);
    }
}

#[test]
fn managers_may_add_watchers_of_topics_and_wiki_pages_but_not_of_news_boards_and_wikis() {
    let world = world_with_records("open");
    let alice = world.as_user("alice");
    let bob = user("bob").0;
    for path in RECORDS {
        let is_permitted = ["/messages/1", "/projects/open/wiki/Start_here"].contains(&path);
        let status = |permitted: u16| if is_permitted { permitted } else { 403 };
        alice
            .post(&format!("{path}/watchers.json"), json!({"user_id": bob}))
            .assert_status(status(204));
        world
            .as_user("admin")
            .post(&format!("{path}/watchers.json"), json!({"user_id": bob}))
            .assert_status(204);
        let seen = ids(&alice
            .get(&format!("{path}/watchers.json"))
            .assert_status(200));
        assert_eq!(
            seen,
            if is_permitted { vec![bob] } else { vec![] },
            "{path}"
        );
        alice
            .delete(&format!("{path}/watchers/{bob}.json"))
            .assert_status(status(204));
    }
}

fn send_each(world: &World, dave: i64, login: &str, path: &str) -> [(u16, String); 3] {
    let client = world.as_user(login);
    let list = client.get(&format!("{path}/watchers.json"));
    let add = client.post(&format!("{path}/watchers.json"), json!({"user_id": dave}));
    let remove = client.delete(&format!("{path}/watchers/{dave}.json"));
    [list, add, remove].map(|response| (response.status, response.body))
}

#[test]
fn watchers_of_hidden_records_look_like_those_of_missing_ones() {
    let world = world_with_records("secret");
    let dave = user("dave").0;
    for (hidden, missing) in [
        ("/boards/1", "/boards/999"),
        ("/messages/1", "/messages/999"),
        ("/news/1", "/news/999"),
    ] {
        let answers = send_each(&world, dave, "dave", hidden);
        assert!(
            answers
                .iter()
                .all(|(status, _)| [403, 404].contains(status)),
            "{answers:?}"
        );
        assert_eq!(
            answers,
            send_each(&world, dave, "dave", missing),
            "{hidden}"
        );
    }
    for path in [
        "/projects/secret/news",
        "/projects/secret/wiki/Start_here",
        "/projects/secret/wiki/Nothing",
        "/projects/secret/wiki/index",
    ] {
        let answers = send_each(&world, dave, "dave", path);
        assert!(
            answers.iter().all(|(status, _)| *status == 403),
            "{path} {answers:?}"
        );
    }
    for path in [
        "/projects/nothing/news",
        "/projects/open/wiki/Nothing",
        "/projects/open/wiki/index",
    ] {
        let answers = send_each(&world, dave, "dave", path);
        assert!(
            answers.iter().all(|(status, _)| *status == 404),
            "{path} {answers:?}"
        );
    }
}

#[test]
fn watching_a_reply_is_watching_its_topic_and_a_former_title_leads_to_the_page() {
    let world = world_with_records("open");
    let admin = world.as_user("admin");
    let bob = user("bob").0;
    admin
        .post("/messages/2/watchers.json", json!({"user_id": bob}))
        .assert_status(204);
    assert_eq!(ids(&admin.get("/messages/1/watchers.json")), [bob]);
    admin
        .put(
            "/projects/open/wiki/Start_here/rename.json",
            json!({"wiki_page": {"title": "Begin"}}),
        )
        .assert_status(200);
    admin
        .post(
            "/projects/open/wiki/Start_here/watchers.json",
            json!({"user_id": bob}),
        )
        .assert_status(204);
    assert_eq!(
        ids(&admin.get("/projects/open/wiki/Begin/watchers.json")),
        [bob]
    );
}

fn count_watchers(world: &World) -> i64 {
    world.database().value("SELECT COUNT(*) FROM watchers")
}

#[test]
fn deleted_records_leave_no_watchers() {
    let world = world_with_records("open");
    let bob = json!({"user_id": user("bob").0});
    let admin = world.as_user("admin");
    for path in RECORDS.into_iter().chain(["/issues/1"]) {
        admin
            .post(&format!("{path}/watchers.json"), &bob)
            .assert_status(204);
    }
    assert_eq!(count_watchers(&world), 7);
    admin.delete("/issues/1.json").assert_status(200);
    admin.delete("/news/1.json").assert_status(200);
    admin.delete("/boards/1.json").assert_status(200);
    admin
        .delete("/projects/open/wiki/Start_here.json")
        .assert_status(200);
    assert_eq!(
        count_watchers(&world),
        2,
        "of the project's news and of the wiki"
    );
    let modules = json!({"project": {"enabled_module_names": ["wiki", "issue_tracking"]}});
    admin.put("/projects/open.json", modules).assert_status(200);
    assert_eq!(count_watchers(&world), 1, "of the wiki");
}

#[test]
fn users_hidden_from_the_viewer_are_not_listed_as_watchers() {
    let world = world_with_records("open");
    let bob = user("bob").0;
    let dave = user("dave").0;
    let body = json!({"watcher": {"user_ids": [dave, bob]}});
    world
        .as_user("admin")
        .post("/messages/1/watchers.json", body)
        .assert_status(204);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let list = world
        .as_user("alice")
        .get("/messages/1/watchers.json")
        .assert_status(200);
    assert_eq!(
        (ids(&list), list.integer("/total_count")),
        (vec![bob], 1),
        "dave is a member of nothing"
    );
    world
        .as_user("alice")
        .delete(&format!("/messages/1/watchers/{dave}.json"))
        .assert_status(404);
}

#[test]
fn access_tokens_without_the_scope_see_their_user_alone_and_change_nothing() {
    let world = world_with_records("open");
    let alice = user("alice").0;
    let bob = user("bob").0;
    let body = json!({"watcher": {"user_ids": [bob, alice]}});
    world
        .as_user("alice")
        .post("/messages/1/watchers.json", &body)
        .assert_status(204);
    let app = App::confidential(
        &world,
        "view_messages view_message_watchers add_message_watchers delete_message_watchers",
    );
    let reads = tokens(&world, "alice", &app, "view_messages").access;
    let reads = with_token(&world, &reads);
    assert_eq!(
        ids(&reads.get("/messages/1/watchers.json").assert_status(200)),
        [alice]
    );
    reads
        .post("/messages/1/watchers.json", &body)
        .assert_status(403);
    reads
        .delete(&format!("/messages/1/watchers/{bob}.json"))
        .assert_status(403);
    reads
        .delete(&format!("/messages/1/watchers/{alice}.json"))
        .assert_status(403);
    reads.get("/news/1/watchers.json").assert_status(404);
    world
        .as_user("alice")
        .delete(&format!("/messages/1/watchers/{alice}.json"))
        .assert_status(204);
    let manages = tokens(
        &world,
        "alice",
        &app,
        "view_messages view_message_watchers add_message_watchers delete_message_watchers",
    )
    .access;
    let manages = with_token(&world, &manages);
    assert_eq!(
        ids(&manages.get("/messages/1/watchers.json").assert_status(200)),
        [bob]
    );
    manages
        .delete(&format!("/messages/1/watchers/{bob}.json"))
        .assert_status(204);
    manages
        .post("/messages/1/watchers.json", &body)
        .assert_status(204);
}

#[test]
fn without_the_permission_to_view_watchers_a_manager_sees_themselves_alone() {
    let world = world_with_records("open");
    let body = json!({"watcher": {"user_ids": [user("bob").0, user("alice").0]}});
    world
        .as_user("alice")
        .post("/messages/1/watchers.json", body)
        .assert_status(204);
    world.sql(&format!(
        "DELETE FROM role_permissions WHERE role_id = {} AND name = 'view_message_watchers'",
        MANAGER.0
    ));
    assert_eq!(
        ids(&world
            .as_user("alice")
            .get("/messages/1/watchers.json")
            .assert_status(200)),
        [user("alice").0]
    );
}
