//! Names of users in the format of the setting `user_format`, and their pictures (compatibility
//! 11.1).

use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::pictures;
use quarry_world::{Client, MANAGER, World, user};
use serde_json::json;

/// A world with the users Zoe Adams (alice) and Adam Young (bob), and an issue of each.
fn world() -> World {
    let world = World::new();
    world.sql(
        "UPDATE users SET firstname = 'Zoe', lastname = 'Adams' WHERE id = 2;
         UPDATE users SET firstname = 'Adam', lastname = 'Young' WHERE id = 3;",
    );
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", MANAGER)
        .create();
    world
        .issue("open")
        .subject("telescope of Zoe")
        .field("assigned_to_id", 3)
        .create();
    world
        .issue("open")
        .author("bob")
        .subject("telescope of Adam")
        .field("assigned_to_id", 2)
        .create();
    world
}

#[test]
fn every_response_has_the_names_in_the_format_of_the_setting() {
    let world = world();
    let alice = world.as_user("alice");
    let body = json!({"time_entry": {"issue_id": 1, "hours": 1, "activity_id": 8}});
    alice.post("/time_entries.json", body).assert_status(201);
    for (format, name) in [
        ("firstname_lastname", "Zoe Adams"),
        ("lastname_comma_firstname", "Adams, Zoe"),
        ("username", "alice"),
    ] {
        world.set(Setting::UserFormat, format);
        let issue = alice
            .get("/issues/1.json?include=watchers,journals")
            .assert_status(200)
            .json();
        assert_eq!(issue["issue"]["author"], json!({"id": 2, "name": name}));
        let xml = alice.get("/issues/1.xml").assert_status(200).body;
        assert!(
            xml.contains(&format!("<author id=\"2\" name=\"{name}\"/>")),
            "{xml}"
        );
        let time = alice.get("/time_entries.json").assert_status(200);
        assert_eq!(
            time.json_path("/time_entries/0/user"),
            json!({"id": 2, "name": name})
        );
        // Search names people in facets, and finds them by either name.
        let found = alice
            .get("/search.json?q=telescope&facets=author")
            .assert_status(200)
            .json();
        assert!(
            found.to_string().contains(&format!("\"{name}\"")),
            "{found}"
        );
        for author in [name, "zoe adams", "alice"] {
            let query = format!(
                "/search.json?q=telescope+author:%22{}%22",
                author.replace(' ', "%20")
            );
            let found = alice.get(&query).assert_status(200).json();
            assert_eq!(
                (&found["total_count"], &found["results"][0]["id"]),
                (&json!(1), &json!(1)),
                "{author}: {found}"
            );
        }
        let page = alice
            .clone()
            .with("Accept", "text/html")
            .get("/issues/1")
            .assert_status(200)
            .body;
        assert!(page.contains(name), "{page}");
        let user = alice
            .get("/users/2.json")
            .assert_status(200)
            .json_path("/user");
        assert_eq!(
            (&user["firstname"], &user["lastname"]),
            (&json!("Zoe"), &json!("Adams"))
        );
    }
}

fn ids(alice: &Client<'_>, path: &str, list: &str) -> Vec<i64> {
    alice.get(path).assert_status(200).integers(list, "id")
}

