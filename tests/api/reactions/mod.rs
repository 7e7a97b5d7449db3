//! `/…/reactions` of issues, journals, news, comments and messages (compatibility 13.8)

use quarry::domain::administration::setting::Setting;
use quarry_world::oauth_flow::{App, tokens, with_token};
use quarry_world::reactions::world_with_records;
use quarry_world::{Response, World, user};
use serde_json::json;

/// The records that people can react to, by their paths.
const RECORDS: [&str; 6] = [
    "/issues/1",
    "/journals/1",
    "/news/1",
    "/news/1/comments/1",
    "/messages/1",
    "/messages/2",
];

fn users(response: &Response) -> Vec<i64> {
    response
        .array("/reactions")
        .iter()
        .map(|reaction| reaction["user"]["id"].as_i64().unwrap())
        .collect()
}

fn list(world: &World, path: &str, query: &str) -> Response {
    world
        .as_user("dave")
        .get(&format!("{path}.json{query}"))
        .assert_status(200)
}

#[test]
fn reactions_can_be_added_listed_and_removed() {
    let world = world_with_records("open");
    let bob = user("bob").0;
    let carol = user("carol").0;
    for path in RECORDS {
        let path = format!("{path}/reactions");
        assert_eq!(
            (
                users(&list(&world, &path, "")),
                list(&world, &path, "").integer("/total_count")
            ),
            (vec![], 0),
            "{path}"
        );
        for login in ["carol", "bob", "carol"] {
            assert_eq!(
                world
                    .as_user(login)
                    .post(&format!("{path}.json"), json!({}))
                    .assert_status(204)
                    .body,
                "",
                "{path}"
            );
        }
        assert_eq!(users(&list(&world, &path, "")), [carol, bob], "{path}");
        let page = list(&world, &path, "?offset=1&limit=1");
        let past = list(&world, &path, "?offset=2");
        assert_eq!(
            (users(&page), page.integer("/total_count"), users(&past)),
            (vec![bob], 2, vec![]),
            "{path}"
        );
        let name = list(&world, &path, "")
            .json_path("/reactions/0/user/name")
            .as_str()
            .unwrap()
            .to_owned();
        let reaction = format!(
            "<reaction><user id=\"{carol}\" name=\"{name}\"/><content>thumbs_up</content><created_on>2026-11-20T12:00:00Z</created_on></reaction>"
        );
        world
            .as_user("dave")
            .get(&format!("{path}.xml"))
            .assert_status(200)
            .assert_contains(&reaction);
        for format in ["json", "xml"] {
            world
                .as_user("carol")
                .delete(&format!("{path}.{format}"))
                .assert_status(204);
        }
        assert_eq!(users(&list(&world, &path, "")), [bob], "{path}");
        world
            .anonymous()
            .get(&format!("{path}.json"))
            .assert_status(401);
        world
            .anonymous()
            .post(&format!("{path}.json"), json!({}))
            .assert_status(401);
        world
            .anonymous()
            .delete(&format!("{path}.json"))
            .assert_status(401);
    }
}

/// Returns the users and contents of the reactions to issue 1.
fn contents(world: &World, query: &str) -> Vec<(i64, String)> {
    let reactions = list(world, "/issues/1/reactions", query).array("/reactions");
    let reactions = reactions.iter();
    reactions
        .map(|reaction| {
            let user = reaction["user"]["id"].as_i64().unwrap();
            (user, reaction["content"].as_str().unwrap().to_owned())
        })
        .collect()
}

#[test]
fn a_user_has_each_of_six_reactions_at_most_once() {
    let world = world_with_records("open");
    let bob = user("bob").0;
    let client = world.as_user("bob");
    const CONTENTS: [&str; 6] = [
        "thumbs_up",
        "thumbs_down",
        "laugh",
        "hooray",
        "heart",
        "eyes",
    ];
    for content in CONTENTS {
        let body = json!({"reaction": {"content": content}});
        for _ in 0..2 {
            client
                .post("/issues/1/reactions.json", body.clone())
                .assert_status(204);
        }
    }
    let expected = CONTENTS.map(|content| (bob, content.to_owned()));
    assert_eq!(contents(&world, ""), expected);
    world
        .as_user("carol")
        .send(
            axum::http::Method::POST,
            "/issues/1/reactions.xml",
            Some("application/xml"),
            b"<reaction><content>heart</content></reaction>".to_vec(),
        )
        .assert_status(204);
    let hearts = list(&world, "/issues/1/reactions", "?content=heart&limit=1");
    assert_eq!(
        (users(&hearts), hearts.integer("/total_count")),
        (vec![bob], 2)
    );
    client
        .delete("/issues/1/reactions.json?content=heart")
        .assert_status(204);
    client.delete("/issues/1/reactions.json").assert_status(204);
    let mut left = contents(&world, "?content=heart");
    assert_eq!(left, [(user("carol").0, "heart".to_owned())]);
    left = contents(&world, "?content=thumbs_up");
    assert_eq!(left, []);
    assert_eq!(contents(&world, "").len(), 5);
}

