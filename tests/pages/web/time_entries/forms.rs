//! The forms: a new time entry, changes, and the deletion.

use super::{entries, log};
use crate::web::roles::form_fields;
use quarry_world::World;
use quarry_world::browser::Browser;
use serde_json::{Value, json};

const NEW: &str = "/projects/open/time_entries/new";
const HOURS: &str = "time_entry[hours]";
const ISSUE: &str = "time_entry[issue_id]";
const ACTIVITY: &str = "time_entry[activity_id]";
const COMMENTS: &str = "time_entry[comments]";
const PROJECT: &str = "time_entry[project_id]";
const PERSON: &str = "time_entry[user_id]";

fn world() -> World {
    let world = World::with_projects();
    world.issue("open").subject("Valve sticks").create();
    world.issue("secret").subject("Rocket").create();
    world
}

fn entry(world: &World, id: i64) -> Value {
    world
        .as_user("admin")
        .get(&format!("/time_entries/{id}.json"))
        .assert_status(200)
        .json_path("/time_entry")
}

#[test]
fn time_is_logged_in_a_project_with_or_without_an_issue() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(NEW).assert_status(200);
    let fields = [(HOURS, "2h30"), (ACTIVITY, "9"), (COMMENTS, "Planning")];
    let saved = bob.submit(&page, NEW, &fields).assert_status(303);
    assert_eq!(saved.location(), "/projects/open/time_entries");
    for issue in ["1", "#1", "valve"] {
        let fields = [(HOURS, "1:15"), (ACTIVITY, "9"), (ISSUE, issue)];
        bob.submit(&page, NEW, &fields).assert_status(303);
    }
    let logged = entries(&world, "admin", "/projects/open/time_entries?sort=id");
    let hours: Vec<_> = logged
        .iter()
        .map(|entry| entry["hours"].as_f64().unwrap())
        .collect();
    assert_eq!(hours, [2.5, 1.25, 1.25, 1.25]);
    assert_eq!(logged[0].get("issue"), None);
    assert!(logged[1..].iter().all(|entry| entry["issue"]["id"] == 1));
    assert_eq!(logged[0]["spent_on"], "2026-11-20");
    for (name, value, id) in [
        (ISSUE, "2", "time_entry[issue_id]-error"),
        (ISSUE, "rocket", "time_entry[issue_id]-error"),
        (HOURS, "soon", "time_entry[hours]-error"),
        (PERSON, "2", "User is invalid"),
    ] {
        let mut fields = vec![(HOURS, "1"), (ACTIVITY, "9"), (COMMENTS, "kept")];
        fields.retain(|(other, _)| *other != name);
        fields.push((name, value));
        bob.submit(&page, NEW, &fields)
            .assert_status(422)
            .assert_contains(id)
            .assert_contains("value=\"kept\"");
    }
    assert_eq!(entries(&world, "admin", "/time_entries").len(), 4);
}

#[test]
fn only_those_who_may_log_time_get_the_form() {
    let world = world();
    let carol = Browser::logged_in(&world, "carol");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get(NEW).assert_status(200);
    world.sql("DELETE FROM role_permissions WHERE name = 'log_time' AND role_id <> 3; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    for browser in [&bob, &carol] {
        browser.get(NEW).assert_status(403);
        browser.get("/time_entries/new").assert_status(403);
        browser
            .get("/projects/secret/time_entries/new")
            .assert_status(404);
    }
    bob.submit(&page, NEW, &[(HOURS, "1"), (ACTIVITY, "9")])
        .assert_status(403);
    let anonymous = Browser::new(&world);
    anonymous.get(NEW).assert_status(302);
    anonymous.get("/time_entries/new").assert_status(302);
    anonymous.post(NEW, &[(HOURS, "1")]).assert_status(401);
    assert!(entries(&world, "admin", "/time_entries").is_empty());
}

#[test]
fn form_without_a_project_leads_to_that_of_an_issue_or_a_project() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get("/time_entries/new")
        .assert_status(200)
        .assert_contains("<option value=\"secret\"");
    for (query, target) in [
        (
            "project_id=secret&issue_id=",
            "/projects/secret/time_entries/new",
        ),
        (
            "issue_id=%231&project_id=secret",
            "/issues/1/time_entries/new",
        ),
    ] {
        let reply = alice
            .get(&format!("/time_entries/new?{query}"))
            .assert_status(302);
        assert_eq!(reply.location(), target);
    }
    let bob = Browser::logged_in(&world, "bob");
    let only = bob.get("/time_entries/new").assert_status(302);
    assert_eq!(only.location(), NEW);
    bob.get("/time_entries/new?issue_id=2")
        .assert_status(200)
        .assert_contains("names no issue that you can see");
    bob.get("/time_entries/new?project_id=secret")
        .assert_status(404);
}

