//! Qualifiers, excluded words and alternatives.

use quarry::domain::ids::ProjectId;
use quarry::domain::projects::module::{Module, ModuleSet};
use quarry::store::projects;
use quarry_world::search::world;
use quarry_world::{MANAGER, World, insert_version, percent_encode};
use serde_json::{Value, json};

/// Returns the sorted titles of all results.
fn found(world: &World, login: &str, q: &str) -> Vec<String> {
    let response = world
        .as_user(login)
        .get(&format!("/search.json?limit=100&q={}", percent_encode(q)))
        .assert_status(200)
        .json();
    let mut titles: Vec<String> = response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["title"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(response["total_count"], titles.len());
    titles.sort();
    titles
}

fn post(world: &World, login: &str, mut fields: Value) {
    fields["project_id"] = json!("open");
    world
        .as_user(login)
        .post("/issues.json", json!({"issue": fields}))
        .assert_status(201);
}

/// The world of the search tests with three more issues.
fn more() -> World {
    let world = world();
    let now = world.app.clock.now();
    world.write(move |db| {
        insert_version(db, ProjectId(1), "Moon 1.0", now)?;
        insert_version(db, ProjectId(2), "Secret 9", now).map(drop)
    });
    post(
        &world,
        "alice",
        json!({"subject": "Engine stutters", "description": "rocket", "assigned_to_id": 3, "fixed_version_id": 1, "tracker_id": 2}),
    );
    post(
        &world,
        "bob",
        json!({"subject": "Engine rusts", "description": "rocket and zeppelin", "priority_id": 4}),
    );
    post(
        &world,
        "bob",
        json!({"subject": "Engine gone", "description": "rocket"}),
    );
    world
        .as_user("alice")
        .put("/issues/5.json", json!({"issue": {"status_id": 5}}))
        .assert_status(200);
    world
}

const STUTTERS: &str = "Feature #3 (New): Engine stutters";
const RUSTS: &str = "Bug #4 (New): Engine rusts";
const GONE: &str = "Bug #5 (Closed): Engine gone";

#[test]
fn names_of_languages_keep_their_punctuation() {
    let world = World::new();
    world.project("open").member("alice", MANAGER).create();
    for (subject, description) in [
        ("one", "ported to C++"),
        ("two", "C#, and .NET"),
        ("three", "written in C."),
        ("four", "i++ on example.net"),
        ("five", "really?++ 1.2.3+build #123"),
    ] {
        post(
            &world,
            "alice",
            json!({"subject": subject, "description": description}),
        );
    }
    for (q, expected) in [
        ("c++", "one"),
        ("C++", "one"),
        ("c#", "two"),
        (".net", "two"),
        (".NET c#", "two"),
        ("c", "one three two"),
        ("net", "four two"),
        ("c -c++", "three two"),
        ("\"to c++\"", "one"),
        ("i", "four"),
        ("i++", "four"),
        ("really", "five"),
        ("1.2.3", "five"),
        ("build", "five"),
    ] {
        let titles = found(&world, "alice", q);
        let subjects: Vec<&str> = titles
            .iter()
            .map(|title| title.rsplit(' ').next().unwrap())
            .collect();
        let mut expected: Vec<&str> = expected.split(' ').collect();
        expected.sort_unstable();
        let mut subjects = subjects;
        subjects.sort_unstable();
        assert_eq!(subjects, expected, "{q}");
    }
    let hit = world
        .as_user("alice")
        .get("/search.json?q=c%2B%2B")
        .assert_status(200)
        .json()["results"][0]
        .clone();
    assert_eq!(hit["excerpt"], "ported to <mark>C++</mark>");
}

#[test]
fn qualifiers_filter_and_can_be_negated() {
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
        let q = if q.contains("urgent") {
            "engine priority:immediate"
        } else {
            q
        };
        assert_eq!(found(&world, "alice", q), titles, "{q}");
    }
    assert_eq!(
        found(&world, "alice", "engine created:2026-11-20"),
        [RUSTS, GONE, STUTTERS]
    );
    assert_eq!(
        found(&world, "alice", "engine created:>2026-11-20"),
        Vec::<String>::new()
    );
    assert_eq!(
        found(&world, "alice", "engine -updated:<2026-11-20"),
        [RUSTS, GONE, STUTTERS]
    );
}

#[test]
fn words_can_be_excluded_and_combined_with_or() {
    let world = more();
    assert_eq!(found(&world, "alice", "engine -zeppelin"), [GONE, STUTTERS]);
    assert_eq!(
        found(&world, "alice", "engine -\"and zeppelin\""),
        [GONE, STUTTERS]
    );
    assert_eq!(
        found(&world, "alice", "stutters OR rusts"),
        [RUSTS, STUTTERS]
    );
    assert_eq!(
        found(&world, "alice", "engine stutters OR rusts -zeppelin"),
        [STUTTERS]
    );
    assert_eq!(
        found(&world, "alice", "\"is:open\""),
        Vec::<String>::new(),
        "quoted it is text"
    );
}

#[test]
fn words_match_outside_titles() {
    let world = more();
    assert_eq!(
        found(&world, "alice", "engine -in:title"),
        Vec::<String>::new()
    );
    assert_eq!(
        found(&world, "alice", "rocket -in:title type:issue"),
        [RUSTS, GONE, STUTTERS]
    );
    assert_eq!(
        found(&world, "alice", "engine zeppelin -in:title"),
        [RUSTS],
        "not all of them stand there"
    );
    assert_eq!(
        found(&world, "alice", "-in:title is:closed"),
        [GONE],
        "an excluded word alone has no effect"
    );
}

