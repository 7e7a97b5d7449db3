//! Filters and sorting of `GET /projects` (compatibility 8)

use super::{custom_field, make, world};
use quarry::domain::administration::custom_field::Customized;
use quarry_world::{MANAGER, World};
use serde_json::json;

fn listed(world: &World, login: &str, query: &str) -> Vec<String> {
    let response = world
        .as_user(login)
        .get(&format!("/projects.json?{query}"))
        .assert_status(200)
        .json();
    assert_eq!(
        response["total_count"].as_u64().unwrap() as usize,
        response["projects"].as_array().unwrap().len()
    );
    response["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| project["identifier"].as_str().unwrap().to_owned())
        .collect()
}

/// A world with two more projects: the public `zoo` below the private project, and `ark` with a
/// description.
fn zoo() -> World {
    let world = world();
    make(&world, "zoo", json!({"parent_id": 2}));
    make(
        &world,
        "ark",
        json!({"description": "Two of each Kind", "parent_id": 1}),
    );
    world
}

#[test]
fn every_filter_matches() {
    let world = zoo();
    for (query, found) in [
        ("name=zoo", vec!["zoo"]),
        ("name=zo", vec![]),
        ("name=~ZO", vec!["zoo"]),
        ("name=!~o", vec!["ark", "secret"]),
        ("name=^ar", vec!["ark"]),
        ("description=~kind%20two", vec!["ark"]),
        ("description=!*", vec!["open", "secret", "zoo"]),
        ("id=1|3", vec!["open", "zoo"]),
        ("id=!1", vec!["ark", "secret", "zoo"]),
        ("id=mine", vec!["open", "secret"]),
        ("id=bookmarks", vec![]),
        ("parent_id=1", vec!["ark"]),
        ("parent_id=!*", vec!["open", "secret"]),
        ("parent_id=*", vec!["ark", "zoo"]),
        ("is_public=0", vec!["secret"]),
        ("is_public=1", vec!["open", "ark", "zoo"]),
        (
            "created_on=2026-11-20",
            vec!["open", "ark", "secret", "zoo"],
        ),
        ("created_on=%3C=2026-11-19", vec![]),
        (
            "updated_on=%3E=2026-11-20",
            vec!["open", "ark", "secret", "zoo"],
        ),
        ("updated_on=%3C=2026-11-19", vec![]),
        ("f[]=name&op[name]=~&v[name][]=e", vec!["open", "secret"]),
        ("sort=name:desc", vec!["zoo", "secret", "open", "ark"]),
        ("sort=parent_id,name", vec!["open", "ark", "secret", "zoo"]),
        ("sort=id:desc", vec!["open", "ark", "secret", "zoo"]),
    ] {
        assert_eq!(listed(&world, "alice", query), found, "{query}");
    }
}

#[test]
fn hidden_parent_does_not_match() {
    let world = zoo();
    assert_eq!(listed(&world, "alice", "parent_id=2"), ["zoo"]);
    assert!(listed(&world, "dave", "parent_id=2").is_empty());
    assert_eq!(listed(&world, "dave", "parent_id=!*"), ["open", "zoo"]);
    assert_eq!(listed(&world, "dave", "parent_id=*"), ["ark"]);
    assert_eq!(listed(&world, "dave", "id=2"), Vec::<String>::new());
}

#[test]
fn custom_field_filters_require_visibility() {
    let world = world();
    let cost = custom_field(&world, Customized::Project, "Cost", |_| {});
    let plain = custom_field(&world, Customized::Project, "Plain", |field| {
        field.is_filter = false
    });
    let hidden = custom_field(&world, Customized::Project, "Hidden", |field| {
        field.visible = false
    });
    let limited = custom_field(&world, Customized::Project, "Limited", |field| {
        field.visible = false;
        field.roles.insert(MANAGER);
    });
    let values = json!({cost.to_string(): "CC-1", plain.to_string(): "x", hidden.to_string(): "x", limited.to_string(): "x"});
    make(&world, "a", json!({"custom_field_values": values}));
    let values = json!({"project": {"custom_field_values": {limited.to_string(): "x"}}});
    world
        .as_user("admin")
        .put("/projects/1.json", values)
        .assert_status(200);
    for (login, field, test, found) in [
        ("dave", cost, "CC-1", vec!["a"]),
        ("dave", cost, "~c-", vec!["a"]),
        ("dave", cost, "!*", vec!["open"]),
        ("dave", cost, "!CC-1", vec!["open"]),
        ("admin", hidden, "x", vec!["a"]),
        ("admin", limited, "x", vec!["a", "open"]),
        // She manages one project and sees no value of the other.
        ("alice", limited, "x", vec!["open"]),
        ("alice", limited, "!*", vec!["secret"]),
    ] {
        assert_eq!(
            listed(&world, login, &format!("cf_{field}={test}")),
            found,
            "{login} {field} {test}"
        );
    }
    for unknown in [plain, hidden, limited, 99] {
        assert_eq!(
            listed(&world, "dave", &format!("cf_{unknown}=y")),
            ["a", "open"],
            "{unknown}"
        );
        world
            .as_user("dave")
            .get(&format!("/projects.json?strict=1&cf_{unknown}=y"))
            .assert_status(422);
        let warning = world
            .as_user("dave")
            .get(&format!("/projects.json?cf_{unknown}=y"))
            .header("warning")
            .to_owned();
        assert!(warning.contains(&format!("cf_{unknown}")), "{warning}");
    }
}

#[test]
fn users_and_versions_in_custom_fields_are_filters() {
    let world = world();
    let lead = custom_field(&world, Customized::Project, "Lead", |_| {});
    let next = custom_field(&world, Customized::Project, "Next", |_| {});
    let city = custom_field(&world, Customized::User, "City", |_| {});
    world.sql(&format!(
        "UPDATE custom_fields SET field_format = 'user' WHERE id = {lead}; UPDATE custom_fields SET field_format = 'version' WHERE id = {next};
         INSERT INTO versions (id, project_id, name, status, sharing, created_on) VALUES
            (1, 1, 'one', 'open', 'none', 0), (2, 2, 'two', 'closed', 'none', 0);
         INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Project', 1, {lead}, '2'),
            ('Project', 2, {lead}, '6'), ('Project', 1, {next}, '2'), ('Project', 2, {next}, '2'), ('Principal', 2, {city}, 'Rome'),
            ('Principal', 6, {city}, 'Rome')"
    ));
    for (login, filter, found) in [
        (
            "admin",
            format!("cf_{lead}.cf_{city}=Rome"),
            vec!["open", "secret"],
        ),
        ("alice", format!("cf_{lead}.cf_{city}=Rome"), vec!["open"]),
        (
            "alice",
            format!("cf_{lead}.cf_{city}=!Rome"),
            vec!["secret"],
        ),
        (
            "alice",
            format!("cf_{next}.status=closed"),
            vec!["open", "secret"],
        ),
        (
            "alice",
            format!("cf_{next}.due_date=!*"),
            vec!["open", "secret"],
        ),
        ("carol", format!("cf_{next}.status=closed"), vec![]),
        ("carol", format!("cf_{next}.due_date=!*"), vec![]),
    ] {
        assert_eq!(
            listed(&world, login, &format!("{filter}&strict=1")),
            found,
            "{login} {filter}"
        );
    }
    world
        .as_user("alice")
        .get(&format!("/projects.json?cf_{lead}.status=open&strict=1"))
        .assert_status(422);
}

#[test]
fn saved_query_is_available_to_permitted_users() {
    let world = zoo();
    world.database()
        .run(
            "INSERT INTO queries (id, type, name, user_id, visibility, filters_json, sort_criteria_json) VALUES
             (1, 'ProjectQuery', 'all', 2, 2, '{\"name\":{\"operator\":\"~\",\"values\":[\"o\"]}}', '[[\"name\",\"desc\"]]'),
             (2, 'ProjectQuery', 'own', 2, 0, NULL, NULL), (3, 'IssueQuery', 'other', 2, 2, NULL, NULL)",
        );
    assert_eq!(listed(&world, "alice", "query_id=1"), ["zoo", "open"]);
    assert_eq!(
        listed(&world, "alice", "query_id=1&sort=name"),
        ["open", "zoo"]
    );
    assert_eq!(listed(&world, "alice", "query_id=2").len(), 4);
    for (login, query) in [
        ("dave", "2"),
        ("alice", "3"),
        ("alice", "99"),
        ("alice", "x"),
    ] {
        world
            .as_user(login)
            .get(&format!("/projects.json?query_id={query}"))
            .assert_status(404);
    }
}

#[test]
fn invalid_filters_are_reported() {
    let world = world();
    for (query, sentence) in [
        ("created_on=2026-02-30", "Created is invalid"),
        ("name=~", "Name cannot be blank"),
        ("is_public=", "Public cannot be blank"),
        ("f[]=name&op[name]=t", "Name is invalid"),
    ] {
        for path in ["/projects.json", "/projects.xml"] {
            assert_eq!(
                world
                    .as_user("dave")
                    .get(&format!("{path}?{query}"))
                    .assert_status(422)
                    .errors(),
                [sentence],
                "{query}"
            );
        }
    }
    world
        .as_user("dave")
        .get("/projects.json?name[a]=b")
        .assert_status(422);
    world
        .anonymous()
        .get("/projects.json?name=x")
        .assert_status(401);
}

#[test]
fn list_handles_thousands_of_projects() {
    let world = World::new();
    let now = world.app.clock.now();
    world.write(move |db| {
        for n in 0..5000 {
            let identifier = format!("p{n}");
            let project = quarry::domain::projects::project::Project {
                name: identifier.clone(),
                identifier,
                parent: (n > 100).then(|| (n / 2).into()),
                is_public: n % 2 == 0,
                inherit_members: true,
                created_on: now,
                updated_on: now,
                ..quarry::domain::projects::project::Project::default()
            };
            quarry::store::projects::insert(db, &project)?;
        }
        Ok(())
    });
    assert_eq!(
        (
            Some(world.as_user("dave").total_count("/projects.json")),
            Some(world.as_user("admin").total_count("/projects.json"))
        ),
        (Some(2500), Some(5000))
    );
    let start = std::time::Instant::now();
    for query in [
        "limit=100&offset=4900",
        "name=~99&sort=name:desc",
        "status=&include=trackers,enabled_modules",
    ] {
        world
            .as_user("admin")
            .get(&format!("/projects.json?{query}"))
            .assert_status(200);
    }
    // A full scan for each filter would take minutes.
    assert!(
        start.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
    println!("three lists of 5,000 projects: {:?}", start.elapsed());
}
