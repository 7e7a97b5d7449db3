//! Lists of issues as CSV, Atom and NDJSON.

use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::Value;

fn world() -> World {
    let world = World::with_projects();
    for subject in ["=1+1", "Comma, \"quote\"", "Über <b> \u{1}水"] {
        world.issue("open").field("subject", subject).create();
    }
    world
        .issue("secret")
        .field("subject", "Kryptonite")
        .create();
    world
}

#[test]
fn csv_has_what_the_list_shows() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let csv = bob
        .get("/issues.csv?c[]=subject&c[]=status&sort=id")
        .assert_status(200);
    assert_eq!(csv.content_type(), "text/csv; charset=utf-8");
    let lines: Vec<&str> = csv.body.split("\r\n").collect();
    assert_eq!(
        lines[..3],
        [
            "#,Subject,Status",
            "1,'=1+1,New",
            "2,\"Comma, \"\"quote\"\"\",New"
        ]
    );
    assert!(!csv.body.contains("Kryptonite"));
    let admin = Browser::logged_in(&world, "admin").get("/issues.csv");
    admin.assert_status(200).assert_contains("Kryptonite");
    let other = bob
        .get("/issues.csv?c[]=status&separator=semicolon&sort=id&priority_id=2")
        .assert_status(200);
    assert!(
        other.body.starts_with("#;Status\r\n1;New\r\n"),
        "{}",
        other.body
    );
    let all = bob
        .get("/projects/open/issues.csv?columns=all&separator=tab")
        .assert_status(200);
    assert!(all.body.lines().next().unwrap().split('\t').count() > 25);
    for (encoding, start) in [
        ("UTF-8", "\u{feff}#;Subject\r\n1;'=1+1"),
        ("iso-8859-1", "#;Subject\r\n1;'=1+1"),
        ("CP1252", "#;Subject\r\n1;'=1+1"),
    ] {
        let csv = bob.get(&format!(
            "/issues.csv?c[]=subject&sort=id&field_separator=%3B&encoding={encoding}"
        ));
        assert!(csv.assert_status(200).body.starts_with(start), "{encoding}");
    }
    bob.get("/issues.csv?encoding=ebcdic")
        .assert_status(422)
        .assert_contains("encoding must be UTF-8, ISO-8859-1 or CP1252");
    bob.get("/issues.csv?field_separator=x").assert_status(422);
    bob.get("/projects/secret/issues.csv").assert_status(404);
    bob.get("/projects/secret/issues.atom").assert_status(404);
    bob.get("/issues.csv?due_date=soon").assert_status(422);
    bob.get("/issues/1.csv").assert_status(406);
    bob.get("/projects.csv").assert_status(406);
}

#[test]
fn exports_end_at_the_limits_of_the_settings() {
    let world = world();
    world.sql(
        "INSERT INTO settings (name, value) VALUES ('issues_export_limit', '2'), ('feeds_limit', '1')",
    );
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(bob.get("/issues.csv?c[]=status").body.lines().count(), 3);
    bob.get("/issues")
        .assert_contains("An export has the first 2 of 3 issues.");
    assert_eq!(bob.get("/issues.atom").body.matches("<entry>").count(), 1);
    let lines = world
        .as_user("bob")
        .get("/issues.ndjson")
        .assert_status(200);
    assert_eq!(lines.body.lines().count(), 2);
}

#[test]
fn feed_is_valid_and_needs_a_key_or_a_session() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let feed = bob
        .get("/projects/open/issues.atom?sort=id:desc")
        .assert_status(200);
    assert_eq!(feed.content_type(), "application/atom+xml; charset=utf-8");
    let document = roxmltree::Document::parse(&feed.body).unwrap();
    let entries: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")))
        .collect();
    assert_eq!(entries.len(), 3);
    for name in ["title", "id", "updated", "author", "link", "summary"] {
        assert!(
            entries[0]
                .children()
                .any(|node| node.tag_name().name() == name),
            "{name}"
        );
    }
    // Every list has its own feed, and a key is not in it.
    let id = document
        .root_element()
        .children()
        .find(|node| node.tag_name().name() == "id");
    let id = id.and_then(|node| node.text()).unwrap();
    assert!(
        id.ends_with("/projects/open/issues.atom?sort=id%3Adesc"),
        "{id}"
    );
    let key = world.key("bob");
    let by_key = Browser::new(&world)
        .get(&format!("/issues.atom?tracker_id=1&key={key}"))
        .assert_status(200);
    assert!(!by_key.body.contains(key));
    assert!(feed.body.contains("Über &#60;b&#62; 水"), "{}", feed.body);
    assert!(!feed.body.contains("Kryptonite"));
}

#[test]
fn ndjson_has_the_issues_of_the_api() {
    let world = world();
    let bob = world.as_user("bob");
    let lines = bob
        .get("/projects/open/issues.ndjson?sort=id")
        .assert_status(200);
    let lines: Vec<Value> = lines
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let list = bob.get("/projects/open/issues.json?sort=id").json();
    assert_eq!(Value::from(lines), list["issues"]);
    bob.get("/projects/secret/issues.ndjson").assert_status(403);
}
