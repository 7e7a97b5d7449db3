//! `GET /issues/:id/similar`, `POST /issues/similar`

use quarry::domain::ids::{ProjectId, StatusId};
use quarry::store::accounts::memberships;
use quarry_world::{Client, World, user};
use serde_json::{Value, json};

/// Creates an issue by alice and returns its id.
fn create(world: &World, project: &str, subject: &str, description: &str) -> i64 {
    world
        .issue(project)
        .subject(subject)
        .description(description)
        .create()
}

fn ids(response: &Value) -> Vec<i64> {
    response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["id"].as_i64().unwrap())
        .collect()
}

fn like(world: &World, login: &str, id: i64, query: &str) -> Vec<i64> {
    ids(&world
        .as_user(login)
        .get(&format!("/issues/{id}/similar.json?{query}"))
        .assert_status(200)
        .json())
}

fn draft(client: &Client<'_>, query: &str, subject: &str, description: &str) -> Vec<i64> {
    let body = json!({"issue": {"subject": subject, "description": description}});
    ids(&client
        .post(&format!("/issues/similar.json?{query}"), body.to_string())
        .assert_status(200)
        .json())
}

/// Three similar issues, the most similar first, and an unrelated one.
fn tanks(world: &World) -> [i64; 4] {
    [
        create(
            world,
            "open",
            "Fuel tank leaks at launch",
            "Kerosene drips from the valve",
        ),
        create(
            world,
            "open",
            "Leak of the fuel tank",
            "The valve drips kerosene when launched",
        ),
        create(world, "open", "Paint of the tank", "It peels"),
        create(world, "open", "Translate one manual", "Into Finnish"),
    ]
}

#[test]
fn most_similar_issues_come_first_without_the_issue_itself() {
    let world = World::with_projects();
    let [first, second, third, fourth] = tanks(&world);
    assert_eq!(like(&world, "dave", first, ""), [second, third]);
    assert_eq!(like(&world, "dave", second, "")[0], first);
    assert!(!like(&world, "dave", fourth, "limit=25").contains(&fourth));
    assert_eq!(like(&world, "dave", first, "limit=1"), [second]);
    world.edit(second, |issue| issue.status = StatusId(5));
    let response = world
        .as_user("dave")
        .get(&format!("/issues/{first}/similar.json"))
        .assert_status(200)
        .json();
    let result = &response["results"][0];
    let names: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "id",
            "title",
            "type",
            "url",
            "description",
            "datetime",
            "project",
            "score"
        ]
    );
    assert_eq!(result["type"], "issue-closed");
    assert_eq!(result["score"], 1.0);
    assert!(response["results"][1]["score"].as_f64().unwrap() < 1.0);
    assert_eq!(response["results"][1]["type"], "issue");
    assert_eq!(response["limit"], 5);
    assert_eq!(like(&world, "dave", first, "open_issues=1"), [third]);
    let bare = world
        .as_user("dave")
        .get(&format!("/issues/{first}/similar.json?description=0"))
        .assert_status(200)
        .json();
    assert!(bare["results"][0].get("description").is_none());
    let xml = world
        .as_user("dave")
        .get(&format!("/issues/{first}/similar.xml?limit=1"))
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<results limit=\"1\" type=\"array\"><result><id>2</id><title>Bug #2 (Closed): Leak of the fuel tank</title>"),
        "{xml}"
    );
}

fn similar_path(id: i64) -> String {
    format!("/issues/{id}/similar.json")
}

#[test]
fn similar_requires_access_to_the_issue() {
    let world = World::with_projects();
    let shown = create(&world, "open", "Fuel tank leaks", "");
    let hidden = create(&world, "secret", "Fuel tank leaks", "");
    let private = world
        .issue("open")
        .subject("Fuel tank leaks")
        .private()
        .create();
    world
        .anonymous()
        .get(&similar_path(shown))
        .assert_status(401);
    for id in [hidden, private] {
        let response = world
            .as_user("dave")
            .get(&similar_path(id))
            .assert_status(403);
        assert!(!response.body.contains("uel"), "{response:?}");
    }
    for missing in [
        "/issues/999/similar.json",
        "/issues/x/similar.json",
        "/issues/similar.json",
    ] {
        world.as_user("dave").get(missing).assert_status(404);
    }
    assert_eq!(like(&world, "dave", shown, ""), Vec::<i64>::new());
    assert_eq!(
        draft(&world.as_user("dave"), "", "Fuel tank leaks", ""),
        [shown]
    );
    let mut all = like(&world, "alice", shown, "");
    all.sort_unstable();
    assert_eq!(all, [hidden, private]);
    // A granted permission applies to the next request.
    let now = world.app.clock.now();
    world.write(move |db| {
        memberships::insert(
            db,
            ProjectId(2),
            user("dave").into(),
            &[quarry_world::REPORTER],
            now,
        )
    });
    assert_eq!(like(&world, "dave", shown, ""), [hidden]);
}

fn add_note(world: &World, id: i64, text: &str, private: bool) {
    let body = json!({"issue": {"notes": text, "private_notes": private}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), body.to_string())
        .assert_status(200);
}

fn similar_by_viewer(world: &World, id: i64) -> [Vec<i64>; 5] {
    ["admin", "alice", "bob", "carol", "dave"].map(|login| like(world, login, id, ""))
}

