//! What a change of an issue takes along: notes without permission, trackers, assignees, watchers,
//! parents (compatibility 6.4 to 6.6).

use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::domain::ids::{PrincipalId, ProjectId, TrackerId, UserId};
use quarry::store::administration::custom_fields;
use quarry_world::{MANAGER, World, insert_category, insert_group, insert_version, user};
use serde_json::{Value, json};

fn show(world: &World, id: i64) -> Value {
    world
        .as_user("admin")
        .get(&format!(
            "/issues/{id}.json?include=journals,relations,watchers"
        ))
        .assert_status(200)
        .json_path("/issue")
}

fn update(world: &World, login: &str, id: i64, fields: Value) -> Value {
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), json!({"issue": fields}))
        .assert_status(200)
        .json_path("/issue")
}

/// Inserts a custom field of issues that trackers 1 and 2 have, unless `edit` changes that, and
/// returns its id.
fn field(
    world: &World,
    name: &'static str,
    format: Format,
    edit: impl FnOnce(&mut CustomField) + Send + 'static,
) -> i64 {
    world
        .write(move |db| {
            let mut field = CustomField::new(Customized::Issue, name, format);
            field.trackers = [1, 2].map(TrackerId).into();
            edit(&mut field);
            custom_fields::insert(db, &field)
        })
        .0
}

#[test]
fn notes_need_a_permission_of_their_own() {
    let world = World::with_projects();
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'add_issue_notes'");
    let id = world.issue("open").create();
    let fields = json!({"notes": "marzipan", "subject": "Edited"});
    assert_eq!(update(&world, "bob", id, fields)["subject"], "Edited");
    let too_long = "x".repeat(2_000_000);
    world.set(Setting::TextMaxLength, "1000");
    update(&world, "bob", id, json!({"notes": &too_long[..500_000]}));
    assert_eq!(
        show(&world, id)["journals"].as_array().unwrap().len(),
        1,
        "a note that is ignored makes no entry"
    );
    assert_eq!(show(&world, id)["journals"][0]["notes"], "");
    world
        .as_user("alice")
        .get("/search.json?q=marzipan")
        .assert_status(200)
        .assert_json_path("/total_count", 0);
    // Without any permission to write, it is an error.
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'edit_issues'");
    world
        .as_user("bob")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"notes": "x"}}),
        )
        .assert_status(403);
}

fn change_errors(world: &World, id: i64, field: i64, value: &str) -> Vec<String> {
    let body = json!({"issue": {"custom_field_values": {field.to_string(): value}}});
    world
        .as_user("alice")
        .put(&format!("/issues/{id}.json"), body)
        .assert_status(422)
        .errors()
}

#[test]
fn stored_choices_stay_valid_until_they_are_changed() {
    let world = World::with_projects();
    let reviewer = field(&world, "Reviewer", Format::User, |field| {
        field.required = true
    });
    let release = field(&world, "Release", Format::Version, |_| {});
    let note = field(&world, "Note", Format::Line, |_| {});
    let now = world.app.clock.now();
    let version = world
        .write(move |db| insert_version(db, ProjectId(1), "1.0", now))
        .0;
    let id = world
        .issue("open")
        .field(
            "custom_field_values",
            json!({reviewer.to_string(): "4", release.to_string(): version}),
        )
        .create();
    world.sql("UPDATE users SET status = 3 WHERE id = 4");
    world.sql(&format!(
        "UPDATE versions SET project_id = 2 WHERE id = {version}"
    ));
    update(&world, "alice", id, json!({"subject": "Other"}));
    update(
        &world,
        "alice",
        id,
        json!({"custom_field_values": {note.to_string(): "n"}}),
    );
    // Also where everything is validated again.
    update(&world, "alice", id, json!({"tracker_id": 2}));
    update(
        &world,
        "alice",
        id,
        json!({"custom_field_values": {reviewer.to_string(): "4", release.to_string(): version.to_string()}}),
    );
    assert_eq!(
        change_errors(&world, id, reviewer, "6"),
        ["Reviewer is not included in the list"]
    );
    assert_eq!(
        change_errors(&world, id, reviewer, ""),
        ["Reviewer cannot be blank"]
    );
    assert_eq!(
        change_errors(&world, id, release, "99"),
        ["Release is not included in the list"]
    );
}

#[test]
fn new_tracker_brings_the_defaults_of_its_fields() {
    let world = World::with_projects();
    let level = field(&world, "Level", Format::Line, |field| {
        field.default = Some("low".to_owned());
        field.trackers = [TrackerId(2)].into();
    });
    let id = world.issue("open").field("tracker_id", 1).create();
    let issue = update(&world, "alice", id, json!({"tracker_id": 2}));
    assert_eq!(
        issue["custom_fields"],
        json!([{"id": level, "name": "Level", "value": "low"}])
    );
    let details = show(&world, id)["journals"][0]["details"].clone();
    let default =
        json!({"property": "cf", "name": level.to_string(), "old_value": null, "new_value": "low"});
    assert!(details.as_array().unwrap().contains(&default), "{details}");
    let id = world.issue("open").field("tracker_id", 1).create();
    let issue = update(
        &world,
        "alice",
        id,
        json!({"tracker_id": 2, "custom_field_values": {level.to_string(): "high"}}),
    );
    assert_eq!(
        issue["custom_fields"][0]["value"], "high",
        "a requested value is used instead"
    );
}

