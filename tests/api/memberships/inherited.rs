//! Memberships through groups and from parent projects.

use super::{create, members, row};
use quarry::domain::ids::PrincipalId;
use quarry_world::{Response, World, insert_group, user};
use serde_json::json;

/// A group with bob, which is a reporter in `secret`; `below` inherits the members of `secret`.
fn world_with_group() -> (World, PrincipalId) {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[user("bob")], now));
    let below = json!({"name": "below", "identifier": "below", "parent_id": 2, "inherit_members": true, "is_public": false});
    world
        .as_user("admin")
        .post("/projects.json", json!({ "project": below }))
        .assert_status(201);
    create(
        &world,
        "alice",
        "secret",
        json!({"user_id": group.0, "role_ids": [5]}),
    )
    .assert_status(201);
    (world, group)
}

#[test]
fn inherited_memberships_have_ids_of_their_own() {
    let (world, _) = world_with_group();
    let secret = [
        row(4, "alice Tester", "Manager"),
        row(6, "Quality", "Reporter"),
        row(7, "bob Tester", "Reporter*"),
    ];
    assert_eq!(members(&world, "secret"), secret);
    let below = [
        row(5, "alice Tester", "Manager*"),
        row(8, "bob Tester", "Reporter*"),
        row(9, "Quality", "Reporter*"),
    ];
    assert_eq!(members(&world, "below"), below);
    let shown = world
        .as_user("bob")
        .get("/memberships/8.json")
        .assert_status(200);
    assert_eq!(
        shown.json_path("/membership/roles"),
        json!([{"id": 5, "name": "Reporter", "inherited": true}])
    );
    let xml = world
        .as_user("bob")
        .get("/memberships/8.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<role id=\"5\" name=\"Reporter\" inherited=\"true\"/>"),
        "{xml}"
    );
    let listed = world
        .as_user("admin")
        .get("/users/3.json?include=memberships")
        .assert_status(200)
        .array("/user/memberships");
    let ids: Vec<i64> = listed
        .iter()
        .map(|membership| membership["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [2, 7, 8]);
}

fn put_roles(world: &World, id: i64, roles: &str) -> Response {
    world.as_user("alice").put(
        &format!("/memberships/{id}.json"),
        format!("{{\"membership\":{{\"role_ids\":{roles}}}}}"),
    )
}

#[test]
fn inherited_roles_are_protected() {
    let (world, _) = world_with_group();
    let inherited =
        ["The membership is inherited from a group or from the parent project; remove it there"];
    for id in [5, 7, 8, 9] {
        world
            .as_user("admin")
            .delete(&format!("/memberships/{id}.json"))
            .assert_status(422)
            .assert_errors(&inherited);
    }
    put_roles(&world, 7, "[4,5]").assert_status(200);
    assert_eq!(
        members(&world, "secret")[2],
        row(7, "bob Tester", "Reporter* Developer")
    );
    assert_eq!(
        members(&world, "below")[1],
        row(8, "bob Tester", "Reporter* Developer*")
    );
    put_roles(&world, 7, "[]").assert_status(200);
    assert_eq!(
        members(&world, "secret")[2],
        row(7, "bob Tester", "Reporter*"),
        "what is inherited stays"
    );
    let taken = create(
        &world,
        "alice",
        "secret",
        json!({"user_id": 3, "role_ids": [4]}),
    );
    taken
        .assert_status(422)
        .assert_errors(&["User has already been taken"]);
}

#[test]
fn memberships_end_with_the_one_that_they_inherit_from() {
    let (world, group) = world_with_group();
    world.issue("below").subject("quokka").create();
    assert_eq!(world.as_user("bob").total_count("/search.json?q=quokka"), 1);
    world
        .as_user("alice")
        .delete("/memberships/6.json")
        .assert_status(200);
    assert_eq!(world.as_user("bob").total_count("/search.json?q=quokka"), 0);
    assert_eq!(
        members(&world, "secret"),
        [row(4, "alice Tester", "Manager")]
    );
    assert_eq!(
        members(&world, "below"),
        [row(5, "alice Tester", "Manager*")]
    );
    create(
        &world,
        "alice",
        "secret",
        json!({"user_id": group.0, "role_ids": [4]}),
    )
    .assert_status(201);
    assert_eq!(world.as_user("bob").total_count("/search.json?q=quokka"), 1);
    world
        .as_user("admin")
        .put("/users/3.json", json!({"user": {"group_ids": []}}))
        .assert_status(200);
    assert_eq!(world.as_user("bob").total_count("/search.json?q=quokka"), 0);
    world
        .as_user("alice")
        .put(
            "/projects/below.json",
            json!({"project": {"inherit_members": false}}),
        )
        .assert_status(200);
    world
        .as_user("alice")
        .get("/projects/below/memberships.json")
        .assert_status(403);
    let rest = world
        .as_user("admin")
        .get("/projects/below/memberships.json")
        .assert_status(200);
    assert_eq!(rest.integer("/total_count"), 0);
}

fn membership_of_dave(world: &World) -> (i64, String, String) {
    members(world, "secret")
        .into_iter()
        .find(|member| member.1 == "dave Tester")
        .unwrap()
}

#[test]
fn own_role_that_is_also_inherited_survives_the_group() {
    let (world, _) = world_with_group();
    create(
        &world,
        "alice",
        "secret",
        json!({"user_id": 5, "role_ids": [5]}),
    )
    .assert_status(201);
    world
        .as_user("admin")
        .put("/users/5.json", json!({"user": {"group_ids": [7]}}))
        .assert_status(200);
    let before = membership_of_dave(&world);
    assert_eq!(before.2, "Reporter");
    world
        .as_user("admin")
        .put("/users/5.json", json!({"user": {"group_ids": []}}))
        .assert_status(200);
    assert_eq!(membership_of_dave(&world), before);
}

fn roles_of(world: &World, project: &str, name: &str) -> String {
    members(world, project)
        .into_iter()
        .find(|member| member.1 == name)
        .unwrap()
        .2
}

fn set_roles(world: &World, id: i64, ids: serde_json::Value) {
    world
        .as_user("alice")
        .put(
            &format!("/memberships/{id}.json"),
            json!({"membership": {"role_ids": ids}}),
        )
        .assert_status(200);
}

fn names(roles: &serde_json::Value) -> Vec<serde_json::Value> {
    roles
        .as_array()
        .unwrap()
        .iter()
        .map(|role| role["name"].clone())
        .collect::<Vec<_>>()
}

#[test]
fn roles_are_in_the_order_in_which_they_were_given() {
    let (world, group) = world_with_group();
    create(
        &world,
        "alice",
        "secret",
        json!({"user_id": 5, "role_ids": [5, 3]}),
    )
    .assert_status(201);
    assert_eq!(
        roles_of(&world, "secret", "dave Tester"),
        "Reporter Manager"
    );
    assert_eq!(
        roles_of(&world, "below", "dave Tester"),
        "Reporter* Manager*"
    );
    let id = members(&world, "secret")
        .into_iter()
        .find(|member| member.1 == "dave Tester")
        .unwrap()
        .0;
    set_roles(&world, id, json!([3, 4, 5]));
    assert_eq!(
        roles_of(&world, "secret", "dave Tester"),
        "Reporter Manager Developer",
        "roles that he had keep their places"
    );
    set_roles(&world, id, json!([3, 4]));
    set_roles(&world, id, json!([5, 4, 3]));
    assert_eq!(
        roles_of(&world, "secret", "dave Tester"),
        "Manager Developer Reporter"
    );
    // An inherited role has the place of the role that it comes from. The group got its role before
    // bob, and another one after him.
    set_roles(&world, 7, json!([3]));
    set_roles(&world, 6, json!([5, 4]));
    assert_eq!(
        roles_of(&world, "secret", "bob Tester"),
        "Reporter* Manager Developer*"
    );
    assert_eq!(
        roles_of(&world, "below", "bob Tester"),
        "Reporter* Manager* Developer*"
    );
    // His own role has its own place, wherever else it comes from.
    set_roles(&world, 6, json!([5, 4, 3]));
    assert_eq!(
        roles_of(&world, "secret", "bob Tester"),
        "Reporter* Manager Developer*"
    );
    let listed = world
        .as_user("admin")
        .get("/users/3.json?include=memberships")
        .assert_status(200)
        .array("/user/memberships");
    let of_secret = listed
        .iter()
        .find(|membership| membership["id"] == 7)
        .unwrap();
    let expected = json!([{"id": 5, "name": "Reporter", "inherited": true}, {"id": 3, "name": "Manager"},
        {"id": 4, "name": "Developer", "inherited": true}]);
    assert_eq!(of_secret["roles"], expected);
    assert_eq!(
        world
            .as_user("bob")
            .get("/memberships/7.json")
            .assert_status(200)
            .json_path("/membership/roles"),
        expected
    );
    let group = world
        .as_user("admin")
        .get(&format!("/groups/{group}.json?include=memberships"))
        .assert_status(200);
    assert_eq!(
        names(&group.json_path("/group/memberships/0/roles")),
        ["Reporter", "Developer", "Manager"]
    );
}