fn refusal(world: &World, login: &str, q: &str) -> String {
    world
        .as_user(login)
        .get(&format!("/search.json?q={}", percent_encode(q)))
        .assert_status(422)
        .errors()[0]
        .clone()
}

#[test]
fn hidden_records_exclude_nothing_and_resolve_no_names() {
    let world = more();
    world
        .as_user("alice")
        .put(
            "/issues/3.json",
            json!({"issue": {"notes": "quicksilver", "private_notes": true}}),
        )
        .assert_status(200);
    assert_eq!(found(&world, "alice", "engine -quicksilver"), [RUSTS, GONE]);
    assert_eq!(
        found(&world, "carol", "engine -quicksilver"),
        [RUSTS, GONE, STUTTERS]
    );
    // Unknown and hidden names give the same response.
    let hidden = refusal(&world, "bob", "x version:\"Secret 9\"").replace("Secret 9", "…");
    assert_eq!(
        hidden,
        refusal(&world, "bob", "x version:\"Nothing 9\"").replace("Nothing 9", "…")
    );
    let hidden = refusal(&world, "bob", "x project:secret").replace("secret", "…");
    assert_eq!(
        hidden,
        refusal(&world, "bob", "x project:nowhere").replace("nowhere", "…")
    );
    assert_eq!(
        found(&world, "alice", "rocket project:secret"),
        ["Bug #2 (New): Hidden rocket"]
    );
}

#[test]
fn syntax_errors_are_reported_with_position() {
    let world = world();
    let quoting = "; to search for the text itself put it in double quotes";
    assert_eq!(
        refusal(&world, "alice", "rocket is:opn"),
        format!(
            "q is invalid at character 8: is:opn – is: expects open, closed, mine, watched, overdue, private or unread{quoting}"
        )
    );
    let sentence = "q is invalid at character 1: status:Nwe – there is none of this name, did you mean \"New\"?";
    assert_eq!(
        refusal(&world, "alice", "status:Nwe"),
        format!("{sentence}{quoting}")
    );
    for wrong in [
        "created:someday",
        "created:2024-02-30",
        "has:wings",
        "in:space",
        "type:thing",
        "is:",
        "statsu:new",
        "-(a -(b -(c -(d -(e -(f g))))))",
    ] {
        assert!(
            refusal(&world, "alice", wrong).starts_with("q is invalid at character "),
            "{wrong}"
        );
    }
    let xml = world
        .as_user("alice")
        .get("/search.xml?q=is:opn")
        .assert_status(422);
    assert_eq!(xml.errors().len(), 1);
}

fn facets(world: &World, login: &str, query: &str) -> Value {
    world
        .as_user(login)
        .get(&format!("/search.json?{query}"))
        .assert_status(200)
        .json_path("/facets")
}

fn sum_of_counts(facet: &serde_json::Value) -> i64 {
    facet
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["count"].as_i64().unwrap())
        .sum::<i64>()
}

#[test]
fn facets_count_visible_records_only() {
    let world = more();
    let all = "q=rocket&facets=type,project,status,tracker,author,year&limit=1";
    let alice = facets(&world, "alice", all);
    let carol = facets(&world, "carol", all);
    assert_eq!(
        alice["project"],
        json!([{"id": 1, "name": "open", "count": 10}, {"id": 2, "name": "secret", "count": 1}])
    );
    assert_eq!(
        carol["project"],
        json!([{"id": 1, "name": "open", "count": 10}])
    );
    assert_eq!(
        carol["status"],
        json!([{"id": 1, "name": "New", "count": 3}, {"id": 5, "name": "Closed", "count": 1}])
    );
    assert_eq!(
        carol["tracker"],
        json!([{"id": 1, "name": "Bug", "count": 3}, {"id": 2, "name": "Feature", "count": 1}])
    );
    assert_eq!(
        carol["year"][0],
        json!({"id": 2026, "name": "2026", "count": 10})
    );
    assert_eq!(
        (sum_of_counts(&alice["type"]), sum_of_counts(&carol["type"])),
        (11, 10)
    );
    let narrowed = facets(&world, "carol", "q=rocket%20author:bob&facets=author");
    assert_eq!(
        narrowed["author"],
        json!([{"id": 3, "name": "bob Tester", "count": 2}])
    );
    let xml = world
        .as_user("carol")
        .get("/search.xml?q=rocket&facets=tracker&limit=1")
        .assert_status(200)
        .body;
    let facet = "<facets><tracker type=\"array\"><value id=\"1\" name=\"Bug\" count=\"3\"/><value id=\"2\" name=\"Feature\" count=\"1\"/></tracker></facets></results>";
    assert!(xml.ends_with(facet), "{xml}");
    assert!(
        world
            .as_user("carol")
            .get("/search.json?q=rocket")
            .assert_status(200)
            .json()
            .get("facets")
            .is_none()
    );
    assert_eq!(
        facets(&world, "carol", "q=&facets=type,year"),
        json!({"type": [], "year": []}),
        "an empty query has no facets"
    );
    let errors = world
        .as_user("carol")
        .get("/search.json?q=rocket&facets=colour")
        .assert_status(422)
        .errors();
    assert_eq!(
        errors,
        ["facets must be some of type, project, status, tracker, author, year"]
    );
}

#[test]
fn qualifiers_follow_module_changes() {
    let world = more();
    world.project("third").member("alice", MANAGER).create();
    assert_eq!(found(&world, "carol", "engine is:open").len(), 2);
    let without: ModuleSet = Module::ALL
        .iter()
        .copied()
        .filter(|module| *module != Module::IssueTracking)
        .collect();
    world.write(move |db| projects::set_modules(db, ProjectId(1), without));
    assert_eq!(
        found(&world, "carol", "engine is:open"),
        Vec::<String>::new()
    );
}
