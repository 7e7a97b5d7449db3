//! References to issues in the messages of recorded changesets (compatibility 13.3)

use super::record::{record, world};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use serde_json::{Value, json};

/// Records a changeset with this message by a committer.
fn commit(world: &World, revision: &str, committer: &str, message: &str) -> Value {
    let fields = json!({"revision": revision, "committer": committer, "comments": message, "committed_on": "2026-11-19T23:30:00Z"});
    record(world, "bob", "open", fields)
        .assert_status(201)
        .json_path("/changeset/issues")
}

#[test]
fn keywords_link_issues_without_a_change() {
    let world = world();
    let first = world.issue("open").subject("One").create();
    let second = world.issue("open").create();
    let third = world.issue("open").create();
    let linked = commit(
        &world,
        "a1",
        "bob",
        &format!("Refs #{first}, #{second}; see #{third} and refs #999"),
    );
    assert_eq!(
        linked,
        json!([{"id": first, "subject": "One"}, {"id": second, "subject": "A thing"}])
    );
    let shown = world.show_issue("alice", first, "journals,changesets");
    assert_eq!(
        (
            shown["changesets"][0]["revision"].clone(),
            shown["journals"].clone()
        ),
        (json!("a1"), json!([]))
    );
    world.set(Setting::CommitRefKeywords, "*");
    assert_eq!(
        commit(&world, "a2", "bob", &format!("#{third}"))[0]["id"],
        third
    );
}

#[test]
fn rules_change_status_and_done_ratio_in_the_name_of_the_committer() {
    let world = world();
    world
        .set(Setting::CommitUpdateKeywords, "fixes,closes status_id=5 done_ratio=100 if_tracker_id=1; fixes status_id=3; odd status_id=99");
    let bug = world.issue("open").create();
    let feature = world.issue("open").field("tracker_id", 2).create();
    let other = world.issue("open").create();
    commit(
        &world,
        "a1b2c3d",
        "carol",
        &format!("Fixes #{bug}, #{feature}; odd #{other}"),
    );
    let closed = world.show_issue("alice", bug, "journals,changesets");
    assert_eq!(
        (closed["status"]["id"].clone(), closed["done_ratio"].clone()),
        (json!(5), json!(100))
    );
    assert_eq!(closed["closed_on"], "2026-11-20T12:00:00Z");
    let entry = &closed["journals"][0];
    assert_eq!(
        (entry["user"]["id"].clone(), entry["notes"].clone()),
        (json!(4), json!("Applied in changeset commit:a1b2c3d."))
    );
    assert_eq!(entry["details"].as_array().unwrap().len(), 2, "{entry}");
    assert_eq!(
        world.show_issue("alice", feature, "journals,changesets")["status"]["id"],
        3,
        "the rule of another tracker"
    );
    assert_eq!(
        world.show_issue("alice", other, "journals,changesets")["status"]["id"],
        1,
        "there is no such status"
    );
    let found = world
        .as_user("dave")
        .get("/search.json?q=a1b2c3d&issues=1")
        .assert_status(200);
    assert_eq!(found.integer("/total_count"), 3, "the notes are found");
    // Closed issues, and commits that are known already, change nothing more.
    commit(&world, "7", "carol", &format!("fixes #{bug}"));
    let fields = json!({"revision": "a1b2c3d", "comments": format!("fixes #{feature}")});
    record(&world, "bob", "open", fields).assert_status(200);
    assert_eq!(
        (
            world.show_issue("alice", bug, "journals,changesets")["journals"]
                .as_array()
                .unwrap()
                .len(),
            world.show_issue("alice", feature, "journals,changesets")["journals"]
                .as_array()
                .unwrap()
                .len()
        ),
        (1, 1)
    );
    // An unknown committer is anonymous; where there is no such user, the one of the hook.
    let last = world.issue("open").create();
    commit(&world, "8", "nobody", &format!("closes #{last}"));
    let entry = &world.show_issue("alice", last, "journals,changesets")["journals"][0];
    assert_eq!(
        (entry["user"]["id"].clone(), entry["notes"].clone()),
        (json!(3), json!("Applied in changeset r8."))
    );
}

