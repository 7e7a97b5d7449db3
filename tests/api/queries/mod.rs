//! `/queries`, `/queries/:id` (compatibility 11.6 and 13.7)

mod default;
mod imported;
mod permissions;
mod validation;

use axum::http::Method;
use quarry::domain::ids::StatusId;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn add(world: &World, login: &str, fields: Value) -> Response {
    world
        .as_user(login)
        .post("/queries.json", json!({"query": fields}))
}

fn update(world: &World, login: &str, id: i64, fields: Value) -> Response {
    world
        .as_user(login)
        .put(&format!("/queries/{id}.json"), json!({"query": fields}))
}

/// Returns the ids of the issues that a list with this query string has for a user.
fn issues(world: &World, login: &str, query: &str) -> Vec<i64> {
    let list = world
        .as_user(login)
        .get(&format!("/issues.json?{query}"))
        .assert_status(200);
    list.integers("/issues", "id")
}

#[test]
fn query_can_be_saved_used_changed_and_deleted() {
    let world = World::with_projects();
    for (priority, done) in [(1, 10), (3, 90), (2, 50)] {
        world
            .issue("open")
            .field("priority_id", priority)
            .field("done_ratio", done)
            .create();
    }
    let response = add(
        &world,
        "alice",
        json!({
            "name": "Hot", "description": "What burns", "project_id": "open", "visibility": "public",
            "filters": [{"field": "priority_id", "operator": "=", "values": [2, "3"]}, {"field": "done_ratio", "operator": ">=", "values": ["20"]}],
            "column_names": ["subject", "priority", "subject"], "sort_criteria": ["priority:desc", "id"], "group_by": "tracker",
            "totalable_names": ["estimated_hours"],
        }),
    );
    assert_eq!(response.status, 201, "{}", response.body);
    assert_eq!(response.location(), "http://quarry.test/queries/1");
    let saved = r#"{"query":{"id":1,"name":"Hot","description":"What burns","project":{"id":1,"name":"open"},"user":{"id":2,"name":"alice Tester"},"visibility":"public","roles":[],"filters":[{"field":"priority_id","operator":"=","values":["2","3"]},{"field":"done_ratio","operator":"\u003e=","values":["20"]}],"column_names":["subject","priority"],"sort_criteria":["priority:desc","id"],"group_by":"tracker","totalable_names":["estimated_hours"]}}"#;
    assert_eq!(response.body, saved);
    assert_eq!(
        world
            .as_user("dave")
            .get("/queries/1.json")
            .assert_status(200)
            .body,
        saved
    );
    assert_eq!(issues(&world, "dave", "project_id=open&query_id=1"), [2, 3]);
    let changed = update(
        &world,
        "alice",
        1,
        json!({"filters": [], "sort_criteria": "id:desc", "group_by": null}),
    )
    .assert_status(200);
    let [filters, order, group] = ["filters", "sort_criteria", "group_by"]
        .map(|name| changed.json_path(&format!("/query/{name}")));
    assert_eq!(
        (filters, order, group),
        (json!([]), json!(["id:desc"]), Value::Null)
    );
    assert_eq!(
        changed.json_path("/query/column_names"),
        json!(["subject", "priority"]),
        "what is not named stays"
    );
    assert_eq!(
        issues(&world, "dave", "project_id=open&query_id=1"),
        [3, 2, 1]
    );
    assert_eq!(
        world
            .as_user("alice")
            .delete("/queries/1.json")
            .assert_status(200)
            .body,
        ""
    );
    world
        .as_user("alice")
        .get("/queries/1.json")
        .assert_status(404);
    world
        .as_user("alice")
        .get("/issues.json?project_id=open&query_id=1")
        .assert_status(404);
    world
        .as_user("alice")
        .delete("/queries/1.json")
        .assert_status(404);
}

#[test]
fn new_query_is_private_for_all_projects_with_the_default_filters() {
    let world = World::with_projects();
    world.issue("open").create();
    let closed = world.issue("open").create();
    world.edit(closed, |issue| issue.status = StatusId(5));
    let query = add(&world, "bob", json!({"name": " Mine "}))
        .assert_status(201)
        .json();
    let expected = json!({"id": 1, "name": "Mine", "description": "", "user": {"id": 3, "name": "bob Tester"}, "visibility": "private",
        "roles": [], "filters": null, "column_names": [], "sort_criteria": [], "group_by": null, "totalable_names": []});
    assert_eq!(query["query"], expected);
    assert_eq!(issues(&world, "bob", "query_id=1"), [1]);
    update(&world, "bob", 1, json!({"filters": []})).assert_status(200);
    assert_eq!(issues(&world, "bob", "query_id=1"), [2, 1]);
    update(&world, "bob", 1, json!({"filters": null})).assert_status(200);
    assert_eq!(issues(&world, "bob", "query_id=1"), [1]);
    let list = world.as_user("bob").get("/queries.json").assert_status(200);
    assert_eq!(
        list.json()["queries"],
        json!([{"id": 1, "name": "Mine", "is_public": false, "project_id": null}])
    );
    let past = world
        .as_user("bob")
        .get("/queries.json?offset=1")
        .assert_status(200);
    assert_eq!(
        (past.array("/queries").len(), past.integer("/total_count")),
        (0, 1)
    );
}

