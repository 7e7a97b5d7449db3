//! Short lists: trackers, statuses, enumerations, roles, queries, users and groups
//! (compatibility 11).

use quarry_world::{MANAGER, Response, World, insert_group, user};
use serde_json::json;

const FOR_ALL: [&str; 8] = [
    "/trackers",
    "/issue_statuses",
    "/enumerations/issue_priorities",
    "/enumerations/time_entry_activities",
    "/enumerations/document_categories",
    "/roles",
    "/queries",
    "/news",
];

#[test]
fn logged_in_users_read_the_lists_in_json_and_xml() {
    let world = World::new();
    for path in FOR_ALL {
        let root = path.rsplit('/').next().unwrap();
        assert!(
            world
                .as_user("dave")
                .get(&format!("{path}.json"))
                .assert_status(200)
                .json()[root]
                .is_array(),
            "{path}"
        );
        let xml = world
            .as_user("dave")
            .get(&format!("{path}.xml"))
            .assert_status(200)
            .body;
        assert!(xml.contains(&format!("<{root}")), "{xml}");
        world
            .anonymous()
            .get(&format!("{path}.json"))
            .assert_status(401);
    }
    world
        .as_user("dave")
        .get("/enumerations/colours.json")
        .assert_status(404);
    let status = world
        .as_user("dave")
        .get("/issue_statuses.json")
        .assert_status(200)
        .json_path("/issue_statuses/0");
    assert_eq!(
        status,
        json!({"id": 1, "name": "New", "is_closed": false, "description": null})
    );
}

#[test]
fn role_includes_its_permissions() {
    let world = World::new();
    let role = world
        .as_user("dave")
        .get("/roles/3.json")
        .assert_status(200)
        .json_path("/role");
    assert_eq!(role["name"], "Manager");
    assert_eq!(role["issues_visibility"], "all");
    assert!(
        role["permissions"]
            .as_array()
            .unwrap()
            .contains(&json!("edit_project"))
    );
    world
        .as_user("dave")
        .get("/roles/99.json")
        .assert_status(404);
}

fn logins(world: &World, query: &str) -> Vec<String> {
    let response = world
        .as_user("admin")
        .get(&format!("/users.json?{query}"))
        .assert_status(200)
        .json();
    response["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["login"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>()
}

#[test]
fn only_administrators_list_users_and_groups() {
    let world = World::new();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[user("bob")], now));
    for path in ["/custom_fields.json", "/users.json", "/groups.json"] {
        world.as_user("alice").get(path).assert_status(403);
        world.anonymous().get(path).assert_status(401);
    }
    assert!(
        world
            .as_user("admin")
            .get("/custom_fields.xml")
            .assert_status(200)
            .body
            .ends_with("<custom_fields type=\"array\"></custom_fields>")
    );
    assert_eq!(
        logins(&world, ""),
        ["admin", "alice", "bob", "carol", "dave"]
    );
    assert_eq!(logins(&world, "status=3"), ["erin"]);
    assert_eq!(logins(&world, &format!("group_id={group}")), ["bob"]);
    assert_eq!(logins(&world, "name=CAR"), ["carol"]);
    assert_eq!(logins(&world, "limit=1&offset=1"), ["alice"]);
    let shown = world
        .as_user("admin")
        .get(&format!("/groups/{group}.json?include=users"))
        .assert_status(200)
        .json_path("/group");
    assert_eq!(shown["users"], json!([{"id": 3, "name": "bob Tester"}]));
    let seen = world
        .as_user("alice")
        .get("/users/3.json")
        .assert_status(200)
        .json_path("/user");
    assert!(
        seen.get("api_key").is_none() && seen.get("admin").is_none() && seen.get("mail").is_none(),
        "{seen}"
    );
    world
        .as_user("alice")
        .get("/users/6.json")
        .assert_status(404);
    world
        .as_user("admin")
        .get("/users/6.json")
        .assert_status(200);
    world
        .as_user("admin")
        .get("/users/99.json")
        .assert_status(404);
}