#[test]
fn derived_done_ratio_is_left_alone_and_parents_follow() {
    let world = world();
    world.set(
        Setting::CommitUpdateKeywords,
        "fixes status_id=3 done_ratio=60",
    );
    let parent = world.issue("open").create();
    let child = world.issue("open").parent(parent).create();
    commit(&world, "1", "carol", &format!("fixes #{parent}"));
    assert_eq!(
        (
            world.show_issue("alice", parent, "journals,changesets")["done_ratio"].clone(),
            world.show_issue("alice", parent, "journals,changesets")["status"]["id"].clone()
        ),
        (json!(0), json!(3))
    );
    commit(&world, "2", "carol", &format!("fixes #{child}"));
    assert_eq!(
        (
            world.show_issue("alice", child, "journals,changesets")["done_ratio"].clone(),
            world.show_issue("alice", parent, "journals,changesets")["done_ratio"].clone()
        ),
        (json!(60), json!(60))
    );
}

fn entries(world: &World) -> Vec<Value> {
    world
        .as_user("alice")
        .get("/time_entries.json")
        .assert_status(200)
        .array("/time_entries")
}

#[test]
fn time_is_logged_for_the_committer_if_the_settings_and_the_permissions_allow_it() {
    let world = world();
    let id = world.issue("open").create();
    commit(&world, "1", "carol", &format!("refs #{id} @2h"));
    assert!(entries(&world).is_empty(), "it is off by default");
    world.set(Setting::CommitLogtimeEnabled, "1");
    commit(&world, "2", "carol", &format!("refs #{id} @2h30"));
    assert!(entries(&world).is_empty(), "there is no default activity");
    world.set(Setting::CommitLogtimeActivityId, "9");
    commit(
        &world,
        "3",
        "carol",
        &format!("refs #{id} @2h30 and refs #{id}"),
    );
    let entry = &entries(&world)[0];
    for (field, value) in [
        ("hours", json!(2.5)),
        ("spent_on", json!("2026-11-19")),
        ("comments", json!("Changeset 3")),
    ] {
        assert_eq!(entry[field], value, "{field}");
    }
    assert_eq!(
        (entry["user"]["id"].clone(), entry["activity"]["id"].clone()),
        (json!(4), json!(9))
    );
    // Dave may not log time, the unknown committer is nobody, and no one works for longer than the
    // setting allows.
    world.set(Setting::TimelogMaxHoursPerDay, "8");
    for (revision, committer, time) in [
        ("4", "dave", "1h"),
        ("5", "nobody", "1h"),
        ("6", "carol", "7h"),
    ] {
        commit(&world, revision, committer, &format!("refs #{id} @{time}"));
    }
    assert_eq!(entries(&world).len(), 1);
    assert_eq!(
        world.show_issue("alice", id, "journals,changesets")["changesets"]
            .as_array()
            .unwrap()
            .len(),
        6,
        "the links are there all the same"
    );
}

#[test]
fn issues_of_unrelated_and_closed_projects_are_left_alone_and_hidden_ones_are_not_shown() {
    let world = world();
    world.set(Setting::CommitUpdateKeywords, "fixes status_id=3");
    let far = world.issue("secret").create();
    assert_eq!(
        commit(&world, "1", "bob", &format!("fixes #{far}")),
        json!([])
    );
    assert_eq!(
        world.show_issue("alice", far, "journals,changesets")["changesets"],
        json!([])
    );
    world.set(Setting::CommitCrossProjectRef, "1");
    assert_eq!(
        commit(&world, "2", "bob", &format!("fixes #{far}")),
        json!([]),
        "bob cannot see it"
    );
    let shown = world.show_issue("alice", far, "journals,changesets");
    assert_eq!(
        (
            shown["changesets"].as_array().unwrap().len(),
            shown["journals"][0]["notes"].clone()
        ),
        (1, json!("Applied in changeset open:r2."))
    );
    let alice = world
        .as_user("alice")
        .get("/projects/open/repository/main/revisions/2.json")
        .assert_status(200);
    assert_eq!(alice.json_path("/changeset/issues/0/id"), far);
    world.sql("UPDATE projects SET status = 5 WHERE id = 2");
    commit(&world, "3", "bob", &format!("refs #{far}"));
    assert_eq!(
        world.show_issue("alice", far, "journals,changesets")["changesets"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
