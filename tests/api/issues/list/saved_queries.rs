//! Saved queries with filters by fields of related records (compatibility 6.3).

use super::associations::world;
use super::{ids, rows};
use quarry_world::World;

fn put_query(world: &World, id: i64, filters: &str) {
    let row = [
        ("type", "IssueQuery".into()),
        ("name", format!("Query {id}").into()),
        ("visibility", 2.into()),
    ];
    rows::update(
        world,
        "queries",
        id,
        &[row.as_slice(), &[("filters_json", filters.into())]].concat(),
    );
}

#[test]
fn saved_queries_apply_fields_of_related_records() {
    let world = world();
    put_query(
        &world,
        1,
        r#"{"project.cf_2":{"operator":">=","values":["15"]}}"#,
    );
    put_query(
        &world,
        2,
        r#"{"author.cf_3":{"operator":"=","values":["Rome"]},"cf_9.status":{"operator":"!","values":["open"]}}"#,
    );
    put_query(
        &world,
        3,
        r#"{"cf_9.due_date":{"operator":"=","values":["never"]}}"#,
    );
    assert_eq!(ids(&world, "alice", "query_id=1"), [6]);
    assert_eq!(
        ids(&world, "bob", "query_id=1"),
        [5, 4, 3, 2, 1],
        "a field that he cannot see is ignored"
    );
    assert_eq!(ids(&world, "alice", "query_id=2"), [6, 5]);
    let errors = world
        .as_user("alice")
        .get("/issues.json?query_id=3")
        .assert_status(422)
        .errors();
    assert_eq!(errors, ["Milestone's Due date is invalid"]);
}
