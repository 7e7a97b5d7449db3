//! Qualifiers about changes, mentions, notices and custom fields of issues, and about files.

use quarry_world::attachments::upload;
use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

/// Returns the ids of the issues that a query finds, in ascending order.
fn found(world: &World, login: &str, query: &str) -> Vec<i64> {
    let path = format!(
        "/search.json?limit=100&issues=1&q={}",
        percent_encode(query)
    );
    let response = world.as_user(login).get(&path).assert_status(200).json();
    let hits = response["results"].as_array().unwrap().iter();
    let mut ids: Vec<i64> = hits.map(|hit| hit["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    // A list with the text has the same issues.
    let path = format!("/issues.json?limit=100&sort=id&q={}", percent_encode(query));
    let list = world.as_user(login).get(&path).assert_status(200).json();
    let listed = list["issues"].as_array().unwrap().iter();
    let listed: Vec<i64> = listed.map(|issue| issue["id"].as_i64().unwrap()).collect();
    assert_eq!(listed, ids, "{query}");
    ids
}

fn error(world: &World, query: &str) -> String {
    let path = format!("/search.json?q={}", percent_encode(query));
    let response = world.as_user("alice").get(&path).assert_status(422);
    response.errors().join("; ")
}

fn post(world: &World, mut fields: Value) -> i64 {
    fields["project_id"] = json!("open");
    let response = world
        .as_user("admin")
        .post("/issues.json", json!({"issue": fields}))
        .assert_status(201);
    response.json()["issue"]["id"].as_i64().unwrap()
}

fn put(world: &World, login: &str, id: i64, fields: Value) {
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), json!({ "issue": fields }))
        .assert_status(200);
}

const NONE: [i64; 0] = [];

#[test]
fn changes_are_found_by_attribute_person_and_day() {
    let world = world();
    let [first, second, third] =
        ["gasket", "gasket", "gasket"].map(|subject| post(&world, json!({"subject": subject})));
    put(&world, "admin", first, json!({"status_id": 2}));
    put(&world, "alice", first, json!({"priority_id": 3}));
    put(&world, "alice", second, json!({"status_id": 2}));
    put(&world, "alice", third, json!({"notes": "nothing changed"}));
    for (query, expected) in [
        ("changed:status", vec![first, second]),
        ("changed:status by:alice", vec![second]),
        ("changed:status by:\"alice Tester\"", vec![second]),
        ("changed:status by:alice on:today", vec![second]),
        ("changed:status on:today by:alice", vec![second]),
        ("changed:status on:yesterday", vec![]),
        ("changed:status on:>=-2d", vec![first, second]),
        (
            "changed:priority by:alice changed:status by:admin",
            vec![first],
        ),
        ("changed:priority by:admin", vec![]),
        ("-changed:status gasket", vec![third]),
        ("gasket NOT changed:status by:alice", vec![first, third]),
        (
            "(changed:priority OR changed:status by:alice)",
            vec![first, second],
        ),
        ("was:New by:alice", vec![second]),
        ("was:New by:alice on:yesterday", vec![]),
        ("was:\"New\" on:today", vec![first, second]),
        ("changed:\"status by:alice\"", vec![second]),
        ("changed:status by:nobody-there", vec![]),
    ] {
        let query = format!("gasket {query}");
        assert_eq!(found(&world, "alice", &query), expected, "{query}");
    }
    for (query, expected) in [
        ("changed:statsu", "did you mean \"status\"?"),
        ("changed:status by:\"\"", "by: expects a login"),
        (
            "changed:status is:open by:alice",
            "by: stands right after changed:",
        ),
        (
            "changed:status by:alice by:bob",
            "by: stands right after changed:",
        ),
        ("changed:status by:", "by: stands right after changed:"),
        ("changed:status on:soon", "on: expects days"),
    ] {
        assert!(
            error(&world, query).contains(expected),
            "{query}: {}",
            error(&world, query)
        );
    }
    // Alone, these are text, as in messages.
    for query in [
        "by:alice",
        "on:today",
        "caused by:alice",
        "changed: status",
        "expected:<5> but was:<4>",
        "changed:nonsense",
        "ok=3 changed:2 unreachable:0",
        "was:null",
        "field:[timestamp] of type",
        "{\"name\":<nm>}",
        "let \"x\":=1 in foo",
    ] {
        assert_eq!(found(&world, "alice", query), NONE, "{query}");
    }
}

