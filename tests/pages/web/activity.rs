//! `GET /activity`, `GET /projects/:id/activity`, and their feeds.

use quarry::domain::administration::setting::Setting;
use quarry::domain::content::attachment::ContainerType;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::file;
use quarry_world::browser::Browser;
use quarry_world::search::world;
use quarry_world::{World, user};
use regex::Regex;
use serde_json::json;
use std::collections::BTreeSet;

/// Changes an issue over the API.
fn change(world: &World, login: &str, id: i64, fields: serde_json::Value) {
    let body = json!({ "issue": fields }).to_string();
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), &body)
        .assert_status(200);
}

fn log_time(world: &World, login: &str, fields: serde_json::Value) {
    let body = json!({ "time_entry": fields }).to_string();
    world
        .as_user(login)
        .post("/time_entries.json", &body)
        .assert_status(201);
}

#[test]
fn activity_tells_who_did_what_to_which_record() {
    let world = world();
    let issue = world.issue("open").subject("Valve sticks").create();
    change(&world, "bob", issue, json!({"notes": "It was *rust*"}));
    change(&world, "bob", issue, json!({"done_ratio": 30}));
    change(&world, "alice", issue, json!({"status_id": 5}));
    log_time(
        &world,
        "bob",
        json!({"issue_id": issue, "hours": "1:30", "activity_id": 8, "comments": "Oiled it"}),
    );
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/activity").assert_status(200);
    for text in [
        "<h2>Today</h2>",
        "commented on <a href=\"/issues/",
        "#note-1\">Bug #",
        "Valve sticks</a>",
        "It was rust",
        "set <b>% Done</b> from <b>0 %</b> to <b>30 %</b>",
        "closed <a href",
        "logged 1.5 h of Design on <a href",
        "Oiled it",
        "announced <a href=\"/news/",
        "Added the document <a href=\"/documents/",
        "Edited the wiki page <a href=\"/projects/open/wiki/",
        "started the topic <a href=\"/boards/",
        "ommitted <a href=\"/projects/open/",
    ] {
        assert!(page.body.contains(text), "{text} is missing: {}", page.body);
    }
    let project = alice.get("/projects/open/activity").assert_status(200);
    let project = project.assert_contains("Valve sticks");
    assert!(!project.body.contains("kryptonite") && !project.body.contains("Hidden rocket"));
}

#[test]
fn activity_shows_only_what_the_viewer_may_see() {
    let world = world();
    let hidden = world.issue("secret").subject("Zeppelin").create();
    let public = world.issue("open").subject("Balloon").create();
    change(&world, "alice", hidden, json!({"notes": "helium"}));
    change(
        &world,
        "alice",
        public,
        json!({"notes": "hydrogen", "private_notes": true}),
    );
    log_time(
        &world,
        "alice",
        json!({"issue_id": hidden, "hours": 2, "activity_id": 8, "comments": "argon"}),
    );
    let words = ["Zeppelin", "helium", "hydrogen", "argon"];
    for login in ["dave", "carol"] {
        let browser = Browser::logged_in(&world, login);
        for path in [
            "/activity",
            "/activity.atom",
            "/projects/open/activity",
            "/activity?user_id=2",
        ] {
            let body = browser.get(path).assert_status(200).body;
            for word in words {
                assert!(!body.contains(word), "{login} sees {word} at {path}");
            }
        }
        browser.get("/projects/secret/activity").assert_status(404);
    }
    let alice = Browser::logged_in(&world, "alice").get("/activity");
    for word in words {
        assert!(alice.body.contains(word), "{word} is missing");
    }
    world.set(Setting::LoginRequired, "0");
    Browser::new(&world)
        .get("/activity")
        .assert_status(200)
        .assert_contains("Balloon");
}

#[test]
fn files_of_projects_and_versions_are_events_for_those_who_may_see_them() {
    let world = world();
    let version = json!({"version": {"name": "1.0"}}).to_string();
    for project in ["open", "secret"] {
        world
            .as_user("admin")
            .post(&format!("/projects/{project}/versions.json"), &version)
            .assert_status(201);
    }
    let project = ContainerType::Record(Kind::Project);
    file(&world, "alice", project, 1, "plan.pdf", "a");
    file(
        &world,
        "alice",
        ContainerType::Version,
        1,
        "release.zip",
        "b",
    );
    file(&world, "alice", project, 2, "hidden.pdf", "c");
    file(
        &world,
        "alice",
        ContainerType::Version,
        2,
        "hidden.zip",
        "d",
    );
    // A file of another record is none of the project.
    file(
        &world,
        "alice",
        ContainerType::Record(Kind::Issue),
        1,
        "crash.log",
        "e",
    );
    let files = |login: &str| {
        let page = Browser::logged_in(&world, login).get("/activity?show_files=1");
        let page = page.assert_status(200).body;
        [
            "plan.pdf",
            "release.zip",
            "hidden.pdf",
            "hidden.zip",
            "crash.log",
        ]
        .map(|name| page.contains(name))
    };
    assert_eq!(files("dave"), [true, true, false, false, false]);
    assert_eq!(files("alice"), [true, true, true, true, false]);
}

