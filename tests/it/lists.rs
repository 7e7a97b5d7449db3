//! Small lists: trackers, statuses, enumerations, roles, queries, news, users and groups; and one's own account (contract 9).

use crate::world::{MANAGER, World, user};
use quarry::store::news::{self, NewNews};
use quarry::store::users;
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
fn everybody_who_is_logged_in_reads_the_lists_in_both_formats() {
    let world = World::new();
    for path in FOR_ALL {
        let root = path.rsplit('/').next().unwrap();
        assert!(world.as_user("dave").get(&format!("{path}.json")).expect(200).json()[root].is_array(), "{path}");
        let xml = world.as_user("dave").get(&format!("{path}.xml")).expect(200).body;
        assert!(xml.contains(&format!("<{root}")), "{xml}");
        let _ = world.anonymous().get(&format!("{path}.json")).expect(401);
    }
    let _ = world.as_user("dave").get("/enumerations/colours.json").expect(404);
    let status = world.as_user("dave").get("/issue_statuses.json").expect(200).json()["issue_statuses"][0].clone();
    assert_eq!(status, json!({"id": 1, "name": "New", "is_closed": false}));
}

#[test]
fn a_role_says_what_it_allows() {
    let world = World::new();
    let role = world.as_user("dave").get("/roles/3.json").expect(200).json()["role"].clone();
    assert_eq!((role["name"].as_str(), role["issues_visibility"].as_str()), (Some("Manager"), Some("all")));
    assert!(role["permissions"].as_array().unwrap().contains(&json!("edit_project")));
    let _ = world.as_user("dave").get("/roles/99.json").expect(404);
}

#[test]
fn news_is_for_those_who_may_see_it() {
    let world = World::new();
    let open = world.project("open", true, &[("alice", MANAGER)]);
    let secret = world.project("secret", false, &[("alice", MANAGER)]);
    let now = world.app.clock.now();
    world.write(move |db| {
        for (project, title) in [(open, "Open"), (secret, "Secret")] {
            let (author, summary, description) = (user("alice"), "", "text");
            news::insert(db, &NewNews { project, author, title, summary, description, created_on: now })?;
        }
        Ok(())
    });
    let titles = |login: &str, path: &str| {
        let answer = world.as_user(login).get(path).expect(200).json();
        let titles: Vec<String> =
            answer["news"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect();
        (answer["total_count"].as_i64().unwrap(), titles)
    };
    assert_eq!(titles("alice", "/news.json"), (2, vec!["Secret".to_owned(), "Open".to_owned()]));
    assert_eq!(titles("dave", "/news.json"), (1, vec!["Open".to_owned()]));
    assert_eq!(titles("alice", "/projects/secret/news.json?offset=5"), (1, Vec::new()));
    let _ = world.as_user("dave").get("/projects/secret/news.json").expect(403);
    let _ = world.as_user("dave").get("/news/2.json").expect(403);
    let _ = world.as_user("dave").get("/news/99.json").expect(404);
    let item = world.as_user("dave").get("/news/1.json?include=comments,attachments").expect(200).json()["news"].clone();
    assert_eq!((item["comments"].clone(), item["attachments"].clone()), (json!([]), json!([])));
}

#[test]
fn users_and_groups_are_for_administrators() {
    let world = World::new();
    let now = world.app.clock.now();
    let group = world.write(move |db| users::insert_group(db, None, "Quality", &[user("bob")], now));
    for path in ["/custom_fields.json".to_owned(), "/users.json".to_owned(), "/groups.json".to_owned(), format!("/groups/{group}.json")] {
        let _ = world.as_user("alice").get(&path).expect(403);
        let _ = world.anonymous().get(&path).expect(401);
    }
    assert!(world.as_user("admin").get("/custom_fields.xml").expect(200).body.ends_with("<custom_fields type=\"array\"></custom_fields>"));
    let logins = |query: &str| {
        let answer = world.as_user("admin").get(&format!("/users.json?{query}")).expect(200).json();
        answer["users"].as_array().unwrap().iter().map(|user| user["login"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(logins(""), ["admin", "alice", "bob", "carol", "dave"]);
    assert_eq!(logins("status=3"), ["erin"]);
    assert_eq!(logins(&format!("group_id={group}")), ["bob"]);
    assert_eq!(logins("name=CAR"), ["carol"]);
    assert_eq!(logins("limit=1&offset=1"), ["alice"]);
    let shown = world.as_user("admin").get(&format!("/groups/{group}.json?include=users")).expect(200).json()["group"].clone();
    assert_eq!(shown["users"], json!([{"id": 3, "name": "bob Tester"}]));
    let seen = world.as_user("alice").get("/users/3.json").expect(200).json()["user"].clone();
    assert!(seen.get("api_key").is_none() && seen.get("admin").is_none() && seen.get("mail").is_none(), "{seen}");
    let _ = world.as_user("alice").get("/users/6.json").expect(404);
    let _ = world.as_user("admin").get("/users/6.json").expect(200);
    let _ = world.as_user("admin").get("/users/99.json").expect(404);
}

#[test]
fn ones_own_account_is_read_and_changed() {
    let world = World::new();
    let put = |body: &str| world.as_user("alice").put("/my/account.json", body);
    let changed = put(r#"{"user":{"firstname":"Alicia","mail":"alicia@example.net","admin":true,"login":"root"}}"#).expect(200);
    let user = changed.json()["user"].clone();
    assert_eq!((user["firstname"].as_str(), user["mail"].as_str()), (Some("Alicia"), Some("alicia@example.net")));
    assert_eq!((user["admin"].as_bool(), user["login"].as_str()), (Some(false), Some("alice")));
    let errors = put(r#"{"user":{"firstname":"","mail":"nowhere"}}"#).expect(422).errors();
    assert_eq!(errors, ["Email is invalid", "First name cannot be blank"]);
    let taken = world.as_user("bob").put("/my/account.json", r#"{"user":{"mail":"Alicia@example.net"}}"#).expect(422).errors();
    assert_eq!(taken, ["Email has already been taken"]);
    let _ = world.anonymous().get("/my/account.json").expect(401);
    assert!(world.as_user("alice").get("/my/account.xml").expect(200).body.contains("<firstname>Alicia</firstname>"));
}