#[test]
fn new_tracker_clears_the_fields_that_it_has_disabled() {
    let world = World::with_projects();
    // Bits of assignee, parent, start date, estimated time, done ratio, description.
    world.sql("UPDATE trackers SET fields_bits = 1 + 8 + 16 + 64 + 128 + 256 WHERE id = 2");
    let parent = world.issue("open").create();
    let new = || {
        world
            .issue("open")
            .field("tracker_id", 1)
            .field("assigned_to_id", 3)
            .description("text")
            .parent(parent)
    };
    let id = new()
        .field("done_ratio", 40)
        .field("estimated_hours", 8)
        .field("due_date", "2030-01-01")
        .create();
    let issue = update(
        &world,
        "alice",
        id,
        json!({"tracker_id": 2, "done_ratio": 70}),
    );
    assert_eq!(
        (&issue["done_ratio"], &issue["estimated_hours"]),
        (&json!(0), &Value::Null),
        "{issue}"
    );
    assert_eq!(
        (&issue["start_date"], &issue["description"]),
        (&Value::Null, &Value::Null),
        "{issue}"
    );
    assert!(
        issue.get("assigned_to").is_none() && issue.get("parent").is_none(),
        "{issue}"
    );
    assert_eq!(issue["due_date"], "2030-01-01");
    let details = show(&world, id)["journals"][0]["details"].clone();
    let cleared = json!({"property": "attr", "name": "estimated_hours", "old_value": "8.0", "new_value": null});
    assert!(details.as_array().unwrap().contains(&cleared), "{details}");
    let created = world.issue("open").field("tracker_id", 2).create();
    assert_eq!(
        show(&world, created)["start_date"],
        Value::Null,
        "a new issue has no default there either"
    );
}

#[test]
fn versions_of_archived_projects_are_not_shared() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let version = world
        .write(move |db| insert_version(db, ProjectId(2), "1.0", now))
        .0;
    world.sql(&format!(
        "UPDATE versions SET sharing = 'system' WHERE id = {version}"
    ));
    let body =
        json!({"issue": {"project_id": "open", "subject": "x", "fixed_version_id": version}});
    let id = world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(201)
        .integer("/issue/id");
    world.sql("UPDATE projects SET status = 9 WHERE id = 2");
    let rejected = ["Target version is not included in the list"];
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&rejected);
    assert_eq!(
        update(&world, "alice", id, json!({"subject": "y"}))["subject"],
        "y",
        "an unchanged version is not validated"
    );
}

#[test]
fn blank_assignee_of_a_new_issue_is_the_default_one() {
    let world = World::with_projects();
    let pump = world
        .write(|db| insert_category(db, ProjectId(1), "Pump", Some(user("bob").into())))
        .0;
    for blank in [json!(""), json!(null)] {
        let id = world
            .issue("open")
            .field("category_id", pump)
            .field("assigned_to_id", blank)
            .create();
        assert_eq!(show(&world, id)["assigned_to"]["id"], 3);
        assert!(
            update(&world, "alice", id, json!({"assigned_to_id": ""}))
                .get("assigned_to")
                .is_none(),
            "an update removes it"
        );
    }
    // A default that is not possible is an error: it is not silently left out.
    let body = json!({"issue": {"project_id": "open", "subject": "x", "category_id": pump}});
    world.sql("UPDATE users SET status = 3 WHERE id = 3");
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&["Assignee is invalid"]);
    world.sql("UPDATE projects SET default_assigned_to_id = 5 WHERE id = 1");
    let body = json!({"issue": {"project_id": "open", "subject": "x"}});
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&["Assignee is invalid"]);
}

#[test]
fn duplicates_of_a_reopened_issue_close_with_it() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let duplicate = world.issue("open").create();
    let body = json!({"relation": {"issue_to_id": issue, "relation_type": "duplicates"}});
    world
        .as_user("alice")
        .post(&format!("/issues/{duplicate}/relations.json"), &body)
        .assert_status(201);
    // As it was imported: a time of closing on open issues.
    for id in [issue, duplicate] {
        world.edit(id, |issue| issue.closed_on = Some(issue.created_on));
    }
    update(&world, "alice", issue, json!({"status_id": 5}));
    assert_eq!(show(&world, duplicate)["status"]["id"], 5);
}

fn watches(world: &World, id: i64) -> bool {
    show(world, id)["watchers"]
        .as_array()
        .unwrap()
        .iter()
        .any(|watcher| watcher["id"] == 2)
}

