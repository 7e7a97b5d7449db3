//! `GET /issues/:id/similar`, `POST /issues/similar`

use super::{world, write};
use crate::world::{Client, World, user};
use quarry::domain::ids::{ProjectId, StatusId};
use quarry::store::roles;
use serde_json::{Value, json};

/// An issue with this subject and description by alice; its number.
fn told(world: &World, project: &str, subject: &str, description: &str) -> i64 {
    let body = json!({"issue": {"project_id": project, "subject": subject, "description": description}});
    world.as_user("alice").post("/issues.json", &body.to_string()).expect(201).json()["issue"]["id"].as_i64().unwrap()
}

fn ids(answer: &Value) -> Vec<i64> {
    answer["results"].as_array().unwrap().iter().map(|result| result["id"].as_i64().unwrap()).collect()
}

fn like(world: &World, login: &str, id: i64, query: &str) -> Vec<i64> {
    ids(&world.as_user(login).get(&format!("/issues/{id}/similar.json?{query}")).expect(200).json())
}

fn draft(client: &Client<'_>, query: &str, subject: &str, description: &str) -> Vec<i64> {
    let body = json!({"issue": {"subject": subject, "description": description}});
    ids(&client.post(&format!("/issues/similar.json?{query}"), &body.to_string()).expect(200).json())
}

/// Three issues about one thing, the nearest first, and one about another.
fn tanks(world: &World) -> [i64; 4] {
    [
        told(world, "open", "Fuel tank leaks at launch", "Kerosene drips from the valve"),
        told(world, "open", "Leak of the fuel tank", "The valve drips kerosene when launched"),
        told(world, "open", "Paint of the tank", "It peels"),
        told(world, "open", "Translate one manual", "Into Finnish"),
    ]
}

#[test]
fn the_most_like_come_first_and_the_issue_is_not_like_itself() {
    let world = world();
    let [first, second, third, fourth] = tanks(&world);
    assert_eq!(like(&world, "dave", first, ""), [second, third]);
    assert_eq!(like(&world, "dave", second, "")[0], first);
    assert!(!like(&world, "dave", fourth, "limit=25").contains(&fourth));
    assert_eq!(like(&world, "dave", first, "limit=1"), [second]);
    world.edit(second, |issue| issue.status = StatusId(5));
    let answer = world.as_user("dave").get(&format!("/issues/{first}/similar.json")).expect(200).json();
    let result = &answer["results"][0];
    let names: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "title", "type", "url", "description", "datetime", "project", "score"]);
    assert_eq!((result["type"].as_str(), result["score"].as_f64()), (Some("issue-closed"), Some(1.0)));
    assert!(answer["results"][1]["score"].as_f64().unwrap() < 1.0);
    assert_eq!((answer["results"][1]["type"].as_str(), answer["limit"].as_i64()), (Some("issue"), Some(5)));
    assert_eq!(like(&world, "dave", first, "open_issues=1"), [third]);
    let bare = world.as_user("dave").get(&format!("/issues/{first}/similar.json?description=0")).expect(200).json();
    assert!(bare["results"][0].get("description").is_none());
    let xml = world.as_user("dave").get(&format!("/issues/{first}/similar.xml?limit=1")).expect(200).body;
    assert!(
        xml.contains("<results limit=\"1\" type=\"array\"><result><id>2</id><title>Bug #2 (Closed): Leak of the fuel tank</title>"),
        "{xml}"
    );
}

#[test]
fn who_may_not_see_the_issue_is_told_nothing_of_its_like() {
    let world = world();
    let shown = told(&world, "open", "Fuel tank leaks", "");
    let hidden = told(&world, "secret", "Fuel tank leaks", "");
    let private = write(&world, "alice", "open", ",\"subject\":\"Fuel tank leaks\",\"is_private\":true");
    let path = |id: i64| format!("/issues/{id}/similar.json");
    let _ = world.anonymous().get(&path(shown)).expect(401);
    for id in [hidden, private] {
        let answer = world.as_user("dave").get(&path(id)).expect(403);
        assert!(!answer.body.contains("uel"), "{answer:?}");
    }
    for missing in ["/issues/999/similar.json", "/issues/x/similar.json", "/issues/similar.json"] {
        let _ = world.as_user("dave").get(missing).expect(404);
    }
    assert_eq!(like(&world, "dave", shown, ""), Vec::<i64>::new());
    assert_eq!(draft(&world.as_user("dave"), "", "Fuel tank leaks", ""), [shown]);
    let mut all = like(&world, "alice", shown, "");
    all.sort_unstable();
    assert_eq!(all, [hidden, private]);
    // The next request of whoever gets the right finds it.
    let now = world.app.clock.now();
    world.write(move |db| roles::add_member(db, ProjectId(2), user("dave").into(), &[crate::world::REPORTER], now));
    assert_eq!(like(&world, "dave", shown, ""), [hidden]);
}