#[test]
fn managers_log_time_of_others() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    world.sql("DELETE FROM role_permissions WHERE name = 'log_time_for_other_users'; INSERT INTO role_permissions (role_id, name) VALUES (3, 'log_time_for_other_users'); UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let page = alice.get(NEW).assert_status(200);
    let page = page.assert_contains("<option value=\"3\">bob Tester</option>");
    let fields = [(HOURS, "1"), (ACTIVITY, "9"), (PERSON, "3")];
    alice.submit(&page, NEW, &fields).assert_status(303);
    assert_eq!(entry(&world, 1)["user"]["id"], 3);
    let bob = Browser::logged_in(&world, "bob")
        .get(NEW)
        .assert_status(200);
    assert!(!bob.body.contains(PERSON));
}

/// Sends the form of a page with changed fields, and all others as they are.
fn send(
    browser: &Browser<'_>,
    page: &quarry_world::Response,
    path: &str,
    changed: &[(&str, &str)],
) -> quarry_world::Response {
    let mut fields = form_fields(page);
    fields.retain(|(name, _)| {
        changed.iter().all(|(other, _)| name != other) && name != "authenticity_token"
    });
    let mut pairs: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    pairs.extend(changed);
    browser.submit(page, path, &pairs)
}

#[test]
fn changes_of_two_people_are_merged() {
    let world = world();
    let id = log(
        &world,
        "bob",
        json!({"issue_id": 1, "hours": 1.0 / 3.0, "comments": "Started"}),
    );
    let path = format!("/time_entries/{id}/edit");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get(&path)
        .assert_status(200)
        .assert_contains("value=\"0.33\"");
    world
        .as_user("admin")
        .put(
            &format!("/time_entries/{id}.json"),
            json!({"time_entry": {"comments": "Done"}}),
        )
        .assert_status(200);
    let saved = send(&alice, &page, &path, &[(ACTIVITY, "9")]).assert_status(303);
    assert_eq!(saved.location(), "/projects/open/time_entries");
    let after = entry(&world, id);
    assert_eq!(
        (&after["comments"], &after["activity"]["id"]),
        (&json!("Done"), &json!(9))
    );
    assert_eq!(after["issue"]["id"], 1);
    send(&alice, &page, &path, &[(COMMENTS, "Mine")])
        .assert_status(409)
        .assert_contains("Somebody else has saved")
        .assert_contains("value=\"Mine\"");
    assert_eq!(entry(&world, id)["comments"], "Done");
    // The exact hours stay while nobody changes them.
    let exact = "SELECT COUNT(*) FROM time_entries WHERE hours BETWEEN 0.33333 AND 0.33334";
    assert_eq!(world.database().value::<i64>(exact), 1);
}

#[test]
fn entry_moves_to_another_issue_and_project() {
    let world = world();
    let id = log(&world, "alice", json!({"issue_id": 1, "hours": 1}));
    let path = format!("/time_entries/{id}/edit?back_url=/time_entries?user_id=2");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(&path).assert_status(200);
    let path = format!("/time_entries/{id}/edit");
    send(&alice, &page, &path, &[(PROJECT, "2")])
        .assert_status(422)
        .assert_contains("Issue is invalid");
    let saved = send(&alice, &page, &path, &[(PROJECT, "2"), (ISSUE, "")]).assert_status(303);
    assert_eq!(saved.location(), "/time_entries?user_id=2");
    let after = entry(&world, id);
    assert_eq!(
        (&after["project"]["name"], after.get("issue")),
        (&json!("secret"), None)
    );
    let page = alice.get(&path).assert_status(200);
    send(&alice, &page, &path, &[(ISSUE, "#2")]).assert_status(303);
    assert_eq!(entry(&world, id)["issue"]["id"], 2);
}

#[test]
fn form_leads_back_only_to_lists_of_this_service() {
    let world = world();
    let id = log(&world, "alice", json!({"issue_id": 1, "hours": 1}));
    let alice = Browser::logged_in(&world, "alice");
    for back in [
        "https://evil.test/time_entries",
        "//evil.test/time_entries",
        "/logout",
    ] {
        let page = alice
            .get(&format!("/time_entries/{id}/edit?back_url={back}"))
            .assert_status(200);
        let saved = send(
            &alice,
            &page,
            &format!("/time_entries/{id}/edit"),
            &[(COMMENTS, back)],
        );
        assert_eq!(
            saved.assert_status(303).location(),
            "/projects/open/time_entries"
        );
    }
}

