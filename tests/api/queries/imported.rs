//! Queries with more than is known here, as an import brings them.

use super::update;
use quarry_world::World;
use serde_json::{Value, json};

fn imported() -> World {
    let world = World::with_projects();
    world.sql(
        r#"INSERT INTO queries (id, type, name, user_id, visibility, filters_json, column_names_json, sort_criteria_json, group_by, options_json)
           VALUES (7, 'IssueQuery', 'Old', 3, 0,
             '{"status_id":{"operator":"o","values":[""],"extra":1},"gone":{"operator":"=","values":["1",2]},"tracker_id":{"operator":"=","values":["1"]}}',
             '["subject","gone_column"]', '[["gone_column","up"],["id","desc"]]', 'gone_group',
             '{"totalable_names":["gone_total"],"draw_relations":"1"}')"#,
    );
    world
}

/// Returns a column of the query as it is stored.
fn stored(world: &World, column: &str) -> Value {
    let sql = format!("SELECT {column} FROM queries WHERE id = 7");
    let text: String = world.database().value(&sql);
    serde_json::from_str(&text).unwrap_or(Value::from(text))
}

#[test]
fn imported_query_can_be_read_and_written_back() {
    let world = imported();
    let shown = world
        .as_user("bob")
        .get("/queries/7.json")
        .assert_status(200)
        .json()["query"]
        .clone();
    let gone = json!({"field": "gone", "operator": "=", "values": ["1", "2"]});
    assert_eq!(
        (
            shown["filters"].as_array().unwrap().len(),
            &shown["filters"][1]
        ),
        (3, &gone)
    );
    assert_eq!(shown["sort_criteria"], json!(["gone_column", "id:desc"]));
    let before = [
        "filters_json",
        "column_names_json",
        "sort_criteria_json",
        "group_by",
        "options_json",
    ]
    .map(|name| stored(&world, name));
    let names = [
        "name",
        "filters",
        "column_names",
        "sort_criteria",
        "group_by",
        "totalable_names",
    ];
    let same: Value = names
        .iter()
        .map(|name| ((*name).to_owned(), shown[*name].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    update(&world, "bob", 7, same).assert_status(200);
    update(&world, "bob", 7, json!({"name": "New"}))
        .assert_status(200)
        .assert_json_path("/query/name", "New");
    let after = [
        "filters_json",
        "column_names_json",
        "sort_criteria_json",
        "group_by",
        "options_json",
    ]
    .map(|name| stored(&world, name));
    assert_eq!(after, before);
}

#[test]
fn change_keeps_unknown_filters_and_keys_that_it_repeats() {
    let world = imported();
    let filters = json!([{"field": "gone", "operator": "=", "values": ["1", "2"]}, {"field": "status_id", "operator": "o", "values": [""]},
        {"field": "priority_id", "operator": "=", "values": ["3"]}]);
    let change = json!({"filters": filters, "column_names": ["id", "gone_column"], "totalable_names": ["spent_hours"], "sort_criteria": ["gone_column"]});
    update(&world, "bob", 7, change).assert_status(200);
    let expected = json!({"gone": {"operator": "=", "values": ["1", 2]}, "status_id": {"operator": "o", "values": [""], "extra": 1},
        "priority_id": {"operator": "=", "values": ["3"]}});
    assert_eq!(stored(&world, "filters_json"), expected);
    assert_eq!(
        stored(&world, "column_names_json"),
        json!(["id", "gone_column"])
    );
    assert_eq!(
        stored(&world, "options_json"),
        json!({"totalable_names": ["spent_hours"], "draw_relations": "1"})
    );
    let other = json!({"filters": [{"field": "gone", "operator": "=", "values": ["2"]}]});
    update(&world, "bob", 7, other)
        .assert_status(422)
        .assert_errors(&["Filters is invalid (unknown filter gone)"]);
    update(
        &world,
        "bob",
        7,
        json!({"totalable_names": [], "filters": []}),
    )
    .assert_status(200);
    assert_eq!(
        stored(&world, "options_json"),
        json!({"totalable_names": [], "draw_relations": "1"})
    );
}
