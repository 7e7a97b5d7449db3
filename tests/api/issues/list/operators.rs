//! What operators of filters match where there is no value, no word or no field (compatibility
//! 6.3).

use super::errors;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::content::watcher::Watcher;
use quarry::domain::ids::{IssueId, ProjectId, TrackerId};
use quarry::store::accounts::memberships;
use quarry::store::administration::custom_fields;
use quarry::store::content::watchers;
use quarry_world::{MANAGER, World, insert_group, user};
use serde_json::json;

/// Returns the ids of the matching issues in their order; asserts that the total fits.
#[track_caller]
fn ids(world: &World, login: &str, query: &str) -> Vec<i64> {
    let list = world
        .as_user(login)
        .get(&format!("/issues.json?sort=id&{query}"))
        .assert_status(200);
    let ids: Vec<i64> = list.integers("/issues", "id");
    assert_eq!(list.integer("/total_count"), ids.len() as i64, "{query}");
    ids
}

#[test]
fn texts_without_these_words() {
    let world = World::with_projects();
    for (subject, description) in [
        ("red green", json!("red")),
        ("red", json!("green")),
        ("green", json!("")),
        ("blue", json!(null)),
        ("blue too", json!("blue")),
    ] {
        world
            .issue("open")
            .subject(subject)
            .field("description", description)
            .create();
    }
    assert_eq!(
        ids(&world, "alice", "subject=!~red%20green"),
        [4, 5],
        "none of the words"
    );
    assert_eq!(
        ids(
            &world,
            "alice",
            "f[]=subject&op[subject]=!~&v[subject][]=green"
        ),
        [2, 4, 5]
    );
    assert_eq!(
        ids(&world, "alice", "description=!~red%20green"),
        [3, 5],
        "null has no text without them"
    );
    assert_eq!(
        ids(&world, "alice", "description=*"),
        [1, 2, 3, 5],
        "an empty text is one"
    );
    assert_eq!(ids(&world, "alice", "description=!*"), [3, 4]);
}

#[test]
fn custom_fields_without_value_match_where_there_is_the_field() {
    let world = World::with_projects();
    world.project("other").member("alice", MANAGER).create();
    let (word, hidden) = world.write(|db| {
        let mut field = CustomField::new(Customized::Issue, "Word", Format::Line);
        (field.trackers, field.is_for_all) = ([TrackerId(1)].into(), false);
        field.projects = [ProjectId(1)].into();
        let word = custom_fields::insert(db, &field)?.0;
        let mut field = CustomField::new(Customized::Issue, "Hidden", Format::Line);
        (field.trackers, field.visible, field.roles) =
            ([TrackerId(1), TrackerId(2)].into(), false, [MANAGER].into());
        Ok((word, custom_fields::insert(db, &field)?.0))
    });
    let value = |value: &str| json!({word.to_string(): value, hidden.to_string(): value});
    let new = |project: &str, tracker: i64, text: &str| {
        world
            .issue(project)
            .field("tracker_id", tracker)
            .field("custom_field_values", value(text))
            .create()
    };
    let with = new("open", 1, "red green");
    let without = new("open", 1, "");
    let other = new("open", 1, "blue");
    let of_tracker = new("open", 2, "red");
    let of_project = new("other", 1, "red");
    assert_eq!(ids(&world, "alice", &format!("cf_{word}=!*")), [without]);
    assert_eq!(ids(&world, "alice", &format!("cf_{word}=*")), [with, other]);
    assert_eq!(
        ids(&world, "alice", &format!("cf_{word}=!~red%20green")),
        [other],
        "without a value there is no text"
    );
    assert_eq!(
        ids(&world, "alice", &format!("cf_{word}=!blue")),
        [with, without, of_tracker, of_project]
    );
    // Who does not see the field anywhere cannot filter by it; who sees it in one project, only
    // there.
    assert_eq!(ids(&world, "alice", &format!("cf_{hidden}=!*")), [without]);
    world.write(|db| {
        memberships::insert(
            db,
            ProjectId(3),
            user("bob").into(),
            &[MANAGER],
            jiff::Timestamp::UNIX_EPOCH,
        )
    });
    assert_eq!(ids(&world, "bob", &format!("cf_{hidden}=!*")), [0_i64; 0]);
    assert_eq!(
        ids(&world, "bob", &format!("cf_{hidden}=!~blue")),
        [of_project]
    );
    world.sql(&format!(
        "INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Issue', {without}, {word}, '')"
    ));
    assert_eq!(
        ids(&world, "alice", &format!("cf_{word}=!~red")),
        [without, other],
        "a stored empty value is a text"
    );
}