fn send_xml(world: &World, method: Method, path: &str, body: &str) -> Response {
    world.as_user("alice").send(
        method,
        path,
        Some("application/xml"),
        format!("<query>{body}</query>").into_bytes(),
    )
}

#[test]
fn query_is_read_and_written_as_xml() {
    let world = World::with_projects();
    world.issue("open").field("done_ratio", 50).create();
    world.issue("open").create();
    let body = "<name>Half done</name><visibility>roles</visibility><project_id>1</project_id><role_ids type=\"array\"><role_id>4</role_id></role_ids>\
                <filters type=\"array\"><filter><field>done_ratio</field><operator>&gt;=</operator><values type=\"array\"><value>50</value></values>\
                </filter></filters><column_names type=\"array\"><column_name>subject</column_name></column_names>";
    let created = send_xml(&world, Method::POST, "/queries.xml", body).assert_status(201);
    created.assert_contains(
        "<visibility>roles</visibility><roles type=\"array\"><role id=\"4\" name=\"Developer\"/></roles><filters type=\"array\"><filter>\
         <field>done_ratio</field><operator>&gt;=</operator><values type=\"array\"><value>50</value></values></filter></filters>\
         <column_names type=\"array\"><column_name>subject</column_name></column_names><sort_criteria type=\"array\"></sort_criteria><group_by/>",
    );
    assert_eq!(issues(&world, "bob", "project_id=open&query_id=1"), [1]);
    let changed = send_xml(
        &world,
        Method::PUT,
        "/queries/1.xml",
        "<filters/><role_ids type=\"array\"><role_id>5</role_id></role_ids>",
    )
    .assert_status(200);
    changed.assert_contains("<role id=\"5\" name=\"Reporter\"/></roles><filters/>");
    assert_eq!(
        issues(&world, "carol", "project_id=open&query_id=1"),
        [2, 1]
    );
    world
        .as_user("bob")
        .get("/queries/1.xml")
        .assert_status(404);
}

fn filter_fields(world: &World, login: &str) -> Vec<String> {
    let query = world
        .as_user(login)
        .get("/queries/1.json")
        .assert_status(200);
    query.texts("/query/filters", "field")
}

fn put_filter(world: &World, filter: Value) -> Response {
    update(world, "bob", 1, json!({"filters": [filter]}))
}

#[test]
fn filter_by_a_hidden_custom_field_is_neither_shown_nor_lost() {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO custom_fields (id, type, name, field_format, position, is_filter, is_for_all, visible) VALUES
         (1, 'IssueCustomField', 'Salary', 'string', 1, 1, 1, 0);
         INSERT INTO custom_fields_roles (custom_field_id, role_id) VALUES (1, 3)",
    );
    let filters = json!([{"field": "cf_1", "operator": "=", "values": ["90000"]}, {"field": "status_id", "operator": "o", "values": [""]}]);
    add(
        &world,
        "alice",
        json!({"name": "Paid", "project_id": 1, "visibility": "public", "filters": filters}),
    )
    .assert_status(201);
    assert_eq!(
        (
            filter_fields(&world, "alice").len(),
            filter_fields(&world, "bob")
        ),
        (2, vec!["status_id".to_owned()])
    );
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'manage_public_queries')");
    // Naming it with the right value gives no hint either.
    for value in ["90000", "1"] {
        let errors = put_filter(
            &world,
            json!({"field": "cf_1", "operator": "=", "values": [value]}),
        )
        .assert_status(422)
        .errors();
        assert_eq!(errors, ["Filters is invalid (unknown filter cf_1)"]);
    }
    put_filter(
        &world,
        json!({"field": "status_id", "operator": "c", "values": []}),
    )
    .assert_status(200);
    assert_eq!(filter_fields(&world, "alice"), ["status_id", "cf_1"]);
}

#[test]
fn one_user_has_a_limited_number_of_queries() {
    let world = World::with_projects();
    world.sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
         INSERT INTO queries (type, name, user_id) SELECT 'IssueQuery', 'Query ' || i, 3 FROM n",
    );
    let error = "Queries are too many (maximum is 1000 for one user)";
    add(&world, "bob", json!({"name": "One more"}))
        .assert_status(422)
        .assert_errors(&[error]);
    add(&world, "carol", json!({"name": "First"})).assert_status(201);
    world
        .as_user("bob")
        .delete("/queries/1.json")
        .assert_status(200);
    add(&world, "bob", json!({"name": "One more"})).assert_status(201);
}
