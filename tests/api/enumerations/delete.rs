//! `DELETE /enumerations/:name/:id` of a value in use

use quarry_world::{Response, World};
use serde_json::{Value, json};

const IN_USE: [&str; 1] = [
    "The value is in use and cannot be deleted; name the one that its records get in reassign_to_id",
];

fn delete_priority(world: &World, query: &str) -> Response {
    world
        .as_user("admin")
        .delete(&format!("/enumerations/issue_priorities/4.json{query}"))
}

fn priority_of(world: &World, issue: i64) -> Value {
    world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json"))
        .assert_status(200)
        .json_path("/issue/priority/id")
}

#[test]
fn issues_of_a_deleted_priority_get_another_one() {
    let world = World::with_projects();
    let issue = world
        .issue("secret")
        .subject("quokka")
        .field("priority_id", 4)
        .create();
    delete_priority(&world, "")
        .assert_status(422)
        .assert_errors(&IN_USE);
    delete_priority(&world, "?reassign_to_id=")
        .assert_status(422)
        .assert_errors(&IN_USE);
    for target in ["4", "99", "x", "8"] {
        delete_priority(&world, &format!("?reassign_to_id={target}"))
            .assert_status(422)
            .assert_errors(&["Reassign to is invalid"]);
    }
    assert_eq!(priority_of(&world, issue), 4, "nothing is half done");
    delete_priority(&world, "?reassign_to_id=1").assert_status(204);
    assert_eq!(priority_of(&world, issue), 1);
    let found = world
        .as_user("alice")
        .get("/search.json?q=quokka+priority:low")
        .assert_status(200);
    assert_eq!(
        found.integer("/total_count"),
        1,
        "the next search finds the issue with its new priority"
    );
    assert_eq!(
        world
            .as_user("alice")
            .get("/issues.json?priority_id=1")
            .assert_status(200)
            .integer("/total_count"),
        1
    );
}

fn delete_activity(world: &World, query: &str) -> Response {
    world.as_user("admin").delete(&format!(
        "/enumerations/time_entry_activities/8.json{query}"
    ))
}

#[test]
fn time_entries_of_a_deleted_activity_get_another_one() {
    let world = World::with_projects();
    world
        .sql("INSERT INTO enumerations (id, type, name, position, project_id, parent_id) VALUES (20, 'TimeEntryActivity', 'Own', 1, 1, 8)");
    let entry = json!({"time_entry": {"project_id": "open", "hours": 1, "activity_id": 20}});
    world
        .as_user("alice")
        .post("/time_entries.json", entry)
        .assert_status(201);
    delete_activity(&world, "")
        .assert_status(422)
        .assert_errors(&IN_USE);
    world
        .as_user("admin")
        .delete("/enumerations/time_entry_activities/20.json")
        .assert_status(404);
    delete_activity(&world, "?reassign_to_id=9").assert_status(204);
    let shown = world
        .as_user("alice")
        .get("/time_entries/1.json")
        .assert_status(200)
        .json_path("/time_entry/activity");
    assert_eq!(shown, json!({"id": 9, "name": "Development"}));
    assert!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .enumerations
            .iter()
            .all(|value| value.id.0 != 20),
        "the replacement goes, too"
    );
}

fn delete_category(world: &World, query: &str) -> Response {
    world
        .as_user("admin")
        .delete(&format!("/enumerations/document_categories/6.json{query}"))
}

#[test]
fn documents_of_a_deleted_category_get_another_one() {
    let world = World::with_projects();
    world.sql("INSERT INTO documents (project_id, category_id, title, created_on) VALUES (1, 6, 'Plan', 0)");
    delete_category(&world, "")
        .assert_status(422)
        .assert_errors(&IN_USE);
    delete_category(&world, "?reassign_to_id=7").assert_status(204);
    world
        .as_user("admin")
        .delete("/enumerations/document_categories/7.json")
        .assert_status(422)
        .assert_errors(&IN_USE);
}
