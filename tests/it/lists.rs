//! Short lists: trackers, statuses, enumerations, roles, queries, news, users and groups; and the
//! viewer's own account (compatibility 11).

use crate::world::{MANAGER, World, insert_group, user};
use quarry::domain::news::News;
use quarry::store::news;
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

#[test]
fn news_is_listed_for_users_who_may_view_it() {
    let world = World::new();
    let open = world.project("open").member("alice", MANAGER).create();
    let secret = world
        .project("secret")
        .private()
        .member("alice", MANAGER)
        .create();
    let now = world.app.clock.now();
    world.write(move |db| {
        for (project, title) in [(open, "Open"), (secret, "Secret")] {
            let author = user("alice");
            news::insert(
                db,
                &News {
                    project,
                    author,
                    title: title.to_owned(),
                    summary: Some(String::new()),
                    description: "text".to_owned(),
                    created_on: now,
                    ..News::default()
                },
            )?;
        }
        Ok(())
    });
    let titles = |login: &str, path: &str| {
        let response = world.as_user(login).get(path).assert_status(200).json();
        let titles: Vec<String> = response["news"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["title"].as_str().unwrap().to_owned())
            .collect();
        (response["total_count"].as_i64().unwrap(), titles)
    };
    assert_eq!(
        titles("alice", "/news.json"),
        (2, vec!["Secret".to_owned(), "Open".to_owned()])
    );
    assert_eq!(titles("dave", "/news.json"), (1, vec!["Open".to_owned()]));
    assert_eq!(
        titles("alice", "/projects/secret/news.json?offset=5"),
        (1, Vec::new())
    );
    world
        .as_user("dave")
        .get("/projects/secret/news.json")
        .assert_status(403);
    world.as_user("dave").get("/news/2.json").assert_status(403);
    world
        .as_user("dave")
        .get("/news/99.json")
        .assert_status(404);
    let item = world
        .as_user("dave")
        .get("/news/1.json?include=comments,attachments")
        .assert_status(200)
        .json_path("/news");
    assert_eq!(
        (item["comments"].clone(), item["attachments"].clone()),
        (json!([]), json!([]))
    );
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
    let logins = |query: &str| {
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
    };
    assert_eq!(logins(""), ["admin", "alice", "bob", "carol", "dave"]);
    assert_eq!(logins("status=3"), ["erin"]);
    assert_eq!(logins(&format!("group_id={group}")), ["bob"]);
    assert_eq!(logins("name=CAR"), ["carol"]);
    assert_eq!(logins("limit=1&offset=1"), ["alice"]);
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
        quarry::store::memberships::insert(db, open, group, &[MANAGER], now)?;
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
fn news_of_a_project_leaves_out_that_of_its_subprojects() {
    let world = World::new();
    let top = world.project("top").member("alice", MANAGER).create();
    let below = world.project("below").create();
    let hidden = world
        .project("hidden")
        .private()
        .member("alice", MANAGER)
        .create();
    world.sql(&format!(
        "UPDATE projects SET parent_id = {top} WHERE id IN ({below}, {hidden})"
    ));
    let now = world.app.clock.now();
    world.write(move |db| {
        for (project, title) in [(top, "Top"), (below, "Below"), (hidden, "Hidden")] {
            let author = user("alice");
            news::insert(
                db,
                &News {
                    project,
                    author,
                    title: title.to_owned(),
                    summary: Some(String::new()),
                    description: "text".to_owned(),
                    created_on: now,
                    ..News::default()
                },
            )?;
        }
        Ok(())
    });
    let titles = |login: &str, path: &str| {
        let list = world.as_user(login).get(path).assert_status(200);
        let titles = list
            .array("/news")
            .iter()
            .map(|item| item["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>();
        assert_eq!(list.integer("/total_count"), titles.len() as i64);
        titles
    };
    for login in ["admin", "alice", "dave"] {
        assert_eq!(titles(login, "/projects/top/news.json"), ["Top"], "{login}");
        assert_eq!(
            titles(login, "/news.json?project_id=top"),
            ["Top"],
            "{login}"
        );
        assert_eq!(
            titles(login, "/news.json?project_id=2"),
            ["Below"],
            "{login}"
        );
    }
    assert_eq!(titles("alice", "/news.json"), ["Hidden", "Below", "Top"]);
    assert_eq!(
        titles("alice", "/news.json?project_id=hidden&limit=1"),
        ["Hidden"]
    );
    let status = |login: &str, project: &str| {
        world
            .as_user(login)
            .get(&format!("/news.xml?project_id={project}"))
            .status
    };
    assert_eq!(
        [
            status("dave", "hidden"),
            status("dave", "99"),
            status("dave", "")
        ],
        [403, 404, 422]
    );
    world
        .anonymous()
        .get("/news.json?project_id=top")
        .assert_status(401);
    let page = crate::web::browser::Browser::logged_in(&world, "alice")
        .get("/projects/top/news")
        .assert_status(200);
    assert!(
        page.body.contains("Top") && !page.body.contains("Below") && !page.body.contains("Hidden"),
        "{}",
        page.body
    );
}

#[test]
fn user_reads_and_updates_own_account() {
    let world = World::new();
    let put = |body: &str| world.as_user("alice").put("/my/account.json", body);
    let changed = put(r#"{"user":{"firstname":"Alicia","mail":"alicia@example.net","admin":true,"login":"root"}}"#).assert_status(200);
    let user = changed.json_path("/user");
    assert_eq!(user["firstname"], "Alicia");
    assert_eq!(user["mail"], "alicia@example.net");
    assert_eq!(user["admin"], false);
    assert_eq!(user["login"], "alice");
    let errors = put(r#"{"user":{"firstname":"","mail":"nowhere"}}"#)
        .assert_status(422)
        .errors();
    assert_eq!(errors, ["Email is invalid", "First name cannot be blank"]);
    let taken = world
        .as_user("bob")
        .put(
            "/my/account.json",
            json!({"user": {"mail": "Alicia@example.net"}}),
        )
        .assert_status(422)
        .errors();
    assert_eq!(taken, ["Email has already been taken"]);
    world.anonymous().get("/my/account.json").assert_status(401);
    assert!(
        world
            .as_user("alice")
            .get("/my/account.xml")
            .assert_status(200)
            .body
            .contains("<firstname>Alicia</firstname>")
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

#[test]
fn header_leaves_out_totals_as_the_parameter_does() {
    let world = World::with_projects();
    let expected = world
        .as_user("dave")
        .get("/projects.json?nometa=1")
        .assert_status(200);
    assert!(expected.json().get("total_count").is_none());
    for name in ["X-Redmine-Nometa", "X-Service-Nometa"] {
        let list = |value: &str| {
            world
                .as_user("dave")
                .with(name, value)
                .get("/projects.json")
                .assert_status(200)
        };
        assert_eq!(list("1").body, expected.body, "{name}");
        assert!(list("0").json()["total_count"].is_u64(), "{name}");
    }
}
