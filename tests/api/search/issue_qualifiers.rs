//! Qualifiers about dates, hours, people and relations of issues.

use quarry::domain::access::permission::Permission;
use quarry::domain::ids::StatusId;
use quarry::store::administration::roles;
use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

/// Returns the ids of the issues that a query finds, in ascending order.
fn found(world: &World, login: &str, query: &str, options: &str) -> Vec<i64> {
    let path = format!(
        "/search.json?limit=100&issues=1&q={}{options}",
        percent_encode(query)
    );
    let response = world.as_user(login).get(&path).assert_status(200).json();
    let hits = response["results"].as_array().unwrap().iter();
    let mut ids: Vec<i64> = hits.map(|hit| hit["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids
}

fn post(world: &World, mut fields: Value) -> i64 {
    fields["project_id"] = json!("open");
    let response = world
        .as_user("alice")
        .post("/issues.json", json!({"issue": fields}))
        .assert_status(201);
    response.json()["issue"]["id"].as_i64().unwrap()
}

fn today(world: &World) -> jiff::civil::Date {
    world
        .app
        .clock
        .now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

#[test]
fn days_are_relative_to_today() {
    let world = world();
    let today = today(&world);
    let yesterday = today.yesterday().unwrap();
    let far = today.saturating_add(jiff::Span::new().days(40));
    let late = post(
        &world,
        json!({"subject": "late", "start_date": "2020-01-01", "due_date": yesterday.to_string()}),
    );
    let now = post(
        &world,
        json!({"subject": "now", "due_date": today.to_string()}),
    );
    let later = post(
        &world,
        json!({"subject": "later", "due_date": far.to_string()}),
    );
    for (query, expected) in [
        ("due:today", vec![now]),
        ("due:yesterday", vec![late]),
        ("due:<today", vec![late]),
        ("due:<=today", vec![late, now]),
        ("due:>today", vec![later]),
        ("due:-1d..+1w", vec![late, now]),
        ("due:+40d", vec![later]),
        ("is:overdue", vec![late]),
        ("has:due -due:today", vec![late, later]),
        ("created:today late", vec![late]),
        ("created:<today late", vec![]),
    ] {
        assert_eq!(found(&world, "alice", query, ""), expected, "{query}");
    }
    let close = json!({"issue": {"status_id": 5}});
    world
        .as_user("alice")
        .put(&format!("/issues/{late}.json"), close)
        .assert_status(200);
    assert_eq!(found(&world, "alice", "is:overdue", ""), [0_i64; 0]);
    assert_eq!(found(&world, "alice", "closed:today was:New", ""), [late]);
}

#[test]
fn days_begin_in_utc_or_in_the_zone_of_the_parameter() {
    let world = world();
    let id = post(&world, json!({"subject": "gasket"}));
    let created = world.app.clock.now();
    let day = |zone: &str| {
        let zone = jiff::tz::TimeZone::get(zone).unwrap();
        format!("gasket created:{}", created.to_zoned(zone).date())
    };
    // Of these zones, at least one has another date than UTC at any time.
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
        let query = day(zone);
        let is_day_of_utc = query == day("UTC");
        assert_eq!(found(&world, "alice", &query, "") == [id], is_day_of_utc);
        let option = format!("&tz={}", percent_encode(zone));
        assert_eq!(found(&world, "alice", &query, &option), [id], "{zone}");
    }
    let response = world
        .as_user("alice")
        .get("/search.json?q=gasket&tz=Nowhere/Land")
        .assert_status(422);
    assert!(
        response.errors()[0].starts_with("tz must be"),
        "{response:?}"
    );
}

#[test]
fn qualifiers_ignore_hidden_parents_and_notes() {
    let world = world();
    let parent = post(&world, json!({"subject": "engine", "is_private": true}));
    let child = post(
        &world,
        json!({"subject": "nozzle", "parent_issue_id": parent}),
    );
    let note = json!({"issue": {"notes": "secret", "private_notes": true}});
    world
        .as_user("alice")
        .put(&format!("/issues/{child}.json"), note)
        .assert_status(200);
    let parent_is = format!("parent:{parent}");
    for query in [
        parent_is.as_str(),
        "has:parent",
        "parent:any",
        "commenter:alice nozzle",
        "has:notes nozzle",
    ] {
        assert_eq!(found(&world, "alice", query, ""), [child], "{query}");
        assert_eq!(found(&world, "carol", query, ""), [0_i64; 0], "{query}");
        let nozzle = format!("nozzle -{}", query.trim_end_matches(" nozzle"));
        assert_eq!(found(&world, "carol", &nozzle, ""), [child], "{nozzle}");
    }
    for query in [
        "watcher:nobody-there",
        "involves:nobody-there",
        "parent:999999",
    ] {
        assert_eq!(found(&world, "alice", query, ""), [0_i64; 0], "{query}");
    }
}

#[test]
fn values_without_a_meaning_are_errors() {
    let world = world();
    for (query, expected) in [
        ("due:soon", "due: expects a day"),
        ("done:110", "done: expects a number from 0 to 100"),
        ("estimated:..", "estimated: expects hours"),
        ("parent:x", "parent: expects the number of an issue"),
        ("blocked-by:", "blocked-by: expects the number"),
        ("watcher:", "watcher: expects a login"),
        ("blockd-by:1", "did you mean blocked-by:"),
        ("was:Nwe", "did you mean \"New\""),
        ("has:wings", "has: expects attachment, notes"),
    ] {
        let path = format!("/search.json?q={}", percent_encode(query));
        let response = world.as_user("alice").get(&path).assert_status(422);
        assert!(
            response.errors()[0].contains(expected),
            "{query}: {response:?}"
        );
    }
    // Text that resembles a qualifier by chance.
    let response = world.as_user("alice").get("/search.json?q=started:x");
    response.assert_status(200);
}

#[test]
fn spent_time_counts_where_the_viewer_may_see_it() {
    let world = world();
    let id = post(&world, json!({"subject": "gasket", "estimated_hours": 4}));
    post(&world, json!({"subject": "gasket without time"}));
    let entry = json!({"time_entry": {"issue_id": id, "hours": 2.5, "activity_id": 8}});
    world
        .as_user("admin")
        .post("/time_entries.json", entry)
        .assert_status(201);
    for query in [
        "spent:>=2:30",
        "spent:2..3",
        "has:spent",
        "-spent:none",
        "estimated:4",
    ] {
        let query = format!("gasket {query} type:issue");
        assert_eq!(found(&world, "admin", &query, ""), [id], "{query}");
    }
    let spent = "gasket spent:>2 type:issue";
    assert_eq!(found(&world, "alice", spent, ""), [id]);
    // Without the permission, time is as if it were not there.
    world.write(|db| {
        for role in roles::list(db)? {
            let kept = role.permissions.iter();
            let kept = kept.filter(|permission| *permission != Permission::ViewTimeEntries);
            roles::set_permissions(db, role.id, kept.collect())?;
        }
        Ok(())
    });
    assert_eq!(found(&world, "alice", spent, ""), [0_i64; 0]);
    assert_eq!(found(&world, "admin", spent, ""), [id]);
}

#[test]
fn two_values_are_alternatives_where_an_issue_can_have_only_one() {
    let world = world();
    let create = |path: &str, root: &str, name: &str| {
        let body = json!({ root: {"name": name} });
        let response = world.as_user("admin").post(path, body).assert_status(201);
        response.json()[root]["id"].clone()
    };
    let issue = |login: &str, name: &str, number: i64| {
        let version = create("/projects/open/versions.json", "version", name);
        let category = create(
            "/projects/open/issue_categories.json",
            "issue_category",
            name,
        );
        let parent = post(&world, json!({"subject": "parent"}));
        let fields = json!({
            "project_id": "open", "subject": "quagga", "tracker_id": number, "priority_id": number,
            "fixed_version_id": version, "category_id": category, "parent_issue_id": parent,
            "assigned_to_id": number + 1,
        });
        let body = json!({ "issue": fields });
        let response = world.as_user(login).post("/issues.json", body);
        (parent, response.assert_status(201).integer("/issue/id"))
    };
    let (first, one) = issue("alice", "North", 1);
    let (second, two) = issue("bob", "South", 2);
    world.edit(two, |issue| issue.status = StatusId(5));
    let trackers = world
        .as_user("alice")
        .get("/trackers.json")
        .assert_status(200);
    let name = |list: &Value, index: usize| list[index]["name"].as_str().unwrap().to_owned();
    let trackers = trackers.json()["trackers"].clone();
    let priorities = world
        .as_user("alice")
        .get("/enumerations/issue_priorities.json")
        .assert_status(200);
    let priorities = priorities.json()["issue_priorities"].clone();
    for (qualifier, a, b) in [
        ("status", "New".to_owned(), "Closed".to_owned()),
        ("tracker", name(&trackers, 0), name(&trackers, 1)),
        ("priority", name(&priorities, 0), name(&priorities, 1)),
        ("version", "North".to_owned(), "South".to_owned()),
        ("category", "North".to_owned(), "South".to_owned()),
        ("author", "alice".to_owned(), "bob".to_owned()),
        ("assignee", "alice".to_owned(), "bob".to_owned()),
        ("parent", first.to_string(), second.to_string()),
    ] {
        let [a, b] = [a, b].map(|value| format!("{qualifier}:{value:?}"));
        for (query, expected) in [
            (format!("quagga {a}"), vec![one]),
            (format!("quagga {b}"), vec![two]),
            (format!("quagga {a} {b}"), vec![one, two]),
            (format!("quagga ({a} {b}) has:parent"), vec![one, two]),
            (format!("quagga {a} {b} -has:notes"), vec![one, two]),
            (format!("quagga -{a} -{b}"), vec![]),
        ] {
            assert_eq!(found(&world, "alice", &query, ""), expected, "{query}");
        }
    }
}