#[test]
fn change_without_visible_details_is_no_event() {
    let world = world();
    let public = world.issue("open").subject("Balloon").create();
    let hidden = world.issue("secret").create();
    let body = json!({"relation": {"issue_to_id": hidden, "relation_type": "relates"}}).to_string();
    world.set(Setting::CrossProjectIssueRelations, "1");
    world
        .as_user("alice")
        .post(&format!("/issues/{public}/relations.json"), &body)
        .assert_status(201);
    let sees = |login: &str| {
        let page = Browser::logged_in(&world, login).get("/projects/open/activity?show_issues=1");
        page.assert_status(200).body.contains("added relation")
    };
    assert!(sees("alice"));
    assert!(!sees("dave"));
}

#[test]
fn activity_is_limited_to_types_persons_and_days() {
    let world = world();
    let issue = world.issue("open").subject("Valve sticks").create();
    change(&world, "bob", issue, json!({"notes": "rusty"}));
    let alice = Browser::logged_in(&world, "alice");
    let news = alice.get("/activity?show_news=1").assert_status(200).body;
    assert!(news.contains("announced") && !news.contains("Valve sticks"));
    let bob = user("bob");
    let of_bob = alice
        .get(&format!("/activity?user_id={bob}"))
        .assert_status(200);
    let of_bob = of_bob
        .assert_contains("rusty")
        .assert_contains("Activity of bob Tester");
    assert!(!of_bob.body.contains("announced"));
    alice
        .get("/activity?from=2026-11-20")
        .assert_contains("rusty");
    alice
        .get("/activity?from=2026-11-19")
        .assert_contains("Nothing has happened here.");
    for (path, message) in [
        ("/activity?from=yesterday", "from must be a day"),
        ("/activity?user_id=bob", "user_id must be the id"),
        ("/activity?after=1", "after must be the value"),
        (
            "/activity?after=9999999999999999999.1.1.1",
            "after must be the value",
        ),
    ] {
        alice.get(path).assert_status(422).assert_contains(message);
    }
    alice.get("/activity?user_id=999").assert_status(404);
    world.set(Setting::LoginRequired, "0");
    let anonymous = Browser::new(&world);
    assert_ne!(anonymous.get("/activity?user_id=me").status, 200);
    alice.get("/projects/nothing/activity").assert_status(404);
}

#[test]
fn pages_of_events_of_the_same_moment_have_each_event_once() {
    let world = world();
    let issue = world.issue("open").create();
    for n in 0..120 {
        change(&world, "bob", issue, json!({"notes": format!("note{n}x")}));
    }
    let alice = Browser::logged_in(&world, "alice");
    let older = Regex::new("rel=\"next\" href=\"([^\"]*)\"").unwrap();
    let note = Regex::new("note[0-9]+x").unwrap();
    let mut path = "/activity".to_owned();
    let mut seen = BTreeSet::new();
    let mut pages = 1;
    loop {
        let page = alice.get(&path).assert_status(200).body;
        for found in note.find_iter(&page) {
            assert!(
                seen.insert(found.as_str().to_owned()),
                "{} again",
                found.as_str()
            );
        }
        let Some(link) = older.captures(&page) else {
            break;
        };
        path = format!(
            "/activity{}",
            link[1].replace("&#38;", "&").replace("&amp;", "&")
        );
        pages += 1;
    }
    assert_eq!(seen.len(), 120);
    assert!((3..=5).contains(&pages), "{pages} pages");
}

#[test]
fn feed_has_the_events_of_its_page() {
    let world = world();
    let issue = world.issue("open").subject("Valve & co").create();
    change(&world, "bob", issue, json!({"notes": "rusty"}));
    let key = world.key("alice");
    let by_key = Browser::new(&world)
        .get(&format!("/activity.atom?show_issues=1&key={key}"))
        .assert_status(200);
    assert!(by_key.body.contains("kryptonite") && !by_key.body.contains(key));
    let alice = Browser::logged_in(&world, "alice");
    let feed = alice
        .get("/projects/open/activity.atom?show_issues=1")
        .assert_status(200);
    let feed = feed
        .assert_contains("<title>Commented on Bug #")
        .assert_contains("Valve &#38; co")
        .assert_contains("#note-1\"/>")
        .assert_contains("<summary type=\"text\">rusty</summary>");
    assert!(!feed.body.contains("Announced"));
}