fn by_description(world: &World, filter: &str) -> Vec<i64> {
    ids(world, "alice", &format!("attachment_description={filter}"))
}

#[test]
fn descriptions_of_files_need_a_file() {
    let world = World::with_projects();
    for _ in 0..4 {
        world.issue("open").create();
    }
    world.sql(
        "INSERT INTO attachments (container_kind, container_type, container_id, filename, description, author_id, created_on)
         VALUES (0, 'Issue', 2, 'a', '', 2, 0), (0, 'Issue', 3, 'b', 'red plan', 2, 0), (0, 'Issue', 4, 'c', 'blue plan', 2, 0),
                (0, 'Issue', 4, 'd', '', 2, 0)",
    );
    assert_eq!(by_description(&world, "*"), [3, 4]);
    assert_eq!(
        by_description(&world, "!*"),
        [2, 4],
        "a file without a description, not an issue without a file"
    );
    assert_eq!(by_description(&world, "!~red"), [4]);
    assert_eq!(by_description(&world, "~plan"), [3, 4]);
    assert_eq!(
        ids(&world, "alice", "attachment=!*"),
        [1],
        "of the names it is the issue"
    );
}

#[test]
fn viewers_watch_what_their_groups_watch() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let own = world.issue("open").create();
    let of_group = world.issue("open").create();
    let of_other = world.issue("open").create();
    let hidden = world.issue("secret").create();
    let group = world.write(move |db| {
        let group = insert_group(db, "Crew", &[user("carol"), user("bob")], now)?;
        let other = insert_group(db, "Others", &[user("dave")], now)?;
        for (issue, watcher) in [
            (own, user("carol").into()),
            (of_group, group),
            (of_other, other),
            (hidden, group),
        ] {
            watchers::insert(db, &Watcher::new(IssueId(issue), watcher))?;
        }
        Ok(group)
    });
    assert_eq!(ids(&world, "carol", "watcher_id=me"), [own, of_group]);
    assert_eq!(
        ids(&world, "carol", "watcher_id=4"),
        [own, of_group],
        "the own number is the same"
    );
    assert_eq!(ids(&world, "carol", "watcher_id=!me"), [of_other]);
    // Reporters do not see who else watches.
    assert_eq!(ids(&world, "carol", "watcher_id=3"), [0_i64; 0]);
    assert_eq!(ids(&world, "bob", "watcher_id=me"), [of_group]);
    assert_eq!(
        ids(&world, "alice", &format!("watcher_id={group}")),
        [of_group, hidden]
    );
    assert_eq!(
        ids(&world, "alice", "watcher_id=4"),
        [own],
        "of others the groups do not count"
    );
}

fn starting(world: &World, operator: &str) -> Vec<i64> {
    ids(world, "alice", &format!("start_date={operator}"))
}

#[test]
fn weeks_begin_by_setting_and_language() {
    let world = World::with_projects();
    // Today is Friday, 2026-11-20.
    for day in [
        "2026-11-14",
        "2026-11-15",
        "2026-11-16",
        "2026-11-21",
        "2026-11-22",
        "2026-11-23",
    ] {
        world.issue("open").field("start_date", day).create();
    }
    assert_eq!(
        (
            starting(&world, "w"),
            starting(&world, "lw"),
            starting(&world, "nw")
        ),
        (vec![2, 3, 4], vec![1], vec![5, 6]),
        "English weeks begin on Sunday"
    );
    world.sql("UPDATE users SET language = 'de' WHERE id = 2");
    assert_eq!(
        (
            starting(&world, "w"),
            starting(&world, "lw"),
            starting(&world, "nw")
        ),
        (vec![3, 4, 5], vec![1, 2], vec![6])
    );
    world.set(Setting::StartOfWeek, "6");
    assert_eq!(
        (
            starting(&world, "w"),
            starting(&world, "l2w"),
            starting(&world, "nw")
        ),
        (vec![1, 2, 3], vec![], vec![4, 5, 6])
    );
}

