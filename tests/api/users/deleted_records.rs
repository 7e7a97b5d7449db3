//! What becomes of the records of a deleted user.

use super::manage::{count, delete};
use quarry::actions::accounts::users::RightsChange;
use quarry_world::{Client, World, insert_group, user};
use serde_json::{Value, json};

fn authors(alice: &Client<'_>, word: &str) -> Vec<(i64, Value)> {
    let found = alice
        .get(&format!("/search.json?q={word}&facets=author"))
        .assert_status(200)
        .json_path("/facets/author");
    found
        .as_array()
        .unwrap()
        .iter()
        .map(|author| (author["id"].as_i64().unwrap(), author["name"].clone()))
        .collect::<Vec<_>>()
}

/// Bob has written and been assigned everywhere; then the account goes.
#[test]
fn records_of_a_deleted_user_belong_to_anonymous_and_are_found_with_that_author() {
    let world = World::with_projects();
    let issue = world
        .issue("open")
        .author("bob")
        .subject("quokka")
        .field("assigned_to_id", user("bob").0)
        .create();
    let assigned = world
        .issue("open")
        .author("alice")
        .subject("wombat")
        .field("assigned_to_id", user("bob").0)
        .create();
    let note = json!({"issue": {"notes": "numbat", "assigned_to_id": user("alice").0}});
    world
        .as_user("bob")
        .put(&format!("/issues/{issue}.json"), note)
        .assert_status(200);
    let page = json!({"wiki_page": {"text": "bilby"}});
    world
        .as_user("bob")
        .put("/projects/open/wiki/Marsupials.json", page)
        .assert_status(201);
    world.sql(
        "INSERT INTO queries (type, name, user_id, visibility) VALUES ('IssueQuery', 'private', 3, 0), ('IssueQuery', 'public', 3, 2);
         INSERT INTO bookmarks (user_id, project_id) VALUES (3, 1);
         INSERT INTO email_addresses (user_id, address, created_on, updated_on) VALUES (3, 'b@example.net', 0, 0);
         INSERT INTO comments (commented_type, commented_id, author_id, created_on, updated_on) VALUES ('News', 1, 3, 0, 0)",
    );
    let now = world.app.clock.now();
    world.write(move |db| insert_group(db, "Quality", &[user("bob")], now));
    assert_eq!(world.as_user("bob").get("/users/current.json").status, 200);

    assert_eq!(
        delete(&world, Some("admin"), user("bob")).unwrap(),
        RightsChange::Deleted
    );

    world
        .as_user("bob")
        .get("/users/current.json")
        .assert_status(401);
    let alice = world.as_user("alice");
    let shown = alice
        .get(&format!("/issues/{issue}.json?include=journals"))
        .assert_status(200)
        .json_path("/issue");
    let anonymous = shown["author"]["id"].as_i64().unwrap();
    assert_eq!(shown["author"]["name"], "Anonymous");
    assert_eq!(shown["journals"][0]["user"]["name"], "Anonymous");
    let details = shown["journals"][0]["details"].as_array().unwrap();
    let change = details
        .iter()
        .find(|detail| detail["name"] == "assigned_to_id")
        .unwrap();
    assert_eq!(
        (&change["old_value"], &change["new_value"]),
        (
            &json!(anonymous.to_string()),
            &json!(user("alice").0.to_string())
        )
    );
    let unassigned = alice
        .get(&format!("/issues/{assigned}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert!(unassigned.get("assigned_to").is_none(), "{unassigned}");
    let version = alice
        .get("/projects/open/wiki/Marsupials.json")
        .assert_status(200)
        .json_path("/wiki_page");
    assert_eq!(version["author"]["name"], "Anonymous");

    // The facet is counted by the index.
    for word in ["quokka", "bilby"] {
        assert_eq!(
            authors(&alice, word),
            [(anonymous, json!("Anonymous"))],
            "{word}"
        );
    }
    assert_eq!(authors(&alice, "wombat")[0].0, user("alice").0);
    assert_eq!(
        alice
            .get(&format!("/issues.json?author_id={anonymous}&status_id=*"))
            .json()["total_count"],
        1
    );

    for (table, condition) in [
        ("users", "id = 3"),
        ("members", "user_id = 3"),
        ("group_users", "user_id = 3"),
        ("watchers", "user_id = 3"),
        ("bookmarks", "user_id = 3"),
        ("email_addresses", "user_id = 3"),
        ("sessions", "user_id = 3"),
        ("queries", "user_id = 3"),
        ("comments", "author_id = 3"),
        ("queries", "name = 'private'"),
    ] {
        assert_eq!(count(&world, table, condition), 0, "{table}");
    }
    assert_eq!(
        count(
            &world,
            "queries",
            &format!("name = 'public' AND user_id = {anonymous}")
        ),
        1
    );

    // A second deletion uses the same anonymous user.
    delete(&world, Some("admin"), user("carol")).unwrap();
    assert_eq!(count(&world, "users", "type = 'AnonymousUser'"), 1);
}

#[test]
fn private_notes_of_a_deleted_user_stay_private() {
    let world = World::with_projects();
    world.sql("INSERT INTO role_permissions (role_id, name) SELECT 5, 'set_notes_private' WHERE NOT EXISTS (SELECT 1 FROM role_permissions WHERE role_id = 5 AND name = 'set_notes_private')");
    let issue = world.issue("open").author("alice").create();
    let note = json!({"issue": {"notes": "pangolin", "private_notes": true}});
    world
        .as_user("bob")
        .put(&format!("/issues/{issue}.json"), note)
        .assert_status(200);
    delete(&world, Some("admin"), user("bob")).unwrap();
    assert_eq!(
        (
            world.count_hits("alice", "pangolin"),
            world.count_hits("carol", "pangolin")
        ),
        (1, 0)
    );
}