#[test]
fn unreadable_notes_do_not_affect_similarity() {
    let world = World::with_projects();
    let noted = create(&world, "open", "Strange noise", "");
    let manual = create(&world, "open", "Plutonium reactor manual", "");
    create(&world, "open", "Translate", "Into Finnish");
    add_note(&world, noted, "It is the plutonium reactor", true);
    // Only users who may read the note find issues by it.
    assert_eq!(
        similar_by_viewer(&world, noted),
        [vec![manual], vec![manual], vec![manual], vec![], vec![]]
    );
    assert_eq!(
        similar_by_viewer(&world, manual),
        [const { Vec::<i64>::new() }; 5]
    );
    for login in ["alice", "dave"] {
        assert_eq!(
            draft(&world.as_user(login), "", "plutonium", "reactor"),
            [manual],
            "{login}"
        );
    }
    // Public notes count like other text.
    add_note(&world, noted, "The plutonium reactor hums", false);
    assert_eq!(
        similar_by_viewer(&world, noted),
        [manual; 5].map(|id| vec![id])
    );
    assert_eq!(
        similar_by_viewer(&world, manual),
        [noted; 5].map(|id| vec![id])
    );
}

#[test]
fn draft_finds_similar_issues() {
    let world = World::with_projects();
    let [first, second, third, _] = tanks(&world);
    let dave = world.as_user("dave");
    let found = draft(
        &dave,
        "",
        "The fuel tank has a leak",
        "Kerosene on the floor",
    );
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[..2].contains(&first) && found[..2].contains(&second) && found[2] == third,
        "{found:?}"
    );
    assert_eq!(draft(&dave, "", "", "peels"), [third]);
    assert_eq!(draft(&dave, "", "zeppelin", "dirigible"), Vec::<i64>::new());
    // A draft has no query syntax.
    assert_eq!(
        draft(
            &dave,
            "",
            "-peels is:closed \"OR project:nowhere in:title",
            "* \u{1} ♥"
        ),
        [third]
    );
    let long = "word ".repeat(100_000) + "peels";
    assert_eq!(draft(&dave, "", &long, ""), Vec::<i64>::new());
    let body = b"<issue><subject>peels</subject></issue>".to_vec();
    let response = dave
        .send(
            axum::http::Method::POST,
            "/issues/similar.xml",
            Some("application/xml"),
            body,
        )
        .assert_status(200)
        .body;
    assert!(response.contains("Paint of the tank</title>"), "{response}");
    // The request writes nothing.
    dave.get("/issues.json")
        .assert_status(200)
        .assert_json_path("/total_count", 4);
}

fn similar_path_with_query(id: i64, query: &str) -> String {
    format!("/issues/{id}/similar.json?{query}")
}

#[test]
fn invalid_requests_are_rejected_with_a_reason() {
    let world = World::with_projects();
    let [first, ..] = tanks(&world);
    let dave = world.as_user("dave");
    world
        .anonymous()
        .post(
            "/issues/similar.json",
            json!({"issue": {"subject": "tank"}}),
        )
        .assert_status(401);
    for body in [
        "{}",
        r#"{"issue":{}}"#,
        r#"{"issue":{"subject":" ","description":null}}"#,
    ] {
        dave.post("/issues/similar.json", body)
            .assert_status(422)
            .assert_errors(&["Subject cannot be blank when there is no description"]);
    }
    let odd = dave
        .post(
            "/issues/similar.json",
            json!({"issue": {"subject": ["a"], "description": {"b": 1}}}),
        )
        .assert_status(422)
        .errors();
    assert!(
        odd.len() == 2 && odd[0].starts_with("Subject is invalid"),
        "{odd:?}"
    );
    for body in ["{", r#"{"issue":"tank"}"#] {
        dave.post("/issues/similar.json", body).assert_status(400);
    }
    for (query, message) in [
        ("limit=0", "limit must be a number from 1 to 25"),
        ("limit=26", "limit must be a number from 1 to 25"),
        ("limit=many", "limit must be a number from 1 to 25"),
        ("open_issues=perhaps", "open_issues must be 1 or 0"),
    ] {
        assert_eq!(
            dave.get(&similar_path_with_query(first, query))
                .assert_status(422)
                .errors(),
            [message],
            "{query}"
        );
    }
    dave.get(&similar_path_with_query(first, "project_id=missing"))
        .assert_status(404);
    dave.get(&similar_path_with_query(first, "project_id=secret"))
        .assert_status(403);
    let response = dave
        .get(&similar_path_with_query(first, "open_isues=1"))
        .assert_status(200);
    assert!(
        response.header("warning").contains("open_isues"),
        "{response:?}"
    );
    dave.get(&similar_path_with_query(first, "open_isues=1&strict=1"))
        .assert_status(422);
}

#[test]
fn project_scope_includes_descendants() {
    let world = World::with_projects();
    let [first, second, third, _] = tanks(&world);
    let hidden = create(&world, "secret", "Fuel tank leaks at launch", "");
    assert_eq!(like(&world, "alice", first, "project_id=secret"), [hidden]);
    assert_eq!(
        like(&world, "alice", first, "project_id=open"),
        [second, third]
    );
    assert_eq!(
        like(&world, "alice", hidden, "project_id=2"),
        Vec::<i64>::new()
    );
}