#[test]
fn entries_are_changed_only_by_those_who_may() {
    let world = world();
    let of_alice = log(&world, "alice", json!({"project_id": "secret", "hours": 1}));
    let of_bob = log(&world, "bob", json!({"issue_id": 1, "hours": 1}));
    world.sql("DELETE FROM role_permissions WHERE name IN ('edit_time_entries', 'edit_own_time_entries') AND role_id <> 3; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let bob = Browser::logged_in(&world, "bob");
    let alice = Browser::logged_in(&world, "alice");
    for verb in ["edit", "delete"] {
        bob.get(&format!("/time_entries/{of_alice}/{verb}"))
            .assert_status(404);
        bob.get(&format!("/time_entries/999/{verb}"))
            .assert_status(404);
        let anonymous = Browser::new(&world);
        anonymous
            .get(&format!("/time_entries/{of_bob}/{verb}"))
            .assert_status(302);
        Browser::logged_in(&world, "carol")
            .get(&format!("/time_entries/{of_bob}/{verb}"))
            .assert_status(403);
    }
    let edit = format!("/time_entries/{of_bob}/edit");
    bob.get(&edit).assert_status(403);
    let page = alice.get(&edit).assert_status(200);
    bob.submit(&page, &edit, &[(HOURS, "9")]).assert_status(403);
    // One's own time can be deleted without the permission to change it.
    let delete = format!("/time_entries/{of_bob}/delete");
    bob.get("/time_entries")
        .assert_contains(&format!("href=\"{delete}?back_url=%2Ftime_entries\""));
    let page = bob
        .get(&delete)
        .assert_status(200)
        .assert_contains("1 h of bob Tester on 20 Nov 2026");
    let deleted = bob.submit(&page, &delete, &[]).assert_status(303);
    assert_eq!(deleted.location(), "/projects/open/time_entries");
    assert_eq!(entries(&world, "admin", "/time_entries").len(), 1);
    bob.get(&delete).assert_status(404);
}

#[test]
fn of_parallel_saves_of_a_field_one_is_saved_and_the_others_are_told() {
    let world = world();
    let id = super::log(&world, "alice", json!({"issue_id": 1, "hours": 1}));
    let path = format!("/time_entries/{id}/edit");
    let page = Browser::logged_in(&world, "alice").get(&path);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let saves: Vec<_> = (2..8)
            .map(|hours| {
                let world = &world;
                let path = &path;
                let page = &page;
                scope.spawn(move || {
                    let alice = Browser::logged_in(world, "alice");
                    let own = alice.get(path);
                    let mut fields = form_fields(page);
                    let hours = f64::from(hours).to_string();
                    for field in &mut fields {
                        if field.0 == HOURS {
                            field.1.clone_from(&hours);
                        }
                    }
                    let fields: Vec<(&str, &str)> = fields
                        .iter()
                        .map(|(name, value)| (name.as_str(), value.as_str()))
                        .collect();
                    alice.submit(&own, path, &fields).status
                })
            })
            .collect();
        saves.into_iter().map(|save| save.join().unwrap()).collect()
    });
    let count = |status: u16| statuses.iter().filter(|other| **other == status).count();
    assert_eq!((count(303), count(409)), (1, 5), "{statuses:?}");
}

#[test]
fn form_begins_with_the_activity_of_the_latest_day_of_the_user() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let activity = |path: &str| {
        let page = bob.get(path).assert_status(200);
        let fields = form_fields(&page);
        let field = fields.iter().find(|(name, _)| name == ACTIVITY);
        field.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    assert_eq!(activity(NEW), "");
    let spent = |activity: i64, day: &str| json!({"issue_id": 1, "hours": 1, "activity_id": activity, "spent_on": day});
    log(&world, "bob", spent(9, "2026-11-19"));
    log(&world, "bob", spent(8, "2026-11-18"));
    log(&world, "admin", spent(8, "2026-11-20"));
    // What somebody else logged for the user does not count.
    let mut of_admin = spent(8, "2026-11-20");
    of_admin["user_id"] = json!(3);
    log(&world, "admin", of_admin);
    for path in [NEW, "/issues/1/time_entries/new"] {
        assert_eq!(activity(path), "9", "{path}");
    }
    // Where a project replaces the activity, its own one is chosen, and no longer where it is off.
    world.sql(
        "INSERT INTO enumerations (id, type, name, position, active, is_default, project_id, parent_id) \
         VALUES (50, 'TimeEntryActivity', 'Build', 1, 1, 0, 1, 9); \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    assert_eq!(activity(NEW), "50");
    world.sql(
        "UPDATE enumerations SET active = 0 WHERE id = 50; \
         UPDATE counters SET value = value + 1 WHERE name = 'catalogue'",
    );
    assert_eq!(activity(NEW), "8");
}