#[test]
fn blank_and_broken_values_are_named() {
    let world = World::with_projects();
    let issue = world.issue("open").field("done_ratio", 20).create();
    let part = world.issue("open").parent(issue).create();
    assert_eq!(
        errors(&world, "alice", "done_ratio=2.5"),
        ["% Done is invalid"]
    );
    assert_eq!(
        errors(&world, "alice", "priority_id=|5"),
        ["Priority cannot be blank"]
    );
    assert_eq!(
        errors(&world, "alice", "priority_id=!|5"),
        ["Priority cannot be blank"]
    );
    assert_eq!(
        ids(&world, "alice", &format!("parent_id=~{issue}.5")),
        [part]
    );
    assert_eq!(ids(&world, "alice", "child_id=~x"), [0_i64; 0]);
}

fn list_queries(world: &World, login: &str) -> Vec<(i64, bool)> {
    let queries = world
        .as_user(login)
        .get("/queries.json")
        .assert_status(200)
        .array("/queries");
    queries
        .iter()
        .map(|query| {
            (
                query["id"].as_i64().unwrap(),
                query["is_public"].as_bool().unwrap(),
            )
        })
        .collect::<Vec<_>>()
}

#[test]
fn administrators_may_use_the_queries_of_others() {
    let world = World::with_projects();
    for subject in ["chosen", "other"] {
        world.issue("open").subject(subject).create();
    }
    world.sql(
        r#"INSERT INTO queries (id, type, name, user_id, visibility, filters_json)
           VALUES (1, 'IssueQuery', 'of alice', 2, 0, '{"subject": {"operator": "=", "values": ["chosen"]}}'),
                  (2, 'IssueQuery', 'of reporters', 2, 1, '{"subject": {"operator": "=", "values": ["other"]}}');
           INSERT INTO queries_roles (query_id, role_id) VALUES (2, 5)"#,
    );
    for login in ["alice", "admin"] {
        assert_eq!(ids(&world, login, "query_id=1"), [1], "{login}");
    }
    for login in ["bob", "carol"] {
        world
            .as_user(login)
            .get("/issues.json?query_id=1")
            .assert_status(404);
    }
    assert_eq!(list_queries(&world, "alice"), [(1, false), (2, true)]);
    assert_eq!(
        list_queries(&world, "carol"),
        [(2, true)],
        "a query for roles is public"
    );
    assert_eq!(
        list_queries(&world, "admin"),
        [(2, true)],
        "private queries of others are not listed"
    );
    assert_eq!(list_queries(&world, "bob"), [(0, false); 0]);
}

fn sorted(world: &World, query: &str) -> Vec<i64> {
    let list = world
        .as_user("alice")
        .get(&format!("/issues.json?{query}"))
        .assert_status(200);
    assert_eq!(list.header("warning"), "");
    list.integers("/issues", "id")
}

#[test]
fn groups_lead_the_order() {
    let world = World::with_projects();
    for (priority, tracker) in [(1, 2), (3, 1), (1, 1), (3, 2)] {
        world
            .issue("open")
            .field("priority_id", priority)
            .field("tracker_id", tracker)
            .create();
    }
    assert_eq!(sorted(&world, "group_by=tracker"), [3, 2, 4, 1]);
    assert_eq!(sorted(&world, "group_by=tracker&sort=id"), [2, 3, 1, 4]);
    assert_eq!(
        sorted(&world, "group_by=priority&sort=id"),
        [2, 4, 1, 3],
        "the highest first"
    );
    assert_eq!(
        sorted(&world, "group_by=priority&sort=id,priority"),
        [1, 3, 2, 4]
    );
    assert_eq!(sorted(&world, "group_by=nonsense&sort=id"), [1, 2, 3, 4]);
}

fn sort_by_hours(world: &World, login: &str) -> Vec<i64> {
    world
        .as_user(login)
        .get("/issues.json?sort=total_spent_hours,id")
        .assert_status(200)
        .integers("/issues", "id")
}

#[test]
fn total_spent_hours_are_sortable() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 4");
    let top = world.issue("open").create();
    let other = world.issue("open").create();
    let part = world.issue("open").parent(top).private().create();
    for (issue, hours) in [(other, 2), (part, 3)] {
        let body = json!({"time_entry": {"issue_id": issue, "hours": hours, "activity_id": 8}});
        world
            .as_user("alice")
            .post("/time_entries.json", body)
            .assert_status(201);
    }
    assert_eq!(sort_by_hours(&world, "alice"), [other, top, part]);
    assert_eq!(
        sort_by_hours(&world, "bob"),
        [other, top],
        "with the hours of a hidden subtask"
    );
}