#[test]
fn own_reaction_is_named_in_the_body_or_the_query_string() {
    let world = world_with_records("open");
    let bob = world.as_user("bob");
    let path = "/issues/1/reactions.json";
    let heart = json!({"reaction": {"content": "heart"}});
    bob.post(path, json!({"content": "heart"}))
        .assert_status(422)
        .assert_contains("reaction");
    bob.post(path, json!([])).assert_status(422);
    assert_eq!(contents(&world, "?content="), []);
    bob.post(&format!("{path}?content=hooray"), json!({}))
        .assert_status(204);
    bob.post(path, &heart).assert_status(204);
    assert_eq!(contents(&world, "?content=").len(), 2);
    bob.send(
        axum::http::Method::DELETE,
        path,
        Some("application/json"),
        heart.to_string().into_bytes(),
    )
    .assert_status(204);
    let id = user("bob").0;
    assert_eq!(contents(&world, ""), [(id, "hooray".to_owned())]);
}

#[test]
fn an_unknown_reaction_is_refused_with_those_that_there_are() {
    let world = world_with_records("open");
    let client = world.as_user("bob");
    let message =
        "Content is not included in the list (thumbs_up, thumbs_down, laugh, hooray, heart, eyes)";
    for path in RECORDS {
        let list = format!("{path}/reactions.json");
        let unknown = format!("{list}?content=dance");
        let answers = [
            client.post(&list, json!({"reaction": {"content": "dance"}})),
            client.delete(&unknown),
            client.get(&unknown),
        ];
        for answer in answers {
            assert_eq!(
                answer.assert_status(422).json()["errors"],
                json!([message]),
                "{path}"
            );
        }
        client
            .post(&list, json!({"reaction": {"content": ["heart"]}}))
            .assert_status(422);
        client
            .post(&list, json!({"reaction": "heart"}))
            .assert_status(400);
    }
    assert_eq!(contents(&world, ""), []);
}

#[test]
fn anonymous_sees_reactions_to_public_records_but_cannot_react() {
    let world = world_with_records("open");
    world.set(Setting::LoginRequired, "0");
    for path in RECORDS {
        let path = format!("{path}/reactions.json");
        world
            .as_user("bob")
            .post(&path, json!({}))
            .assert_status(204);
        assert_eq!(
            users(&world.anonymous().get(&path).assert_status(200)),
            [user("bob").0],
            "{path}"
        );
        world.anonymous().post(&path, json!({})).assert_status(401);
        world.anonymous().delete(&path).assert_status(401);
    }
}

fn send_each(world: &World, path: &str) -> [(u16, String); 3] {
    let client = world.as_user("dave");
    let path = format!("{path}/reactions.json");
    [
        client.get(&path),
        client.post(&path, json!({})),
        client.delete(&path),
    ]
    .map(|response| (response.status, response.body))
}

#[test]
fn reactions_to_hidden_records_look_like_those_to_missing_ones() {
    let world = world_with_records("secret");
    for path in RECORDS {
        let missing = path.replace(['1', '2'], "999");
        let hidden = send_each(&world, path);
        let missing = send_each(&world, &missing);
        assert!(
            hidden.iter().all(|(status, _)| [403, 404].contains(status)),
            "{path} {hidden:?}"
        );
        if path != "/issues/1" {
            assert_eq!(hidden, missing, "{path}");
        }
    }
    world
        .as_user("alice")
        .get("/news/1/comments/999/reactions.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/news/x/comments/1/reactions.json")
        .assert_status(404);
}

#[test]
fn private_notes_have_reactions_only_for_those_who_may_read_them() {
    let world = world_with_records("open");
    world
        .as_user("alice")
        .put(
            "/issues/1.json",
            json!({"issue": {"notes": "whispered", "private_notes": true}}),
        )
        .assert_status(200);
    world
        .as_user("alice")
        .post("/journals/2/reactions.json", json!({}))
        .assert_status(204);
    world
        .as_user("carol")
        .get("/journals/2/reactions.json")
        .assert_status(404);
    world
        .as_user("carol")
        .post("/journals/2/reactions.json", json!({}))
        .assert_status(404);
}

