//! Empty and missing values: null, an empty text and zero (compatibility 3.4 and 6.1).

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::ids::TrackerId;
use quarry::store::administration::custom_fields;
use quarry_world::{Client, Response, World};
use serde_json::{Value, json};

fn total_estimate(world: &World, login: &str, id: i64) -> Value {
    world.show_issue(login, id, "")["total_estimated_hours"].clone()
}

#[test]
fn total_of_a_parent_without_estimates_is_zero() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 5");
    let parent = world.issue("open").create();
    assert_eq!(total_estimate(&world, "alice", parent), Value::Null);
    let hidden = world.issue("open").parent(parent).private().create();
    assert_eq!(
        (
            total_estimate(&world, "alice", parent),
            total_estimate(&world, "alice", hidden)
        ),
        (json!(0.0), Value::Null)
    );
    assert_eq!(
        total_estimate(&world, "carol", parent),
        Value::Null,
        "as if there were no subtask"
    );
    let below = world.issue("open").parent(parent).create();
    assert_eq!(
        (
            total_estimate(&world, "carol", parent),
            total_estimate(&world, "carol", below)
        ),
        (json!(0.0), Value::Null)
    );
    let list = world
        .as_user("carol")
        .get("/issues.json?sort=id")
        .assert_status(200);
    assert_eq!(
        list.json_path("/issues/0/total_estimated_hours"),
        json!(0.0)
    );
    world.edit(below, |issue| issue.estimated_hours = Some(2.5));
    assert_eq!(total_estimate(&world, "carol", parent), json!(2.5));
    let xml = world
        .as_user("carol")
        .get(&format!("/issues/{parent}.xml"))
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<estimated_hours/><total_estimated_hours>2.5</total_estimated_hours>"),
        "{xml}"
    );
}

fn create(world: &World, description: Value) -> i64 {
    world
        .issue("open")
        .field("description", description)
        .create()
}

fn update(alice: &Client<'_>, id: i64, fields: Value) -> Value {
    alice
        .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
        .assert_status(200)
        .json_path("/issue")
}

fn log(alice: &Client<'_>, comments: Value) -> Value {
    let body = json!({"time_entry": {"project_id": "open", "hours": 1, "activity_id": 8, "comments": comments}});
    alice
        .post("/time_entries.json", body)
        .assert_status(201)
        .json_path("/time_entry")
}

fn put_project(world: &World, fields: Value) -> Response {
    world
        .as_user("admin")
        .put("/projects/open.json", json!({"project": fields}))
        .assert_status(200)
}

#[test]
fn empty_texts_are_not_null() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    assert_eq!(
        world.show_issue("alice", create(&world, json!("")), "journals")["description"],
        ""
    );
    assert_eq!(
        world.show_issue("alice", create(&world, json!(null)), "journals")["description"],
        Value::Null
    );
    let id = create(&world, json!("text"));
    assert_eq!(
        update(&alice, id, json!({"description": ""}))["description"],
        ""
    );
    assert_eq!(
        update(&alice, id, json!({"description": null}))["description"],
        "",
        "both are empty: nothing changes"
    );
    assert_eq!(
        world.show_issue("alice", id, "journals")["journals"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        update(&alice, id, json!({"description": "new"}))["description"],
        "new"
    );
    assert_eq!(
        update(&alice, id, json!({"description": null}))["description"],
        Value::Null
    );
    // Comments of time entries, and descriptions of projects.
    let entry = log(&alice, json!(""));
    assert_eq!(
        (
            &entry["comments"],
            log(&alice, json!(null))["comments"].clone()
        ),
        (&json!(""), Value::Null)
    );
    let path = format!("/time_entries/{}.json", entry["id"]);
    let changed = alice
        .put(&path, json!({"time_entry": {"comments": null}}))
        .assert_status(200);
    assert_eq!(changed.json_path("/time_entry/comments"), Value::Null);
    assert_eq!(
        put_project(&world, json!({"description": "text"})).json_path("/project/description"),
        "text"
    );
    assert_eq!(
        put_project(&world, json!({"description": ""})).json_path("/project/description"),
        ""
    );
    assert_eq!(
        put_project(&world, json!({"description": null})).json_path("/project/description"),
        ""
    );
}

fn field_values(record: &Value) -> Vec<Value> {
    record["custom_fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["value"].clone())
        .collect::<Vec<_>>()
}

fn count_issues(world: &World, filter: &str) -> i64 {
    world
        .as_user("alice")
        .get(&format!("/issues.json?{filter}"))
        .assert_status(200)
        .integer("/total_count")
}

#[test]
fn blank_default_is_an_empty_value() {
    let world = World::with_projects();
    for (customized, records) in [
        (Customized::Issue, "issue"),
        (Customized::TimeEntry, "time entry"),
        (Customized::Project, "project"),
    ] {
        for (name, default) in [("Blank", Some("")), ("None", None), ("Set", Some("x"))] {
            world.write(move |db| {
                let mut field =
                    CustomField::new(customized, &format!("{name} of {records}"), Format::Line);
                field.trackers = [TrackerId(1)].into();
                field.default = default.map(str::to_owned);
                custom_fields::insert(db, &field)
            });
        }
    }
    let expected = [json!(""), Value::Null, json!("x")];
    let id = world.issue("open").field("tracker_id", 1).create();
    assert_eq!(field_values(&world.show_issue("alice", id, "")), expected);
    let body = json!({"time_entry": {"project_id": "open", "hours": 1, "activity_id": 8}});
    assert_eq!(
        field_values(
            &world
                .as_user("alice")
                .post("/time_entries.json", body)
                .assert_status(201)
                .json()["time_entry"]
        ),
        expected
    );
    let body = json!({"project": {"name": "x", "identifier": "new-one"}});
    assert_eq!(
        field_values(
            &world
                .as_user("admin")
                .post("/projects.json", body)
                .assert_status(201)
                .json()["project"]
        ),
        expected
    );
    // An empty value is none for filters, and for the search.
    assert_eq!(
        (
            count_issues(&world, "cf_1=*"),
            count_issues(&world, "cf_1=!*"),
            count_issues(&world, "cf_3=*")
        ),
        (0, 1, 1)
    );
}

fn found_description(world: &World, word: &str) -> (i64, Value) {
    let found = world
        .as_user("dave")
        .get(&format!("/search.json?q={word}"))
        .assert_status(200);
    assert_eq!(found.integer("/total_count"), 1);
    (
        found.integer("/results/0/id"),
        found.json_path("/results/0/description"),
    )
}

#[test]
fn missing_description_of_a_search_result_is_null() {
    let world = World::with_projects();
    let without = world.issue("open").subject("perihelion").create();
    let empty = world
        .issue("open")
        .subject("aphelion")
        .description("")
        .create();
    assert_eq!(
        found_description(&world, "perihelion"),
        (without, Value::Null)
    );
    assert_eq!(found_description(&world, "aphelion"), (empty, json!("")));
    let xml = world
        .as_user("dave")
        .get("/search.xml?q=perihelion")
        .assert_status(200)
        .body;
    assert!(xml.contains("<description/>"), "{xml}");
}
