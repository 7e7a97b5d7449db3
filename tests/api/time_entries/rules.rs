//! Settings about logging time, and time of other users (compatibility 9)

use super::{log, logged, update};
use quarry::domain::administration::setting::Setting;
use quarry_world::{DEVELOPER, MANAGER, Response, World};
use serde_json::{Value, json};

fn log_for(world: &World, login: &str, user: Value) -> Response {
    log(
        world,
        login,
        json!({"project_id": 1, "hours": 1, "user_id": user}),
    )
}

#[test]
fn logging_for_others_requires_permission_and_membership() {
    let world = World::with_projects();
    log_for(&world, "alice", json!(3))
        .assert_status(201)
        .assert_json_path("/time_entry/user/id", 3);
    log_for(&world, "alice", json!("me"))
        .assert_status(201)
        .assert_json_path("/time_entry/user/id", 2);
    log_for(&world, "alice", json!(null))
        .assert_status(201)
        .assert_json_path("/time_entry/user/id", 2);
    assert_eq!(
        log_for(&world, "bob", json!(3)).assert_status(201).json()["time_entry"]["user"]["id"],
        3,
        "one's own takes no more"
    );
    log_for(&world, "admin", json!(4))
        .assert_status(201)
        .assert_json_path("/time_entry/user/id", 4);
    let rejected = ["User is invalid"];
    assert_eq!(
        log_for(&world, "bob", json!(2)).assert_status(422).errors(),
        rejected,
        "bob may not log for others"
    );
    for user in [
        json!(5),
        json!(6),
        json!(99),
        json!(0),
        json!("x"),
        json!("bob"),
    ] {
        assert_eq!(
            log_for(&world, "alice", user.clone())
                .assert_status(422)
                .errors(),
            rejected,
            "{user}"
        );
    }
    // A user who may log time without being a member is rejected like an unknown one.
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (1, 'log_time')");
    log_for(&world, "alice", json!(5))
        .assert_status(422)
        .assert_errors(&rejected);
    assert_eq!(
        logged(&world, "dave", json!({"project_id": 1, "hours": 1}))["user"]["id"],
        5
    );
    world.sql(&format!(
        "DELETE FROM role_permissions WHERE role_id = {DEVELOPER} AND name = 'log_time'"
    ));
    log_for(&world, "alice", json!(3))
        .assert_status(422)
        .assert_errors(&rejected);
    assert_eq!(
        super::ids(&world, "alice", "author_id=me&user_id=3"),
        [1],
        "who entered it is another question"
    );
}

#[test]
fn settings_can_require_issue_and_comments() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    logged(&world, "bob", json!({"project_id": 1, "hours": 1}));
    world.set(Setting::TimelogRequiredFields, "issue_id,comments");
    let both = ["Issue cannot be blank", "Comment cannot be blank"];
    log(&world, "bob", json!({"project_id": 1, "hours": 1}))
        .assert_status(422)
        .assert_errors(&both);
    log(
        &world,
        "bob",
        json!({"project_id": 1, "hours": 1, "comments": " "}),
    )
    .assert_status(422)
    .assert_errors(&both);
    assert_eq!(
        log(&world, "bob", json!({"issue_id": issue, "hours": 1}))
            .assert_status(422)
            .errors(),
        both[1..]
    );
    logged(
        &world,
        "bob",
        json!({"issue_id": issue, "hours": 1, "comments": "x"}),
    );
    assert_eq!(
        update(&world, "alice", 2, json!({"issue_id": ""}))
            .assert_status(422)
            .errors(),
        both[..1]
    );
    assert_eq!(
        update(&world, "alice", 2, json!({"comments": null}))
            .assert_status(422)
            .errors(),
        both[1..]
    );
    world.set(Setting::TimelogRequiredFields, "issue_id");
    world
        .as_user("bob")
        .post(
            "/projects/1/time_entries.json",
            json!({"time_entry": {"hours": 1, "activity_id": 8}}),
        )
        .assert_status(422);
    world
        .as_user("bob")
        .post(
            "/issues/1/time_entries.json",
            json!({"time_entry": {"hours": 1, "activity_id": 8}}),
        )
        .assert_status(201);
}