#[test]
fn notes_that_the_asker_may_not_read_decide_nothing() {
    let world = world();
    let noted = told(&world, "open", "Strange noise", "");
    let manual = told(&world, "open", "Plutonium reactor manual", "");
    let _ = told(&world, "open", "Translate", "Into Finnish");
    let note = |id: i64, text: &str, private: bool| {
        let body = json!({"issue": {"notes": text, "private_notes": private}});
        let _ = world.as_user("alice").put(&format!("/issues/{id}.json"), &body.to_string()).expect(200);
    };
    note(noted, "It is the plutonium reactor", true);
    let found = |id: i64| ["admin", "alice", "bob", "carol", "dave"].map(|login| like(&world, login, id, ""));
    // Who reads the note finds what is like it; nobody finds the noted issue by it.
    assert_eq!(found(noted), [vec![manual], vec![manual], vec![manual], vec![], vec![]]);
    assert_eq!(found(manual), [const { Vec::<i64>::new() }; 5]);
    for login in ["alice", "dave"] {
        assert_eq!(draft(&world.as_user(login), "", "plutonium", "reactor"), [manual], "{login}");
    }
    // A public note is text as any other.
    note(noted, "The plutonium reactor hums", false);
    assert_eq!(found(noted), [manual; 5].map(|id| vec![id]));
    assert_eq!(found(manual), [noted; 5].map(|id| vec![id]));
}

#[test]
fn a_draft_finds_what_is_already_told() {
    let world = world();
    let [first, second, third, _] = tanks(&world);
    let dave = world.as_user("dave");
    let found = draft(&dave, "", "The fuel tank has a leak", "Kerosene on the floor");
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[..2].contains(&first) && found[..2].contains(&second) && found[2] == third, "{found:?}");
    assert_eq!(draft(&dave, "", "", "peels"), [third]);
    assert_eq!(draft(&dave, "", "zeppelin", "dirigible"), Vec::<i64>::new());
    // Nothing in a draft has a meaning of its own.
    assert_eq!(draft(&dave, "", "-peels is:closed \"OR project:nowhere in:title", "* \u{1} ♥"), [third]);
    let long = "word ".repeat(100_000) + "peels";
    assert_eq!(draft(&dave, "", &long, ""), Vec::<i64>::new());
    let body = b"<issue><subject>peels</subject></issue>".to_vec();
    let answer = dave.send(axum::http::Method::POST, "/issues/similar.xml", Some("application/xml"), body).expect(200).body;
    assert!(answer.contains("Paint of the tank</title>"), "{answer}");
    // Asking for it writes nothing.
    assert_eq!(dave.get("/issues.json").expect(200).json()["total_count"], 4);
}

#[test]
fn questions_that_cannot_be_answered_are_refused_with_the_reason() {
    let world = world();
    let [first, ..] = tanks(&world);
    let dave = world.as_user("dave");
    let _ = world.anonymous().post("/issues/similar.json", r#"{"issue":{"subject":"tank"}}"#).expect(401);
    for body in ["{}", r#"{"issue":{}}"#, r#"{"issue":{"subject":" ","description":null}}"#] {
        assert_eq!(dave.post("/issues/similar.json", body).expect(422).errors(), ["Subject cannot be blank when there is no description"]);
    }
    let odd = dave.post("/issues/similar.json", r#"{"issue":{"subject":["a"],"description":{"b":1}}}"#).expect(422).errors();
    assert!(odd.len() == 2 && odd[0].starts_with("Subject is invalid"), "{odd:?}");
    for body in ["{", r#"{"issue":"tank"}"#] {
        let _ = dave.post("/issues/similar.json", body).expect(400);
    }
    let path = |query: &str| format!("/issues/{first}/similar.json?{query}");
    for (query, said) in [
        ("limit=0", "limit must be a number from 1 to 25"),
        ("limit=26", "limit must be a number from 1 to 25"),
        ("limit=many", "limit must be a number from 1 to 25"),
        ("open_issues=perhaps", "open_issues must be 1 or 0"),
    ] {
        assert_eq!(dave.get(&path(query)).expect(422).errors(), [said], "{query}");
    }
    let _ = dave.get(&path("project_id=missing")).expect(404);
    let _ = dave.get(&path("project_id=secret")).expect(403);
    let answer = dave.get(&path("open_isues=1")).expect(200);
    assert!(answer.header("warning").contains("open_isues"), "{answer:?}");
    let _ = dave.get(&path("open_isues=1&strict=1")).expect(422);
}

#[test]
fn a_project_narrows_it_to_itself_and_what_is_below() {
    let world = world();
    let [first, second, third, _] = tanks(&world);
    let hidden = told(&world, "secret", "Fuel tank leaks at launch", "");
    assert_eq!(like(&world, "alice", first, "project_id=secret"), [hidden]);
    assert_eq!(like(&world, "alice", first, "project_id=open"), [second, third]);
    assert_eq!(like(&world, "alice", hidden, "project_id=2"), Vec::<i64>::new());
}