#[test]
fn changes_that_the_viewer_may_not_see_are_not_found() {
    let world = world();
    let parent = post(&world, json!({"subject": "engine", "is_private": true}));
    let child = post(&world, json!({"subject": "nozzle"}));
    put(&world, "admin", child, json!({"parent_issue_id": parent}));
    put(
        &world,
        "admin",
        child,
        json!({"status_id": 2, "notes": "psst @dave", "private_notes": true}),
    );
    for query in [
        "changed:parent by:admin",
        "changed:status",
        "was:New",
        "mentions:dave",
    ] {
        let query = format!("nozzle {query}");
        assert_eq!(found(&world, "admin", &query), [child], "{query}");
    }
    // A change with private notes has a journal of its own, which everybody may see.
    for query in ["changed:parent", "mentions:dave"] {
        let query = format!("nozzle {query}");
        assert_eq!(found(&world, "dave", &query), NONE, "{query}");
        let query = query.replace("nozzle ", "nozzle -");
        assert_eq!(found(&world, "dave", &query), [child], "{query}");
    }
}

#[test]
fn mentions_are_found_as_the_inbox_counts_them() {
    let world = world();
    let described = post(
        &world,
        json!({"subject": "valve", "description": "Ask @bob."}),
    );
    let noted = post(&world, json!({"subject": "valve"}));
    put(
        &world,
        "alice",
        noted,
        json!({"notes": "Hi @\"bob Tester\", please look"}),
    );
    post(
        &world,
        json!({"subject": "valve", "description": "bob, and bob@example.net"}),
    );
    post(
        &world,
        json!({"subject": "valve", "description": "> @bob\n\n`@bob` @bobby"}),
    );
    assert_eq!(found(&world, "alice", "mentions:bob"), [described, noted]);
    assert_eq!(
        found(&world, "bob", "mentions:me valve"),
        [described, noted]
    );
    assert_eq!(found(&world, "alice", "mentions:me"), NONE);
    assert_eq!(found(&world, "alice", "mentions:nobody-there"), NONE);
    assert_eq!(found(&world, "alice", "valve -mentions:bob").len(), 2);
}

#[test]
fn unread_issues_are_those_of_the_inbox() {
    let world = world();
    let issue = json!({"subject": "piston", "description": "For @bob"});
    let id = post(&world, issue);
    post(&world, json!({"subject": "piston"}));
    assert_eq!(found(&world, "bob", "is:unread"), [id]);
    assert_eq!(found(&world, "alice", "is:unread piston"), NONE);
}

fn custom_field(world: &World, fields: Value) {
    world
        .as_user("admin")
        .post("/custom_fields.json", json!({ "custom_field": fields }))
        .assert_status(201);
}

