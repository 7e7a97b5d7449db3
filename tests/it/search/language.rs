//! What a question can be narrowed by: qualifiers, what must not be found, and one word or another.

use super::world;
use crate::world::{MANAGER, World};
use quarry::domain::ids::ProjectId;
use quarry::domain::module::{Module, ModuleSet};
use quarry::store::{projects, versions};

/// Titles of what is found, sorted.
fn found(world: &World, login: &str, q: &str) -> Vec<String> {
    let answer = world.as_user(login).get(&format!("/search.json?limit=100&q={}", encoded(q))).expect(200).json();
    let mut titles: Vec<String> =
        answer["results"].as_array().unwrap().iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect();
    assert_eq!(answer["total_count"], titles.len());
    titles.sort();
    titles
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn post(world: &World, login: &str, fields: &str) {
    let _ = world.as_user(login).post("/issues.json", &format!("{{\"issue\":{{\"project_id\":\"open\",{fields}}}}}")).expect(201);
}

/// The world of the search with three more issues.
fn more() -> World {
    let world = world();
    let now = world.app.clock.now();
    world.write(move |db| {
        versions::insert(db, ProjectId(1), "Moon 1.0", "open", None, now)?;
        versions::insert(db, ProjectId(2), "Secret 9", "open", None, now).map(drop)
    });
    post(&world, "alice", r#""subject":"Engine stutters","description":"rocket","assigned_to_id":3,"fixed_version_id":1,"tracker_id":2"#);
    post(&world, "bob", r#""subject":"Engine rusts","description":"rocket and zeppelin","priority_id":4"#);
    post(&world, "bob", r#""subject":"Engine gone","description":"rocket""#);
    let _ = world.as_user("alice").put("/issues/5.json", r#"{"issue":{"status_id":5}}"#).expect(200);
    world
}

const STUTTERS: &str = "Feature #3 (New): Engine stutters";
const RUSTS: &str = "Bug #4 (New): Engine rusts";
const GONE: &str = "Bug #5 (Closed): Engine gone";

#[test]
fn qualifiers_narrow_and_are_negated() {
    let world = more();
    let cases: [(&str, &[&str]); 22] = [
        ("engine is:open", &[RUSTS, STUTTERS]),
        ("engine is:closed", &[GONE]),
        ("engine -is:open", &[GONE]),
        ("engine author:bob", &[RUSTS, GONE]),
        ("engine author:me", &[STUTTERS]),
        ("engine -author:me", &[RUSTS, GONE]),
        ("engine author:nobody", &[]),
        ("engine assignee:bob", &[STUTTERS]),
        ("engine assignee:none", &[RUSTS, GONE]),
        ("engine status:closed", &[GONE]),
        ("engine status:\"new\"", &[RUSTS, STUTTERS]),
        ("engine tracker:feature", &[STUTTERS]),
        ("engine priority:urgent", &[]),
        ("engine version:\"moon 1.0\"", &[STUTTERS]),
        ("engine version:none", &[RUSTS, GONE]),
        ("engine -version:\"moon 1.0\"", &[RUSTS, GONE]),
        ("rocket type:news", &["Rocket news"]),
        ("engine type:news", &[]),
        ("rocket -type:issue type:wiki", &["Wiki: Flying_high"]),
        ("rocket in:title type:news", &["Rocket news"]),
        ("rocket has:attachment", &["Rocket news"]),
        ("is:closed", &[GONE]),
    ];
    for (q, titles) in cases {
        let q = if q.contains("urgent") { "engine priority:immediate" } else { q };
        assert_eq!(found(&world, "alice", q), titles, "{q}");
    }
    assert_eq!(found(&world, "alice", "engine created:2026-11-20"), [RUSTS, GONE, STUTTERS]);
    assert_eq!(found(&world, "alice", "engine created:>2026-11-20"), Vec::<String>::new());
    assert_eq!(found(&world, "alice", "engine -updated:<2026-11-20"), [RUSTS, GONE, STUTTERS]);
}

#[test]
fn words_are_excluded_and_stand_in_for_each_other() {
    let world = more();
    assert_eq!(found(&world, "alice", "engine -zeppelin"), [GONE, STUTTERS]);
    assert_eq!(found(&world, "alice", "engine -\"and zeppelin\""), [GONE, STUTTERS]);
    assert_eq!(found(&world, "alice", "stutters OR rusts"), [RUSTS, STUTTERS]);
    assert_eq!(found(&world, "alice", "engine stutters OR rusts -zeppelin"), [STUTTERS]);
    assert_eq!(found(&world, "alice", "\"is:open\""), Vec::<String>::new(), "quoted it is text");
}

#[test]
fn words_are_looked_for_outside_titles() {
    let world = more();
    assert_eq!(found(&world, "alice", "engine -in:title"), Vec::<String>::new());
    assert_eq!(found(&world, "alice", "rocket -in:title type:issue"), [RUSTS, GONE, STUTTERS]);
    assert_eq!(found(&world, "alice", "engine zeppelin -in:title"), [RUSTS], "not all of them stand there");
    assert_eq!(found(&world, "alice", "-in:title is:closed"), [GONE], "without words it says nothing");
}

#[test]
fn what_is_hidden_excludes_nothing_and_has_no_name() {
    let world = more();
    let _ = world.as_user("alice").put("/issues/3.json", r#"{"issue":{"notes":"quicksilver","private_notes":true}}"#).expect(200);
    assert_eq!(found(&world, "alice", "engine -quicksilver"), [RUSTS, GONE]);
    assert_eq!(found(&world, "carol", "engine -quicksilver"), [RUSTS, GONE, STUTTERS]);
    let refusal =
        |login: &str, q: &str| world.as_user(login).get(&format!("/search.json?q={}", encoded(q))).expect(422).errors()[0].clone();
    // A name that is not there and one that may not be seen are answered alike.
    let hidden = refusal("bob", "x version:\"Secret 9\"").replace("Secret 9", "…");
    assert_eq!(hidden, refusal("bob", "x version:\"Nothing 9\"").replace("Nothing 9", "…"));
    let hidden = refusal("bob", "x project:secret").replace("secret", "…");
    assert_eq!(hidden, refusal("bob", "x project:nowhere").replace("nowhere", "…"));
    assert_eq!(found(&world, "alice", "rocket project:secret"), ["Bug #2 (New): Hidden rocket"]);
}

#[test]
fn what_is_malformed_is_named_with_its_place() {
    let world = world();
    let refusal = |q: &str| world.as_user("alice").get(&format!("/search.json?q={}", encoded(q))).expect(422).errors()[0].clone();
    let quoting = "; to search for the text itself put it in double quotes";
    assert_eq!(refusal("rocket is:opn"), format!("q is invalid at character 8: is:opn – is: expects open or closed{quoting}"));
    let sentence = "q is invalid at character 1: status:Nwe – there is none of this name, did you mean \"New\"?";
    assert_eq!(refusal("status:Nwe"), format!("{sentence}{quoting}"));
    for wrong in ["created:yesterday", "created:2024-02-30", "has:wings", "in:space", "type:thing", "is:", "statsu:new", "a OR is:open"] {
        assert!(refusal(wrong).starts_with("q is invalid at character "), "{wrong}");
    }
    let xml = world.as_user("alice").get("/search.xml?q=is:opn").expect(422);
    assert_eq!(xml.errors().len(), 1);
    let page = world.as_user("alice").get("/search?q=is:opn").expect(422);
    assert!(page.body.contains("double quotes"), "{page:?}");
}

#[test]
fn facets_count_what_the_viewer_may_see() {
    let world = more();
    let facets = |login: &str, query: &str| world.as_user(login).get(&format!("/search.json?{query}")).expect(200).json()["facets"].clone();
    let all = "q=rocket&facets=type,project,status,tracker,author,year&limit=1";
    let (alice, carol) = (facets("alice", all), facets("carol", all));
    assert_eq!(alice["project"], serde_json::json!([{"id": 1, "name": "open", "count": 10}, {"id": 2, "name": "secret", "count": 1}]));
    assert_eq!(carol["project"], serde_json::json!([{"id": 1, "name": "open", "count": 10}]));
    assert_eq!(carol["status"], serde_json::json!([{"id": 1, "name": "New", "count": 3}, {"id": 5, "name": "Closed", "count": 1}]));
    assert_eq!(carol["tracker"], serde_json::json!([{"id": 1, "name": "Bug", "count": 3}, {"id": 2, "name": "Feature", "count": 1}]));
    assert_eq!(carol["year"][0], serde_json::json!({"id": 2026, "name": "2026", "count": 10}));
    let sum = |facet: &serde_json::Value| facet.as_array().unwrap().iter().map(|value| value["count"].as_i64().unwrap()).sum::<i64>();
    assert_eq!((sum(&alice["type"]), sum(&carol["type"])), (11, 10));
    let narrowed = facets("carol", "q=rocket%20author:bob&facets=author");
    assert_eq!(narrowed["author"], serde_json::json!([{"id": 3, "name": "bob Tester", "count": 2}]));
    let xml = world.as_user("carol").get("/search.xml?q=rocket&facets=tracker&limit=1").expect(200).body;
    let facet = "<facets><tracker type=\"array\"><value id=\"1\" name=\"Bug\" count=\"3\"/><value id=\"2\" name=\"Feature\" count=\"1\"/></tracker></facets></results>";
    assert!(xml.ends_with(facet), "{xml}");
    assert!(world.as_user("carol").get("/search.json?q=rocket").expect(200).json().get("facets").is_none());
    assert_eq!(facets("carol", "q=&facets=type,year"), serde_json::json!({"type": [], "year": []}), "who asks nothing is told so");
    let errors = world.as_user("carol").get("/search.json?q=rocket&facets=colour").expect(422).errors();
    assert_eq!(errors, ["facets must be some of type, project, status, tracker, author, year"]);
}

#[test]
fn a_change_of_modules_is_seen_by_qualifiers_too() {
    let world = more();
    world.project("third", true, &[("alice", MANAGER)]);
    assert_eq!(found(&world, "carol", "engine is:open").len(), 2);
    let without: ModuleSet = Module::ALL.iter().copied().filter(|module| *module != Module::IssueTracking).collect();
    world.write(move |db| projects::set_modules(db, ProjectId(1), without));
    assert_eq!(found(&world, "carol", "engine is:open"), Vec::<String>::new());
}