#[test]
fn every_entry_in_a_history_makes_its_author_watch() {
    let world = World::with_projects();
    let parent = world.issue("open").author("admin").create();
    let duplicate = world.issue("open").author("admin").create();
    let issue = world.issue("open").author("admin").create();
    world.write(|db| {
        quarry::store::accounts::users::update_preferences(
            db,
            UserId(1),
            quarry::domain::accounts::preferences::Preferences {
                watches_contributions: false,
                ..Default::default()
            },
        )
    });
    update(&world, "alice", issue, json!({"parent_issue_id": parent}));
    assert!(watches(&world, parent), "a child was added");
    let body = json!({"relation": {"issue_to_id": issue, "relation_type": "duplicates"}});
    world
        .as_user("admin")
        .post(&format!("/issues/{duplicate}/relations.json"), &body)
        .assert_status(201);
    assert!(!watches(&world, duplicate));
    update(&world, "alice", issue, json!({"status_id": 5}));
    assert!(watches(&world, duplicate), "it was closed as a duplicate");
    world.sql("DELETE FROM watchers");
    update(&world, "alice", issue, json!({"parent_issue_id": ""}));
    assert!(
        watches(&world, parent) && watches(&world, issue),
        "a child was removed"
    );
    // Users without the permission to add watchers do not become watchers themselves.
    let below = world.issue("open").author("bob").create();
    update(
        &world,
        "bob",
        below,
        json!({"parent_issue_id": world.issue("open").author("admin").create()}),
    );
    assert_eq!(show(&world, below)["watchers"], json!([]));
}

#[test]
fn stored_preferences_without_automatic_watching_turn_it_off() {
    let world = World::with_projects();
    let id = world.issue("open").author("admin").create();
    world.sql("UPDATE users SET preferences_json = '{\"comments_sorting\": \"asc\"}' WHERE id = 2");
    update(&world, "alice", id, json!({"notes": "a note"}));
    assert!(!watches(&world, id));
    world.sql("UPDATE users SET preferences_json = NULL WHERE id = 2");
    update(&world, "alice", id, json!({"notes": "a note"}));
    assert!(
        watches(&world, id),
        "who never had preferences has the default"
    );
    // Other preferences that are changed here do not turn it off.
    world.sql("DELETE FROM watchers");
    let newest_first = quarry::domain::accounts::preferences::Preferences {
        newest_first: true,
        ..Default::default()
    };
    world.write(move |db| {
        quarry::store::accounts::users::update_preferences(db, UserId(2), newest_first)
    });
    update(&world, "alice", id, json!({"notes": "a note"}));
    assert!(watches(&world, id));
}

fn relate(world: &World, from: i64, to: i64, kind: &str) -> i64 {
    let body = json!({"relation": {"issue_to_id": to, "relation_type": kind}});
    world
        .as_user("alice")
        .post(&format!("/issues/{from}/relations.json"), &body)
        .assert_status(201)
        .integer("/relation/id")
}

#[test]
fn relations_to_new_ancestors_end() {
    let world = World::with_projects();
    let top = world.issue("open").create();
    let parent = world.issue("open").create();
    let issue = world.issue("open").create();
    let below = world.issue("open").create();
    let other = world.issue("open").create();
    update(&world, "alice", parent, json!({"parent_issue_id": top}));
    update(&world, "alice", below, json!({"parent_issue_id": issue}));
    relate(&world, issue, parent, "relates");
    relate(&world, top, below, "duplicates");
    let kept = relate(&world, issue, other, "relates");
    update(&world, "alice", issue, json!({"parent_issue_id": parent}));
    let relations = show(&world, issue)["relations"].clone();
    assert_eq!(
        relations
            .as_array()
            .unwrap()
            .iter()
            .map(|relation| relation["id"].clone())
            .collect::<Vec<_>>(),
        [json!(kept)]
    );
    assert!(show(&world, below).get("relations").is_none());
}

#[test]
fn time_can_be_kept_where_there_is_none() {
    let world = World::with_projects();
    world.set(Setting::TimelogRequiredFields, "issue_id");
    let without = world.issue("open").create();
    let with = world.issue("open").create();
    let alice = world.as_user("alice");
    let body = json!({"time_entry": {"issue_id": with, "hours": 1, "activity_id": 8}});
    alice.post("/time_entries.json", body).assert_status(201);
    alice
        .delete(&format!("/issues/{without}.json?todo=nullify"))
        .assert_status(200);
    alice
        .delete(&format!("/issues/{with}.json?todo=nullify"))
        .assert_status(422)
        .assert_errors(&["Issue cannot be blank"]);
}

#[test]
fn members_only_are_assigned_by_default() {
    let world = World::with_projects();
    let group = world.write(|db| insert_group(db, "Crew", &[], jiff::Timestamp::UNIX_EPOCH));
    world.write(move |db| {
        quarry::store::accounts::memberships::insert(
            db,
            ProjectId(1),
            group,
            &[MANAGER],
            jiff::Timestamp::UNIX_EPOCH,
        )
    });
    let crane = world
        .write(move |db| insert_category(db, ProjectId(1), "Crane", Some(PrincipalId(group.0))))
        .0;
    let body = json!({"issue": {"project_id": "open", "subject": "x", "category_id": crane}});
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(422)
        .assert_errors(&["Assignee is invalid"]);
    world.set(Setting::IssueGroupAssignment, "1");
    world
        .as_user("alice")
        .post("/issues.json", &body)
        .assert_status(201)
        .assert_json_path("/issue/assigned_to/id", group.0);
}