#[test]
fn access_tokens_react_only_to_what_their_scopes_show_and_with_the_scope_to_comment() {
    let world = world_with_records("open");
    let app = App::confidential(
        &world,
        "view_issues view_news view_messages add_issue_notes comment_news add_messages",
    );
    let cases = [
        ("view_issues", "add_issue_notes", 0..2),
        ("view_news", "comment_news", 2..4),
        ("view_messages", "add_messages", 4..6),
    ];
    for (scope, comments, shown) in cases {
        let reads = tokens(&world, "bob", &app, scope).access;
        let token = tokens(&world, "bob", &app, &format!("{scope} {comments}")).access;
        for (index, path) in RECORDS.into_iter().enumerate() {
            let path = format!("{path}/reactions.json");
            let client = with_token(&world, &token);
            let statuses = [
                client.get(&path).status,
                client.post(&path, json!({})).status,
                client.delete(&path).status,
            ];
            match shown.contains(&index) {
                true => {
                    assert_eq!(statuses, [200, 204, 204], "{scope} {path}");
                    let client = with_token(&world, &reads);
                    let statuses = [
                        client.get(&path).status,
                        client.post(&path, json!({})).status,
                        client.delete(&path).status,
                    ];
                    assert_eq!(statuses, [200, 403, 403], "{scope} {path}");
                }
                false => assert!(
                    statuses.iter().all(|status| [403, 404].contains(status)),
                    "{scope} {path}: {statuses:?}"
                ),
            }
        }
    }
}

#[test]
fn reactions_of_hidden_users_are_neither_listed_nor_counted() {
    let world = world_with_records("open");
    for login in ["dave", "bob", "carol"] {
        world
            .as_user(login)
            .post("/news/1/reactions.json", json!({}))
            .assert_status(204);
    }
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let list = world
        .as_user("carol")
        .get("/news/1/reactions.json")
        .assert_status(200);
    assert_eq!(
        (users(&list), list.integer("/total_count")),
        (vec![user("bob").0, user("carol").0], 2),
        "dave is a member of nothing"
    );
}

fn react_everywhere(world: &World, status: u16) {
    for path in RECORDS {
        let path = format!("{path}/reactions.json");
        world
            .as_user("alice")
            .post(&path, json!({}))
            .assert_status(status);
        world.as_user("alice").delete(&path).assert_status(status);
    }
}

#[test]
fn nobody_reacts_in_closed_projects_and_when_reactions_are_disabled() {
    let world = world_with_records("open");
    react_everywhere(&world, 204);
    world
        .as_user("bob")
        .post("/issues/1/reactions.json", json!({}))
        .assert_status(204);
    world
        .as_user("alice")
        .put("/projects/open/close.json", json!({}))
        .assert_status(204);
    react_everywhere(&world, 403);
    assert_eq!(
        users(
            &world
                .as_user("alice")
                .get("/issues/1/reactions.json")
                .assert_status(200)
        ),
        [user("bob").0]
    );
    world
        .as_user("alice")
        .put("/projects/open/reopen.json", json!({}))
        .assert_status(204);
    world.set(Setting::ReactionsEnabled, "0");
    react_everywhere(&world, 403);
    world
        .as_user("alice")
        .get("/issues/1/reactions.json")
        .assert_status(403);
    world.set(Setting::ReactionsEnabled, "1");
    assert_eq!(
        users(
            &world
                .as_user("alice")
                .get("/issues/1/reactions.json")
                .assert_status(200)
        ),
        [user("bob").0]
    );
}

fn count_reactions(world: &World) -> i64 {
    world.database().value("SELECT COUNT(*) FROM reactions")
}

#[test]
fn deleted_records_leave_no_reactions() {
    let world = world_with_records("open");
    for path in RECORDS {
        world
            .as_user("bob")
            .post(&format!("{path}/reactions.json"), json!({}))
            .assert_status(204);
    }
    assert_eq!(count_reactions(&world), 6);
    for path in ["/issues/1.json", "/news/1.json", "/messages/1.json"] {
        world.as_user("alice").delete(path).assert_status(200);
    }
    assert_eq!(count_reactions(&world), 0);
}
