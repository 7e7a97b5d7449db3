//! Settings about logging time, and time of others (spec, "Time entries"; contract 7)

use super::{log, logged, put, world};
use crate::world::{DEVELOPER, MANAGER};
use quarry::domain::setting::Setting;
use serde_json::json;

#[test]
fn the_time_of_others_takes_a_permission_and_a_member_who_may_log() {
    let world = world();
    let with = |login: &str, user: &str| log(&world, login, &format!("\"project_id\":1,\"hours\":1,\"user_id\":{user}"));
    assert_eq!(with("alice", "3").expect(201).json()["time_entry"]["user"]["id"], 3);
    assert_eq!(with("alice", "\"me\"").expect(201).json()["time_entry"]["user"]["id"], 2);
    assert_eq!(with("alice", "null").expect(201).json()["time_entry"]["user"]["id"], 2);
    assert_eq!(with("bob", "3").expect(201).json()["time_entry"]["user"]["id"], 3, "one's own takes no more");
    assert_eq!(with("admin", "4").expect(201).json()["time_entry"]["user"]["id"], 4);
    let refused = ["User is invalid"];
    assert_eq!(with("bob", "2").expect(422).errors(), refused, "bob may not log for others");
    for user in ["5", "6", "99", "0", "\"x\"", "\"bob\""] {
        assert_eq!(with("alice", user).expect(422).errors(), refused, "{user}");
    }
    // Somebody who could log time without being a member is refused like one who does not exist.
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (1, 'log_time')");
    assert_eq!(with("alice", "5").expect(422).errors(), refused);
    assert_eq!(logged(&world, "dave", "\"project_id\":1,\"hours\":1")["user"]["id"], 5);
    world.sql(&format!("DELETE FROM role_permissions WHERE role_id = {DEVELOPER} AND name = 'log_time'"));
    assert_eq!(with("alice", "3").expect(422).errors(), refused);
    assert_eq!(super::ids(&world, "alice", "author_id=me&user_id=3"), [1], "who entered it is another question");
}

