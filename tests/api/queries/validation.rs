//! Errors name the attribute.

use super::{add, issues, update};
use quarry_world::World;
use serde_json::{Value, json};

fn filter(field: &str, operator: &str, values: Value) -> Value {
    json!({"filters": [{"field": field, "operator": operator, "values": values}]})
}

#[test]
fn validation_errors_name_the_attribute() {
    let world = World::with_projects();
    let shape = "Filters is invalid (a list of objects with field, operator and a list of values is expected)";
    let many: Vec<Value> = (0..101)
        .map(|n| json!({"field": format!("cf_{n}"), "operator": "*"}))
        .collect();
    let values: Vec<Value> = ["author_id", "tracker_id", "priority_id", "category_id"]
        .map(|name| json!({"field": name, "operator": "=", "values": vec![1; 900]}))
        .into();
    let twice =
        json!([{"field": "status_id", "operator": "o"}, {"field": "status_id", "operator": "c"}]);
    for (fields, error) in [
        (json!({"name": " "}), "Name cannot be blank"),
        (
            json!({"name": "x".repeat(256)}),
            "Name is too long (maximum is 255 characters)",
        ),
        (json!({"name": "x\ny"}), "Name is invalid"),
        (
            json!({"name": []}),
            "Name is invalid (one value is expected, not a list)",
        ),
        (
            json!({"description": "x".repeat(256)}),
            "Description is too long (maximum is 255 characters)",
        ),
        (
            json!({"visibility": "hidden"}),
            "Visibility is not included in the list (private, roles, public)",
        ),
        (json!({"visibility": "roles"}), "Roles cannot be blank"),
        (
            json!({"visibility": "roles", "role_ids": [4, 99]}),
            "Roles is invalid",
        ),
        (
            json!({"visibility": "public", "role_ids": [4]}),
            "Roles is invalid (only queries with the visibility roles have roles)",
        ),
        (json!({"project_id": "none"}), "Project is invalid"),
        (json!({"filters": "status_id"}), shape),
        (json!({"filters": {"status_id": "o"}}), shape),
        (json!({"filters": [{"field": "status_id"}]}), shape),
        (
            json!({"filters": [{"field": "status_id", "operator": "=", "values": [{}]}]}),
            shape,
        ),
        (
            filter("nonsense", "=", json!(["1"])),
            "Filters is invalid (unknown filter nonsense)",
        ),
        (
            filter("cf_9", "=", json!(["1"])),
            "Filters is invalid (unknown filter cf_9)",
        ),
        (
            filter("subproject_id", "*", json!([])),
            "Filters is invalid (unknown filter subproject_id)",
        ),
        (
            filter("priority_id", "~", json!(["1"])),
            "Priority is invalid",
        ),
        (
            filter("priority_id", "=", json!([])),
            "Priority cannot be blank",
        ),
        (
            filter("created_on", ">=", json!(["never"])),
            "Created is invalid",
        ),
        (
            filter("done_ratio", "><", json!(["1"])),
            "% Done is invalid",
        ),
        (
            json!({"filters": twice}),
            "Filters is invalid (status_id occurs twice)",
        ),
        (
            json!({"filters": many}),
            "Filters are too many (maximum is 100)",
        ),
        (
            json!({"filters": values}),
            "Filters have too many values (maximum is 3000)",
        ),
        (
            filter("status_id", "o", json!(["x".repeat(1001)])),
            "Filters is invalid (a value of status_id is longer than 1000 characters)",
        ),
        (
            json!({"column_names": ["subject", "nonsense"]}),
            "Column names is invalid (unknown column nonsense)",
        ),
        (
            json!({"column_names": ["project.cf_1"]}),
            "Column names is invalid (unknown column project.cf_1)",
        ),
        (
            json!({"sort_criteria": ["description"]}),
            "Sort criteria is invalid (issues cannot be sorted by description)",
        ),
        (
            json!({"sort_criteria": ["id:down"]}),
            "Sort criteria is invalid (the direction of id must be asc or desc)",
        ),
        (
            json!({"sort_criteria": ["id", "status", "tracker", "subject"]}),
            "Sort criteria are too many (maximum is 3)",
        ),
        (
            json!({"group_by": "subject"}),
            "Group by is invalid (issues cannot be grouped by subject)",
        ),
        (
            json!({"group_by": "tracker,status"}),
            "Group by is invalid (issues cannot be grouped by tracker,status)",
        ),
        (
            json!({"totalable_names": ["done_ratio"]}),
            "Totalable names is invalid (unknown column done_ratio)",
        ),
    ] {
        let mut new = fields.as_object().unwrap().clone();
        new.entry("name").or_insert("x".into());
        add(&world, "admin", new.into())
            .assert_status(422)
            .assert_errors(&[error]);
    }
    add(&world, "admin", json!({}))
        .assert_status(422)
        .assert_errors(&["Name cannot be blank"]);
    world
        .as_user("admin")
        .post("/queries.json", "{")
        .assert_status(400);
    world
        .as_user("admin")
        .post("/queries.json", json!({"query": []}))
        .assert_status(400);
    world
        .as_user("admin")
        .get("/queries.json")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
    add(&world, "admin", json!({"name": "x"})).assert_status(201);
    update(&world, "admin", 1, json!({"name": ""}))
        .assert_status(422)
        .assert_errors(&["Name cannot be blank"]);
    let errors = update(
        &world,
        "admin",
        1,
        json!({"name": "", "group_by": "x", "column_names": ["x"]}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(errors.len(), 3, "all errors at once: {errors:?}");
}

#[test]
fn custom_fields_are_filters_columns_orders_groups_and_totals() {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter, is_for_all, visible) VALUES
         (1, 'IssueCustomField', 'Points', 'int', 1, 1, 1, 1), (2, 'IssueCustomField', 'Text', 'string', 2, 1, 1, 1),
         (3, 'ProjectCustomField', 'Cost', 'string', 1, 1, 1, 1), (4, 'IssueCustomField', 'Secret', 'int', 3, 1, 1, 0);
         INSERT INTO custom_fields_trackers (custom_field_id, tracker_id) SELECT f.id, t.id FROM custom_fields f, trackers t;
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (4, 3)",
    );
    let [first, second] = [1, 2].map(|_| world.issue("open").create());
    world.sql(&format!(
        "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES
         ('Issue', {first}, 1, '5'), ('Issue', {second}, 1, '8')"
    ));
    let fields = json!({"name": "Points", "filters": [{"field": "cf_1", "operator": ">=", "values": [5]}], "sort_criteria": ["cf_1:desc"],
        "column_names": ["cf_1", "cf_2", "project.cf_3", "parent.subject"], "group_by": "cf_2", "totalable_names": ["cf_1", "spent_hours"]});
    let query = add(&world, "bob", fields).assert_status(201);
    assert_eq!(
        query.json_path("/query/column_names"),
        json!(["cf_1", "cf_2", "project.cf_3", "parent.subject"])
    );
    assert_eq!(issues(&world, "bob", "query_id=1"), [second, first]);
    for (fields, error) in [
        (
            json!({"totalable_names": ["cf_2"]}),
            "Totalable names is invalid (unknown column cf_2)",
        ),
        (
            json!({"column_names": ["cf_4"]}),
            "Column names is invalid (unknown column cf_4)",
        ),
        (
            json!({"column_names": ["author.cf_3"]}),
            "Column names is invalid (unknown column author.cf_3)",
        ),
        (
            json!({"sort_criteria": ["cf_4"]}),
            "Sort criteria is invalid (issues cannot be sorted by cf_4)",
        ),
        (
            json!({"group_by": "cf_4"}),
            "Group by is invalid (issues cannot be grouped by cf_4)",
        ),
        (
            json!({"totalable_names": ["cf_4"]}),
            "Totalable names is invalid (unknown column cf_4)",
        ),
    ] {
        update(&world, "bob", 1, fields)
            .assert_status(422)
            .assert_errors(&[error]);
    }
}