fn log_hours(world: &World, login: &str, project: i64, hours: &str) -> Response {
    log(world, login, json!({"project_id": project, "hours": hours}))
}

fn too_much(logged: &str) -> String {
    format!(
        "Cannot log more than 24:00 hours on the same day ({logged} hours have already been logged)"
    )
}

#[test]
fn hours_per_day_are_limited() {
    let world = World::with_projects();
    world.set(Setting::TimelogMaxHoursPerDay, "24");
    log_hours(&world, "alice", 1, "24:01")
        .assert_status(422)
        .assert_errors(&[too_much("0:00")]);
    log_hours(&world, "alice", 1, "20").assert_status(201);
    assert_eq!(
        log_hours(&world, "alice", 2, "4:05")
            .assert_status(422)
            .errors(),
        [too_much("20:00")],
        "whatever the project"
    );
    log_hours(&world, "alice", 2, "3:40").assert_status(201);
    log_hours(&world, "alice", 2, "0:21")
        .assert_status(422)
        .assert_errors(&[too_much("23:40")]);
    log_hours(&world, "alice", 2, "0:20").assert_status(201);
    logged(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 24, "spent_on": "2026-11-19"}),
    );
    log_hours(&world, "bob", 1, "24").assert_status(201);
    // An entry does not count against itself, and hours may always be reduced.
    update(&world, "alice", 1, json!({"hours": 20.1}))
        .assert_status(422)
        .assert_errors(&[too_much("4:00")]);
    update(&world, "alice", 1, json!({"hours": 20, "comments": "x"})).assert_status(200);
    update(&world, "alice", 3, json!({"spent_on": "2026-11-19"}))
        .assert_status(422)
        .assert_errors(&[too_much("24:00")]);
    world.set(Setting::TimelogMaxHoursPerDay, "8");
    update(&world, "alice", 1, json!({"hours": 19})).assert_status(200);
    update(&world, "alice", 1, json!({"comments": "y"})).assert_status(200);
}

#[test]
fn daily_limit_does_not_disclose_hours_of_others() {
    let world = World::with_projects();
    world.set(Setting::TimelogMaxHoursPerDay, "10");
    logged(&world, "bob", json!({"project_id": 1, "hours": 7}));
    let rejected = log(
        &world,
        "alice",
        json!({"project_id": 1, "hours": 4, "user_id": 3}),
    )
    .assert_status(422)
    .errors();
    assert_eq!(
        rejected,
        ["Cannot log more than 10:00 hours on the same day"]
    );
    assert_eq!(
        log(&world, "bob", json!({"project_id": 1, "hours": 4}))
            .assert_status(422)
            .errors()
            .len(),
        1
    );
}

#[test]
fn settings_can_forbid_future_dates_and_closed_issues() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    world.edit(issue, |issue| issue.status = 5.into());
    let future = json!({"project_id": 1, "hours": 1, "spent_on": "2026-11-21"});
    let closed = json!({"issue_id": issue, "hours": 1});
    logged(&world, "bob", future.clone());
    logged(&world, "bob", closed.clone());
    world.set(Setting::TimelogAcceptFutureDates, "0");
    world.set(Setting::TimelogAcceptClosedIssues, "0");
    log(&world, "bob", future.clone())
        .assert_status(422)
        .assert_errors(&["Cannot log time on a future date"]);
    log(&world, "bob", closed.clone())
        .assert_status(422)
        .assert_errors(&["Cannot log time on a closed issue"]);
    logged(
        &world,
        "bob",
        json!({"project_id": 1, "hours": 1, "spent_on": "2026-11-20"}),
    );
    // Existing entries can still be corrected.
    update(&world, "alice", 1, json!({"hours": 2})).assert_status(200);
    update(&world, "alice", 2, json!({"hours": 2})).assert_status(200);
    update(&world, "alice", 1, json!({"spent_on": "2026-11-22"}))
        .assert_status(422)
        .assert_errors(&["Cannot log time on a future date"]);
    update(&world, "alice", 1, json!({"issue_id": issue}))
        .assert_status(422)
        .assert_errors(&["Cannot log time on a closed issue"]);
}

