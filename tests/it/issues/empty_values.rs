//! Empty and missing values: null, an empty text and zero (compatibility 3.4 and 6.1).

use crate::world::World;
use quarry::domain::custom_field::{CustomField, Customized, Format};
use quarry::domain::ids::TrackerId;
use quarry::store::custom_fields;
use serde_json::{Value, json};

fn show(world: &World, login: &str, id: i64) -> Value {
    world
        .as_user(login)
        .get(&format!("/issues/{id}.json?include=journals"))
        .assert_status(200)
        .json_path("/issue")
}

#[test]
fn total_of_a_parent_without_estimates_is_zero() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 5");
    let parent = world.issue("open").create();
    let total = |login: &str, id: i64| show(&world, login, id)["total_estimated_hours"].clone();
    assert_eq!(total("alice", parent), Value::Null);
    let hidden = world.issue("open").parent(parent).private().create();
    assert_eq!(
        (total("alice", parent), total("alice", hidden)),
        (json!(0.0), Value::Null)
    );
    assert_eq!(
        total("carol", parent),
        Value::Null,
        "as if there were no subtask"
    );
    let below = world.issue("open").parent(parent).create();
    assert_eq!(
        (total("carol", parent), total("carol", below)),
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
    assert_eq!(total("carol", parent), json!(2.5));
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

#[test]
fn empty_texts_are_not_null() {
    let world = World::with_projects();
    let alice = world.as_user("alice");
    let create = |description: Value| {
        world
            .issue("open")
            .field("description", description)
            .create()
    };
    assert_eq!(show(&world, "alice", create(json!("")))["description"], "");
    assert_eq!(
        show(&world, "alice", create(json!(null)))["description"],
        Value::Null
    );
    let id = create(json!("text"));
    let put = |fields: Value| {
        alice
            .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
            .assert_status(200)
            .json_path("/issue")
    };
    assert_eq!(put(json!({"description": ""}))["description"], "");
    assert_eq!(
        put(json!({"description": null}))["description"],
        "",
        "both are empty: nothing changes"
    );
    assert_eq!(
        show(&world, "alice", id)["journals"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(put(json!({"description": "new"}))["description"], "new");
    assert_eq!(
        put(json!({"description": null}))["description"],
        Value::Null
    );
    // Comments of time entries, and descriptions of projects.
    let log = |comments: Value| {
        let body = json!({"time_entry": {"project_id": "open", "hours": 1, "activity_id": 8, "comments": comments}});
        alice
            .post("/time_entries.json", body)
            .assert_status(201)
            .json_path("/time_entry")
    };
    let entry = log(json!(""));
    assert_eq!(
        (&entry["comments"], log(json!(null))["comments"].clone()),
        (&json!(""), Value::Null)
    );
    let path = format!("/time_entries/{}.json", entry["id"]);
    let changed = alice
        .put(&path, json!({"time_entry": {"comments": null}}))
        .assert_status(200);
    assert_eq!(changed.json_path("/time_entry/comments"), Value::Null);
    let project = |fields: Value| {
        world
            .as_user("admin")
            .put("/projects/open.json", json!({"project": fields}))
            .assert_status(200)
    };
    assert_eq!(
        project(json!({"description": "text"})).json_path("/project/description"),
        "text"
    );
    assert_eq!(
        project(json!({"description": ""})).json_path("/project/description"),
        ""
    );
    assert_eq!(
        project(json!({"description": null})).json_path("/project/description"),
        ""
    );
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
    let values = |record: &Value| {
        record["custom_fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["value"].clone())
            .collect::<Vec<_>>()
    };
    let expected = [json!(""), Value::Null, json!("x")];
    let id = world.issue("open").field("tracker_id", 1).create();
    assert_eq!(values(&show(&world, "alice", id)), expected);
    let body = json!({"time_entry": {"project_id": "open", "hours": 1, "activity_id": 8}});
    assert_eq!(
        values(
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
        values(
            &world
                .as_user("admin")
                .post("/projects.json", body)
                .assert_status(201)
                .json()["project"]
        ),
        expected
    );
    // An empty value is none for filters, and for the search.
    let ids = |filter: &str| {
        world
            .as_user("alice")
            .get(&format!("/issues.json?{filter}"))
            .assert_status(200)
            .integer("/total_count")
    };
    assert_eq!((ids("cf_1=*"), ids("cf_1=!*"), ids("cf_3=*")), (0, 1, 1));
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
    let description = |word: &str| {
        let found = world
            .as_user("dave")
            .get(&format!("/search.json?q={word}"))
            .assert_status(200);
        assert_eq!(found.integer("/total_count"), 1);
        (
            found.integer("/results/0/id"),
            found.json_path("/results/0/description"),
        )
    };
    assert_eq!(description("perihelion"), (without, Value::Null));
    assert_eq!(description("aphelion"), (empty, json!("")));
    let xml = world
        .as_user("dave")
        .get("/search.xml?q=perihelion")
        .assert_status(200)
        .body;
    assert!(xml.contains("<description/>"), "{xml}");
}