#[test]
fn an_issue_and_comments_can_be_demanded() {
    let world = world();
    let issue = world.issue("open", "");
    logged(&world, "bob", "\"project_id\":1,\"hours\":1");
    world.set(Setting::TimelogRequiredFields, "issue_id,comments");
    let both = ["Issue cannot be blank", "Comment cannot be blank"];
    assert_eq!(log(&world, "bob", "\"project_id\":1,\"hours\":1").expect(422).errors(), both);
    assert_eq!(log(&world, "bob", "\"project_id\":1,\"hours\":1,\"comments\":\" \"").expect(422).errors(), both);
    assert_eq!(log(&world, "bob", &format!("\"issue_id\":{issue},\"hours\":1")).expect(422).errors(), both[1..]);
    logged(&world, "bob", &format!("\"issue_id\":{issue},\"hours\":1,\"comments\":\"x\""));
    assert_eq!(put(&world, "alice", 2, "\"issue_id\":\"\"").expect(422).errors(), both[..1]);
    assert_eq!(put(&world, "alice", 2, "\"comments\":null").expect(422).errors(), both[1..]);
    world.set(Setting::TimelogRequiredFields, "issue_id");
    let _ = world.as_user("bob").post("/projects/1/time_entries.json", r#"{"time_entry":{"hours":1,"activity_id":8}}"#).expect(422);
    let _ = world.as_user("bob").post("/issues/1/time_entries.json", r#"{"time_entry":{"hours":1,"activity_id":8}}"#).expect(201);
}

#[test]
fn a_day_has_so_many_hours() {
    let world = world();
    world.set(Setting::TimelogMaxHoursPerDay, "24");
    let on = |login: &str, project: i64, hours: &str| log(&world, login, &format!("\"project_id\":{project},\"hours\":\"{hours}\""));
    let too_much = |logged: &str| format!("Cannot log more than 24:00 hours on the same day ({logged} hours have already been logged)");
    assert_eq!(on("alice", 1, "24:01").expect(422).errors(), [too_much("0:00")]);
    let _ = on("alice", 1, "20").expect(201);
    assert_eq!(on("alice", 2, "4:05").expect(422).errors(), [too_much("20:00")], "whatever the project");
    let _ = on("alice", 2, "3:40").expect(201);
    assert_eq!(on("alice", 2, "0:21").expect(422).errors(), [too_much("23:40")]);
    let _ = on("alice", 2, "0:20").expect(201);
    logged(&world, "alice", "\"project_id\":1,\"hours\":24,\"spent_on\":\"2026-11-19\"");
    let _ = on("bob", 1, "24").expect(201);
    // An entry does not count against itself, and what is there already may always become less.
    assert_eq!(put(&world, "alice", 1, "\"hours\":20.1").expect(422).errors(), [too_much("4:00")]);
    let _ = put(&world, "alice", 1, "\"hours\":20,\"comments\":\"x\"").expect(200);
    assert_eq!(put(&world, "alice", 3, "\"spent_on\":\"2026-11-19\"").expect(422).errors(), [too_much("24:00")]);
    world.set(Setting::TimelogMaxHoursPerDay, "8");
    let _ = put(&world, "alice", 1, "\"hours\":19").expect(200);
    let _ = put(&world, "alice", 1, "\"comments\":\"y\"").expect(200);
}

#[test]
fn nobody_is_told_how_much_others_have_logged() {
    let world = world();
    world.set(Setting::TimelogMaxHoursPerDay, "10");
    logged(&world, "bob", "\"project_id\":1,\"hours\":7");
    let refused = log(&world, "alice", "\"project_id\":1,\"hours\":4,\"user_id\":3").expect(422).errors();
    assert_eq!(refused, ["Cannot log more than 10:00 hours on the same day"]);
    assert_eq!(log(&world, "bob", "\"project_id\":1,\"hours\":4").expect(422).errors().len(), 1);
}

#[test]
fn days_to_come_and_closed_issues_can_be_shut() {
    let world = world();
    let issue = world.issue("open", "");
    world.edit(issue, |issue| issue.status = 5.into());
    let future = "\"project_id\":1,\"hours\":1,\"spent_on\":\"2026-11-21\"";
    let closed = format!("\"issue_id\":{issue},\"hours\":1");
    logged(&world, "bob", future);
    logged(&world, "bob", &closed);
    world.set(Setting::TimelogAcceptFutureDates, "0");
    world.set(Setting::TimelogAcceptClosedIssues, "0");
    assert_eq!(log(&world, "bob", future).expect(422).errors(), ["Cannot log time on a future date"]);
    assert_eq!(log(&world, "bob", &closed).expect(422).errors(), ["Cannot log time on a closed issue"]);
    logged(&world, "bob", "\"project_id\":1,\"hours\":1,\"spent_on\":\"2026-11-20\"");
    // What was logged before can still be put right.
    let _ = put(&world, "alice", 1, "\"hours\":2").expect(200);
    let _ = put(&world, "alice", 2, "\"hours\":2").expect(200);
    assert_eq!(put(&world, "alice", 1, "\"spent_on\":\"2026-11-22\"").expect(422).errors(), ["Cannot log time on a future date"]);
    assert_eq!(put(&world, "alice", 1, &format!("\"issue_id\":{issue}")).expect(422).errors(), ["Cannot log time on a closed issue"]);
}

#[test]
fn rights_of_others_are_those_in_the_target() {
    let world = world();
    logged(&world, "alice", "\"project_id\":1,\"hours\":1");
    assert_eq!(put(&world, "alice", 1, "\"user_id\":3").expect(200).json()["time_entry"]["user"]["id"], 3);
    assert_eq!(put(&world, "alice", 1, "\"user_id\":4,\"project_id\":2").expect(422).errors(), ["User is invalid"]);
    assert_eq!(put(&world, "alice", 1, "\"user_id\":\"\"").expect(422).errors(), ["User cannot be blank"]);
    world.sql(&format!("DELETE FROM role_permissions WHERE role_id = {MANAGER} AND name = 'log_time_for_other_users'"));
    assert_eq!(put(&world, "alice", 1, "\"user_id\":2").expect(422).errors(), ["User is invalid"], "nor can it be made one's own");
    assert_eq!(put(&world, "alice", 1, "\"user_id\":3,\"hours\":2").expect(200).json()["time_entry"]["hours"], json!(2.0));
}