#[test]
fn custom_fields_are_compared_by_their_names() {
    let world = world();
    let field = |name: &str, format: &str, more: Value| {
        let mut fields = json!({
            "customized_type": "issue", "name": name, "field_format": format,
            "is_for_all": true, "tracker_ids": [1, 2, 3], "visible": true,
        });
        for (key, value) in more.as_object().unwrap() {
            fields[key] = value.clone();
        }
        custom_field(&world, fields);
    };
    field("Build number", "int", json!({}));
    field(
        "Severity",
        "list",
        json!({"possible_values": ["Low", "Very high"]}),
    );
    field("Shipped", "date", json!({}));
    field("Component", "string", json!({}));
    field("Confirmed", "bool", json!({}));
    field("Tester", "user", json!({}));
    let values = |values: [&str; 6]| {
        let values = values.iter().enumerate();
        let fields: Vec<Value> = values
            .map(|(index, value)| json!({"id": index + 1, "value": value}))
            .collect();
        json!({"subject": "rotor", "custom_fields": fields})
    };
    let bob = world
        .app
        .store
        .catalogue()
        .unwrap()
        .user_by_login("bob")
        .unwrap()
        .id;
    let bob = bob.to_string();
    let low = post(
        &world,
        values(["11", "Low", "2026-01-31", "Parser of JSON", "1", &bob]),
    );
    let high = post(
        &world,
        values(["12", "Very high", "2026-02-28", "Printer", "0", ""]),
    );
    let empty = post(&world, values(["", "", "", "", "", ""]));
    for (query, expected) in [
        ("\"Build number\":>=12", vec![high]),
        ("field:\"build NUMBER\">11", vec![high]),
        ("field:\"Build number\"=11", vec![low]),
        ("\"Build number\":=11..12", vec![low, high]),
        ("field:\"Build number>=12\"", vec![high]),
        ("field:\"Build number\"=none", vec![empty]),
        ("\"Build number\":=any", vec![low, high]),
        ("field:\"Severity\"=Low", vec![low]),
        ("field:Severity=\"very high\"", vec![high]),
        (
            "field:Severity=Low OR field:Severity=\"Very high\"",
            vec![low, high],
        ),
        ("-field:Severity=Low", vec![high, empty]),
        ("field:Shipped<2026-02-01", vec![low]),
        ("field:Shipped=2026-02", vec![high]),
        ("field:Component=json", vec![low]),
        ("field:Confirmed=yes", vec![low]),
        ("field:Confirmed=no", vec![high]),
        ("field:Tester=bob", vec![low]),
        ("(field:Tester=bob)", vec![low]),
        ("(rotor OR field:Tester=bob)", vec![low, high, empty]),
        ("-(is:closed OR field:Tester=bob)", vec![high, empty]),
        (
            "NOT (is:closed OR field:Severity=\"Very high\")",
            vec![low, empty],
        ),
        ("NOT (\"Build number\":=11)", vec![high, empty]),
        (
            "NOT (field:Tester=bob OR \"Build number\":<12)",
            vec![high, empty],
        ),
    ] {
        let query = format!("rotor {query}");
        assert_eq!(found(&world, "alice", &query), expected, "{query}");
    }
    for (query, expected) in [
        ("field:Severety=Low", "did you mean \"Severity\"?"),
        ("field:Severity=Lwo", "did you mean \"Low\"?"),
        ("field:Severity>Low", "supports only ="),
        ("field:Shipped=soon", "\"Shipped\" expects days"),
        (
            "\"Build number\":>many",
            "\"Build number\" expects a number",
        ),
        ("field:Severity=Absent", "the field has no such value"),
    ] {
        assert!(
            error(&world, query).contains(expected),
            "{query}: {}",
            error(&world, query)
        );
    }
    // Quoted text before a colon is text, as in JSON.
    assert_eq!(found(&world, "alice", "rotor \"Build number\":12"), NONE);
    let json = "{\"ident\":<ident>,\"vontrap\":<nm>}";
    let pasted = post(&world, json!({"subject": "log", "description": json}));
    assert_eq!(found(&world, "alice", json), [pasted]);
}

