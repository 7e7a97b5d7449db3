//! The filter `q`: a text in the language of the search (docs/search.md, section 1.5). That a list has
//! exactly what the search finds is shown by `tests/api/search/reference/trees.rs`.

use super::ids;
use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

/// Returns a world with an open issue, a closed one and one in a subproject.
fn pumps() -> World {
    let world = world();
    let child = json!({"project": {"identifier": "child", "name": "Child", "parent_id": 1}});
    world
        .as_user("admin")
        .post("/projects.json", child)
        .assert_status(201);
    for (project, subject, status) in [
        ("open", "Pump leaks", 1),
        ("open", "Pump is loud", 5),
        ("child", "Pumps of the child", 1),
        ("open", "Valve sticks", 1),
    ] {
        let id = world.issue(project).subject(subject).create();
        world.edit(id, move |issue| {
            issue.status = quarry::domain::ids::StatusId(status)
        });
    }
    world
}

/// Returns the subjects of the issues that a list has.
fn subjects(world: &World, path: &str) -> Vec<String> {
    let list = world.as_user("alice").get(path).assert_status(200).json();
    let issues = list["issues"].as_array().unwrap().iter();
    issues
        .map(|issue| issue["subject"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn list_has_what_the_text_finds() {
    let world = pumps();
    let cases: [(&str, &[&str]); 9] = [
        (
            "/issues.json?q=pump&sort=id",
            &["Pump leaks", "Pump is loud", "Pumps of the child"],
        ),
        (
            "/issues.json?q=pump&status_id=open&sort=id",
            &["Pump leaks", "Pumps of the child"],
        ),
        ("/issues.json?q=pump+is%3Aclosed", &["Pump is loud"]),
        (
            "/issues.json?q=%28loud+OR+stick%29&sort=id",
            &["Pump is loud", "Valve sticks"],
        ),
        ("/issues.json?q=pump+NOT+loud+-child", &["Pump leaks"]),
        ("/issues.json?q=%22is+loud%22", &["Pump is loud"]),
        (
            "/issues.json?f[]=q&op[q]=%3D&v[q][]=valve",
            &["Valve sticks"],
        ),
        (
            "/projects/open/issues.json?q=pump&subproject_id=!*&sort=id",
            &["Pump leaks", "Pump is loud"],
        ),
        (
            "/projects/child/issues.json?q=pump",
            &["Pumps of the child"],
        ),
    ];
    for (path, expected) in cases {
        assert_eq!(subjects(&world, path), expected, "{path}");
    }
    // An empty text is no filter, so the list has its default one.
    assert_eq!(
        ids(&world, "alice", "q=+"),
        ids(&world, "alice", ""),
        "the open issues"
    );
    let lines = world
        .as_user("alice")
        .get("/issues.ndjson?q=pump+leaks")
        .assert_status(200);
    assert!(lines.body.contains("Pump leaks") && lines.body.lines().count() == 1);
}

#[test]
fn list_has_a_change_at_once() {
    let world = pumps();
    for n in 0..5 {
        let fields = json!({"issue": {"project_id": "open", "subject": format!("Comet {n}")}});
        world
            .as_user("alice")
            .post("/issues.json", fields)
            .assert_status(201);
        assert_eq!(ids(&world, "alice", "q=comet").len(), n + 1);
    }
}

#[test]
fn text_of_a_saved_query_is_searched_for() {
    let world = pumps();
    let query = json!({"query": {
        "name": "Pumps",
        "visibility": "public",
        "filters": [{"field": "q", "operator": "=", "values": ["pump OR \"valve\""]}],
    }});
    world
        .as_user("admin")
        .post("/queries.json", query)
        .assert_status(201);
    assert_eq!(
        subjects(&world, "/issues.json?query_id=1&sort=id"),
        [
            "Pump leaks",
            "Pump is loud",
            "Pumps of the child",
            "Valve sticks"
        ]
    );
    // Both texts must match.
    assert_eq!(
        subjects(&world, "/issues.json?query_id=1&q=loud"),
        ["Pump is loud"]
    );
}

#[test]
fn text_that_cannot_be_searched_for_is_named() {
    let world = pumps();
    let alice = world.as_user("alice");
    let error = |text: &str| {
        let path = format!("/issues.json?q={}", percent_encode(text));
        alice.get(&path).assert_status(422).errors().join("; ")
    };
    assert!(
        error("status:Absent").starts_with("q "),
        "{}",
        error("status:Absent")
    );
    assert!(
        error("due:tomorow").contains("due:tomorow"),
        "{}",
        error("due:tomorow")
    );
    let many: String = (0..500).map(|n| format!("pump{n} ")).collect();
    assert!(error(&many).contains("too many words"));
    assert_eq!(
        alice
            .get("/issues.json?q=pump&tz=Mars")
            .assert_status(422)
            .errors(),
        ["tz must be the name of a time zone, such as Europe/Berlin"]
    );
    for (query, error) in [
        ("q[]=pump", "q must be one text, such as q=1|2"),
        ("f[]=q&op[q]=%3D&v[q][]=", "Search cannot be blank"),
        ("f[]=q&op[q]=~&v[q][]=pump", "Search is invalid"),
    ] {
        let path = format!("/issues.json?{query}");
        assert_eq!(alice.get(&path).assert_status(422).errors(), [error]);
    }
    let xml = alice.get("/issues.xml?q=status:Absent").assert_status(422);
    assert!(xml.body.contains("<error>q "), "{}", xml.body);
}

#[test]
fn list_says_how_another_text_was_searched() {
    let world = pumps();
    for _ in 0..3 {
        world.issue("open").subject("Compressor stops").create();
    }
    let warning = |text: &str| {
        let path = format!("/issues.json?q={}", percent_encode(text));
        let response = world.as_user("alice").get(&path).assert_status(200);
        let warning = response.header("warning").to_owned();
        (warning, response.json()["total_count"].clone())
    };
    assert_eq!(warning("valve").0, "");
    let (corrected, total) = warning("compresor");
    assert!(
        corrected.contains("a similar one was searched"),
        "{corrected}"
    );
    assert_eq!(total, json!(3), "as in the search");
    let (as_text, _) = warning("(valve AND sticks");
    assert!(
        as_text.contains("AND and NOT are searched as text"),
        "{as_text}"
    );
}

#[test]
fn text_finds_only_what_the_viewer_may_see() {
    let world = pumps();
    let hidden = json!({"issue": {
        "project_id": "open", "subject": "Pump of the board", "is_private": true,
    }});
    world
        .as_user("alice")
        .post("/issues.json", hidden)
        .assert_status(201);
    let total = |login: &str, query: &str| {
        let path = format!("/issues.json?{query}&limit=1");
        let list: Value = world.as_user(login).get(&path).assert_status(200).json();
        list["total_count"].as_i64().unwrap()
    };
    assert_eq!(total("alice", "q=board"), 1);
    assert_eq!(total("dave", "q=board"), 0);
    assert_eq!(total("alice", "q=pump"), total("dave", "q=pump") + 1);
    assert_eq!(total("dave", "q=NOT+valve"), total("dave", "q=-valve"));
}

#[test]
fn days_of_the_text_are_in_the_time_zone_of_the_request() {
    let world = World::with_bob_in_kiritimati();
    let due = world
        .app
        .clock
        .now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    world
        .issue("open")
        .field("due_date", due.to_string().as_str())
        .create();
    assert_eq!(ids(&world, "alice", "q=due:today").len(), 1);
    let path = "q=due:today&tz=Pacific/Kiritimati";
    let tomorrow = due.tomorrow().unwrap();
    let zone = jiff::tz::TimeZone::get("Pacific/Kiritimati").unwrap();
    let is_tomorrow = world.app.clock.now().to_zoned(zone).date() == tomorrow;
    assert_eq!(ids(&world, "alice", path).is_empty(), is_tomorrow);
    assert!(is_tomorrow, "the clock of this world stands still");
}