#[test]
fn lists_are_sorted_by_the_parts_of_the_name() {
    let world = world();
    let alice = world.as_user("alice");
    for issue in [1, 2] {
        alice
            .put(
                &format!("/issues/{issue}.json"),
                json!({"issue": {"notes": "note"}}),
            )
            .assert_status(200);
    }
    world
        .as_user("bob")
        .put("/issues/1.json", json!({"issue": {"notes": "later"}}))
        .assert_status(200);
    for (user, hours) in [("alice", 1), ("bob", 2)] {
        let body = json!({"time_entry": {"issue_id": 1, "hours": hours, "activity_id": 8}});
        world
            .as_user(user)
            .post("/time_entries.json", body)
            .assert_status(201);
    }
    // Adam before Zoe, and Adams before Young.
    for (format, first) in [
        ("firstname_lastname", "Adam"),
        ("lastname_firstname", "Zoe"),
        ("lastname", "Zoe"),
        ("username", "Zoe"),
    ] {
        world.set(Setting::UserFormat, format);
        let is_zoe = first == "Zoe";
        let order =
            |zoe_first: [i64; 2], adam_first: [i64; 2]| if is_zoe { zoe_first } else { adam_first };
        assert_eq!(
            ids(&alice, "/issues.json?sort=author", "/issues"),
            order([1, 2], [2, 1]),
            "{format}"
        );
        assert_eq!(
            ids(&alice, "/issues.json?sort=author:desc", "/issues"),
            order([2, 1], [1, 2]),
            "{format}"
        );
        assert_eq!(
            ids(&alice, "/issues.json?sort=assigned_to", "/issues"),
            order([2, 1], [1, 2]),
            "{format}"
        );
        assert_eq!(
            ids(&alice, "/issues.json?sort=last_updated_by", "/issues"),
            order([2, 1], [1, 2]),
            "{format}"
        );
        assert_eq!(
            ids(&alice, "/time_entries.json?sort=user", "/time_entries"),
            order([1, 2], [2, 1]),
            "{format}"
        );
    }
    // Users with the same name do not mix.
    world.sql("UPDATE users SET firstname = 'Kim', lastname = 'Lee' WHERE id IN (2, 3)");
    world.set(Setting::UserFormat, "firstname_lastname");
    let third = world.issue("open").author("alice").create();
    assert_eq!(
        ids(&alice, "/issues.json?sort=author", "/issues"),
        [third, 1, 2]
    );
    assert_eq!(
        ids(&alice, "/issues.json?sort=author:desc", "/issues"),
        [2, third, 1]
    );
}

fn picture(world: &World, login: &str) -> Option<String> {
    let user = world
        .as_user(login)
        .get("/users/2.json")
        .assert_status(200)
        .json_path("/user");
    user.get("avatar_url")
        .and_then(|url| url.as_str().map(str::to_owned))
}

#[test]
fn picture_is_named_to_those_who_see_the_mail_address() {
    let world = World::new();
    world.sql("UPDATE users SET mail = 'alice@example.net', hides_mail = 1 WHERE id = 2");
    assert_eq!(picture(&world, "admin"), None, "the setting is off");
    world.set(Setting::GravatarEnabled, "1");
    world.set(Setting::GravatarDefault, "identicon");
    let url = "https://www.gravatar.com/avatar/45da67db8d78a92d35f0f5f194328b94?default=identicon";
    assert_eq!(
        [
            picture(&world, "admin").as_deref(),
            picture(&world, "alice").as_deref(),
            picture(&world, "bob").as_deref()
        ],
        [Some(url), Some(url), None]
    );
    let xml = world
        .as_user("alice")
        .get("/users/current.xml")
        .assert_status(200)
        .body;
    assert!(
        xml.contains(&format!(
            "</passwd_changed_on><avatar_url>{url}</avatar_url><twofa_scheme/>"
        )),
        "{xml}"
    );
    world.sql("UPDATE users SET hides_mail = 0 WHERE id = 2");
    assert_eq!(picture(&world, "bob").as_deref(), Some(url));
    world.sql("UPDATE users SET mail = '' WHERE id = 2");
    assert_eq!(picture(&world, "admin"), None, "without an address");
}

#[test]
fn uploaded_picture_is_named_to_those_who_see_the_user() {
    let world = World::new();
    world.sql("UPDATE users SET mail = 'alice@example.net', hides_mail = 1 WHERE id = 2");
    world.set(Setting::GravatarEnabled, "1");
    world.write(|db| pictures::set(db, user("alice"), "00ff", b"picture"));
    let url = "http://quarry.test/users/2/picture?v=00ff";
    for login in ["admin", "alice", "bob"] {
        assert_eq!(picture(&world, login).as_deref(), Some(url), "{login}");
    }
    let path = url.strip_prefix("http://quarry.test").unwrap();
    let bob = world.as_user("bob");
    bob.get(path).assert_status(200).assert_contains("picture");
    world.set(Setting::GravatarEnabled, "0");
    let listed = world.as_user("admin").get("/users.json?name=alice");
    listed.assert_json_path("/users/0/avatar_url", url);
}