#[test]
fn hidden_custom_fields_do_not_exist() {
    let world = world();
    custom_field(
        &world,
        json!({
            "customized_type": "issue", "name": "Margin", "field_format": "int",
            "is_for_all": true, "tracker_ids": [1, 2, 3], "visible": false, "role_ids": [3],
        }),
    );
    let id = post(
        &world,
        json!({"subject": "rotor", "custom_fields": [{"id": 1, "value": "7"}]}),
    );
    put(
        &world,
        "admin",
        id,
        json!({"custom_fields": [{"id": 1, "value": "8"}]}),
    );
    for query in ["field:Margin=8", "\"Margin\":>1", "changed:Margin"] {
        assert_eq!(found(&world, "admin", query), [id], "{query}");
        // For others they are text, as the names of fields that there are not.
        assert_eq!(found(&world, "dave", query), NONE, "{query}");
        let absent = query.replace("Margin", "Nargxm");
        for query in [query, &absent] {
            let path = format!("/search.json?q={}", percent_encode(query));
            let response = world.as_user("dave").get(&path).assert_status(200);
            assert!(response.header("warning").contains("as text"), "{query}");
        }
    }
}

#[test]
fn words_are_found_in_one_place() {
    let world = world();
    let token = upload(&world, "alice", "turbine-log.txt", "x");
    let with_file = post(&world, json!({"subject": "rotor"}));
    let uploads = json!([{"token": token, "filename": "turbine-log.txt"}]);
    put(&world, "alice", with_file, json!({"uploads": uploads}));
    let with_title = post(&world, json!({"subject": "turbine rotor"}));
    let with_text = post(
        &world,
        json!({"subject": "rotor", "description": "The turbine hums."}),
    );
    let with_note = post(
        &world,
        json!({"subject": "rotor", "description": "It stops."}),
    );
    put(
        &world,
        "alice",
        with_note,
        json!({"notes": "Mind the turbine, and turbines."}),
    );
    let in_private = post(&world, json!({"subject": "rotor"}));
    put(
        &world,
        "admin",
        in_private,
        json!({"notes": "our turbine", "private_notes": true}),
    );
    for (query, expected) in [
        ("turbine in:files", vec![with_file]),
        ("turbine in:title", vec![with_title]),
        ("turbine in:text", vec![with_text]),
        ("turbine in:notes", vec![with_note, in_private]),
        ("\"the turbine\" in:text", vec![with_text]),
        ("\"the turbine\" in:notes", vec![with_note]),
        ("turb* in:notes", vec![with_note, in_private]),
        ("the turbines in:text", vec![with_text]),
        ("turbine in:title in:files", vec![with_file, with_title]),
        (
            "turbine in:text in:notes",
            vec![with_text, with_note, in_private],
        ),
        ("turbine -in:text", vec![with_title, with_note, in_private]),
        (
            "turbine -in:files",
            vec![with_title, with_text, with_note, in_private],
        ),
        ("rotor (turbine in:files)", vec![with_file]),
        ("rotor (turbine in:notes)", vec![with_note, in_private]),
        (
            "rotor -(turbine in:files) turbine in:title",
            vec![with_title],
        ),
        ("turbine in:files has:attachment", vec![with_file]),
        ("rotor in:files", vec![]),
        ("rotor in:text", vec![]),
        ("stops in:notes", vec![]),
        ("it stops in:text", vec![with_note]),
        (
            "is:open rotor -in:files",
            vec![with_file, with_title, with_text, with_note, in_private],
        ),
    ] {
        assert_eq!(found(&world, "admin", query), expected, "{query}");
    }
    assert_eq!(found(&world, "carol", "turbine in:notes"), [with_note]);
    // Facets ignore only the qualifier that they count.
    let path = "/search.json?issues=1&facets=status&q=turbine+in:files+status:New";
    let response = world.as_user("admin").get(path).assert_status(200).json();
    assert_eq!(response["total_count"], json!(1));
    // Characters that mark sections in the index are spaces in records.
    let odd = post(
        &world,
        json!({"subject": "odd", "description": "gear\u{1d}box"}),
    );
    assert_eq!(found(&world, "admin", "gear box in:text"), [odd]);
    assert_eq!(found(&world, "admin", "box in:notes"), NONE);
}