#[test]
fn user_must_be_permitted_in_the_target_project() {
    let world = World::with_projects();
    logged(&world, "alice", json!({"project_id": 1, "hours": 1}));
    update(&world, "alice", 1, json!({"user_id": 3}))
        .assert_status(200)
        .assert_json_path("/time_entry/user/id", 3);
    update(&world, "alice", 1, json!({"user_id": 4, "project_id": 2}))
        .assert_status(422)
        .assert_errors(&["User is invalid"]);
    update(&world, "alice", 1, json!({"user_id": ""}))
        .assert_status(422)
        .assert_errors(&["User cannot be blank"]);
    world.sql(&format!("DELETE FROM role_permissions WHERE role_id = {MANAGER} AND name = 'log_time_for_other_users'"));
    assert_eq!(
        update(&world, "alice", 1, json!({"user_id": 2}))
            .assert_status(422)
            .errors(),
        ["User is invalid"],
        "nor can it be made one's own"
    );
    update(&world, "alice", 1, json!({"user_id": 3, "hours": 2}))
        .assert_status(200)
        .assert_json_path("/time_entry/hours", json!(2.0));
}

#[test]
fn user_is_validated_without_a_project() {
    let world = World::with_projects();
    let hidden = world.issue("secret").create();
    for issue in [999, hidden] {
        let fields = json!({"issue_id": issue, "hours": 1, "user_id": 4});
        let errors = log(&world, "bob", fields).assert_status(422).errors();
        assert_eq!(
            errors[errors.len() - 2..],
            ["User is invalid", "Issue is invalid"],
            "{errors:?}"
        );
    }
    // A hidden issue is answered like one that does not exist.
    let fields = json!({"issue_id": hidden, "hours": "", "user_id": 4, "activity_id": 999});
    let errors = log(&world, "bob", fields).assert_status(422).errors();
    let expected = [
        "Project cannot be blank",
        "Hours cannot be blank",
        "Project is invalid",
        "User is invalid",
        "Issue is invalid",
    ];
    assert_eq!(errors, expected);
    let errors = log(&world, "bob", json!({"hours": 1, "user_id": 4}))
        .assert_status(422)
        .errors();
    assert_eq!(
        errors,
        [
            "Project cannot be blank",
            "Project is invalid",
            "User is invalid"
        ]
    );
}

fn errors(world: &World) -> Vec<String> {
    world
        .as_user("bob")
        .post("/time_entries.json", json!({"time_entry": {"hours": 1}}))
        .assert_status(422)
        .errors()
}

#[test]
fn default_activity_needs_no_project() {
    let world = World::with_projects();
    assert_eq!(
        errors(&world),
        [
            "Activity cannot be blank",
            "Project cannot be blank",
            "Project is invalid"
        ]
    );
    world.sql("UPDATE enumerations SET is_default = 1 WHERE id = 8");
    assert_eq!(
        errors(&world),
        ["Project cannot be blank", "Project is invalid"]
    );
}

#[test]
fn errors_of_custom_fields_come_first() {
    let world = World::with_projects();
    super::field(&world, 1, "cost center", "int", "is_required = 1");
    let fields = json!({"project_id": 1, "custom_fields": [{"id": 1, "value": "x"}]});
    let errors = ["Cost center is not a number", "Hours cannot be blank"];
    log(&world, "bob", fields)
        .assert_status(422)
        .assert_errors(&errors);
    // The same in issues and projects.
    world.sql("UPDATE custom_fields SET type = 'IssueCustomField', is_for_all = 1; INSERT INTO custom_fields_trackers VALUES (1, 1)");
    let body = json!({"issue": {"project_id": 1, "subject": ""}});
    world
        .as_user("bob")
        .post("/issues.json", body)
        .assert_status(422)
        .assert_errors(&["Cost center cannot be blank", "Subject cannot be blank"]);
    world.sql("UPDATE custom_fields SET type = 'ProjectCustomField'");
    let body = json!({"project": {"name": "", "identifier": "x"}});
    world
        .as_user("admin")
        .post("/projects.json", body)
        .assert_status(422)
        .assert_errors(&["Cost center cannot be blank", "Name cannot be blank"]);
}
