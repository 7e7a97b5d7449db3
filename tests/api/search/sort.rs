//! The order in the text of a query: `sort:`.

use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::json;

/// Returns the ids that an address lists, in its order.
fn ids(world: &World, path: &str, query: &str) -> Vec<i64> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let path = format!("{path}{separator}limit=100&q={}", percent_encode(query));
    let body = world.as_user("alice").get(&path).assert_status(200).json();
    let records = body["results"].as_array().or(body["issues"].as_array());
    let records = records.unwrap().iter();
    records
        .map(|record| record["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn query_sorts_a_search_by_relevance_or_date() {
    let world = world();
    let best = world.issue("open").subject("pump pump pump").create();
    let newest = world
        .issue("open")
        .subject("the other pump of the house")
        .create();
    world.edit(newest, |issue| {
        issue.created_on += jiff::SignedDuration::from_hours(1);
    });
    let found = |query: &str| ids(&world, "/search.json?issues=1", query);
    assert_eq!(found("pump sort:relevance"), [best, newest]);
    assert_eq!(found("pump sort:date"), [newest, best]);
    assert_eq!(
        ids(
            &world,
            "/search.json?issues=1&sort=date",
            "pump sort:relevance"
        ),
        [best, newest],
        "the query says it last"
    );
    for (query, expected) in [
        ("pump sort:due", "sort:due is an order of lists of issues"),
        ("pump sort:date-asc", "the newest first"),
        ("pump sort:relevanc", "sort: expects relevance or date"),
        ("pump -sort:date", "it stands alone"),
        ("pump OR sort:date", "it stands alone"),
    ] {
        let path = format!("/search.json?q={}", percent_encode(query));
        let errors = world
            .as_user("alice")
            .get(&path)
            .assert_status(422)
            .errors();
        assert!(errors[0].contains(expected), "{query}: {errors:?}");
    }
}

#[test]
fn query_sorts_a_list_by_its_columns() {
    let world = world();
    let create = |due: &str, priority: i64| {
        let issue = world.issue("open").subject("gasket").field("due_date", due);
        issue.field("priority_id", priority).create()
    };
    let [early, late, urgent] = [("2026-11-21", 2), ("2026-12-24", 1), ("2026-12-01", 3)]
        .map(|(due, priority)| create(due, priority));
    let listed = |query: &str| ids(&world, "/issues.json", query);
    assert_eq!(listed("gasket"), [urgent, late, early]);
    assert_eq!(listed("gasket sort:due"), [early, urgent, late]);
    assert_eq!(listed("gasket sort:due-desc"), [late, urgent, early]);
    assert_eq!(listed("gasket sort:priority"), [urgent, early, late]);
    assert_eq!(listed("gasket sort:id-asc"), [early, late, urgent]);
    assert_eq!(listed("gasket sort:relevance"), [urgent, late, early]);
    assert_eq!(
        ids(&world, "/issues.json?sort=id", "gasket sort:due-desc"),
        [early, late, urgent],
        "the parameter takes precedence"
    );
    let filters = json!([{"field": "q", "operator": "=", "values": ["gasket sort:due"]}]);
    let query = json!({"query": {"name": "Gaskets", "filters": filters}});
    world
        .as_user("alice")
        .post("/queries.json", query)
        .assert_status(201);
    let saved = world.as_user("alice").get("/issues.json?query_id=1");
    let saved = saved.assert_status(200).json();
    assert_eq!(saved["issues"][0]["id"], json!(early));
}