#[test]
fn everybody_reads_a_visible_group() {
    let world = World::new();
    let open = world.project("open").member("alice", MANAGER).create();
    let now = world.app.clock.now();
    let (group, hidden) = world.write(move |db| {
        let group = insert_group(db, "Quality", &[user("bob")], now)?;
        quarry::store::accounts::memberships::insert(db, open, group, &[MANAGER], now)?;
        Ok((group, insert_group(db, "Board", &[user("bob")], now)?))
    });
    let path = format!("/groups/{group}.json?include=users,memberships");
    let shown = world
        .as_user("dave")
        .get(&path)
        .assert_status(200)
        .json_path("/group");
    assert_eq!(
        (&shown["id"], &shown["name"]),
        (&json!(group.0), &json!("Quality"))
    );
    assert_eq!(
        (&shown["users"], &shown["memberships"][0]["project"]["id"]),
        (&json!([{"id": 3, "name": "bob Tester"}]), &json!(open.0))
    );
    let xml = world
        .as_user("dave")
        .get(&format!("/groups/{group}.xml"))
        .assert_status(200)
        .body;
    assert!(
        xml.ends_with(&format!(
            "<group><id>{group}</id><name>Quality</name></group>"
        )),
        "{xml}"
    );
    world.anonymous().get(&path).assert_status(401);
    let shown = world
        .as_user("admin")
        .get(&path)
        .assert_status(200)
        .json_path("/group");
    assert_eq!(
        (
            shown["users"][0]["id"].as_i64(),
            shown["memberships"][0]["project"]["id"].as_i64()
        ),
        (Some(3), Some(open.0))
    );
    // Who sees only members of visible projects does not see other groups.
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    world.as_user("dave").get(&path).assert_status(200);
    for missing in [hidden.0, 999, 3] {
        world
            .as_user("dave")
            .get(&format!("/groups/{missing}.json"))
            .assert_status(404);
    }
    world
        .as_user("bob")
        .get(&format!("/groups/{hidden}.json"))
        .assert_status(200);
}

#[test]
fn builtin_groups_are_listed_on_request() {
    let world = World::new();
    world.sql(
        "INSERT INTO users (id, type, lastname, status, created_on, updated_on) VALUES (20, 'Group', 'Zoo', 1, 0, 0),
            (21, 'GroupNonMember', 'x', 1, 0, 0), (22, 'GroupAnonymous', '', 1, 0, 0)",
    );
    let admin = world.as_user("admin");
    assert_eq!(
        admin
            .get("/groups.json")
            .assert_status(200)
            .json_path("/groups"),
        json!([{"id": 20, "name": "Zoo"}])
    );
    let all = json!([
        {"id": 20, "name": "Zoo"},
        {"id": 22, "name": "Anonymous users", "builtin": "anonymous"},
        {"id": 21, "name": "Non member users", "builtin": "non_member"},
    ]);
    assert_eq!(
        admin
            .get("/groups.json?builtin=1")
            .assert_status(200)
            .json_path("/groups"),
        all
    );
    let shown = admin
        .get("/groups/21.json?include=users")
        .assert_status(200)
        .json_path("/group");
    assert_eq!(
        shown,
        json!({"id": 21, "name": "Non member users", "builtin": "non_member"})
    );
}

#[test]
fn permissions_of_a_role_are_in_the_order_in_which_they_were_given() {
    let world = World::new();
    world.sql(
        "UPDATE role_permissions SET position = 100 WHERE role_id = 5 AND name = 'view_issues';
         UPDATE role_permissions SET position = -1 WHERE role_id = 5 AND name = 'log_time'",
    );
    let permissions = world
        .as_user("dave")
        .get("/roles/5.json")
        .assert_status(200)
        .array("/role/permissions");
    assert_eq!(
        (permissions.first(), permissions.last()),
        (Some(&json!("log_time")), Some(&json!("view_issues")))
    );
}

fn projects_with_header(world: &World, name: &str, value: &str) -> Response {
    world
        .as_user("dave")
        .with(name, value)
        .get("/projects.json")
        .assert_status(200)
}

#[test]
fn header_leaves_out_totals_as_the_parameter_does() {
    let world = World::with_projects();
    let expected = world
        .as_user("dave")
        .get("/projects.json?nometa=1")
        .assert_status(200);
    assert!(expected.json().get("total_count").is_none());
    for name in ["X-Redmine-Nometa", "X-Service-Nometa"] {
        assert_eq!(
            projects_with_header(&world, name, "1").body,
            expected.body,
            "{name}"
        );
        assert!(
            projects_with_header(&world, name, "0").json()["total_count"].is_u64(),
            "{name}"
        );
    }
}
