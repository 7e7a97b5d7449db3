//! `POST /issues/:id/relations` (contract 4.8)

use super::{history, relate, world};
use axum::http::Method;
use quarry::domain::ids::IssueId;
use quarry::domain::setting::Setting;

#[test]
fn a_relation_is_kept_in_one_direction_and_both_issues_say_so() {
    let world = world();
    let ids: Vec<i64> = (0..4).map(|_| world.issue("open", "")).collect();
    let answer = relate(&world, "alice", ids[1], &format!("\"issue_to_id\":{},\"relation_type\":\"follows\"", ids[0])).expect(201);
    assert_eq!(answer.location, "http://quarry.test/relations/1");
    assert_eq!(answer.body, r#"{"relation":{"id":1,"issue_id":1,"issue_to_id":2,"relation_type":"precedes","delay":0}}"#);
    assert_eq!(history(&world, "alice", ids[0]), ["relation precedes - 2"]);
    assert_eq!(history(&world, "alice", ids[1]), ["relation follows - 1", "attr start_date 2026-11-20 2026-11-23"]);
    let relates = relate(&world, "bob", ids[2], "\"issue_to_id\":\"#1\",\"delay\":5").expect(201).json();
    assert_eq!((relates["relation"]["issue_id"].as_i64(), relates["relation"]["delay"].as_i64()), (Some(1), None));
    let several = relate(&world, "alice", ids[3], "\"issue_to_id\":\"2,3\",\"relation_type\":\"blocked\"").expect(201).json();
    assert_eq!((several["relation"]["issue_id"].as_i64(), several["relation"]["relation_type"].as_str()), (Some(3), Some("blocks")));
    assert_eq!(history(&world, "alice", ids[3]), ["relation blocked - 2", "relation blocked - 3"]);
}

#[test]
fn xml_says_the_same() {
    let world = world();
    let (one, other) = (world.issue("open", ""), world.issue("open", ""));
    let body = format!("<relation><issue_to_id>{other}</issue_to_id><relation_type>precedes</relation_type><delay>2</delay></relation>");
    let path = format!("/issues/{one}/relations.xml");
    let send = || world.as_user("bob").send(Method::POST, &path, Some("application/xml"), body.clone().into_bytes());
    let made = send().expect(201).body;
    let said = "<relation><id>1</id><issue_id>1</issue_id><issue_to_id>2</issue_to_id><relation_type>precedes</relation_type><delay>2</delay></relation>";
    assert!(made.ends_with(said), "{made}");
    assert_eq!(send().expect(422).errors(), ["Related issue has already been taken"]);
}

#[test]
fn what_is_wrong_is_said_and_leaves_no_trace() {
    let world = world();
    let (one, other, hidden) = (world.issue("open", ""), world.issue("open", ""), world.issue("secret", ""));
    let relate = |login: &str, fields: &str| relate(&world, login, one, fields).expect(422).errors();
    for fields in ["", "\"issue_to_id\":null", "\"issue_to_id\":\"abc\"", "\"issue_to_id\":9999", "\"issue_to_id\":\" , \""] {
        assert_eq!(relate("alice", fields), ["Related issue cannot be blank"], "{fields}");
    }
    assert_eq!(relate("bob", &format!("\"issue_to_id\":{hidden}")), ["Related issue cannot be blank"], "hidden is not there");
    assert_eq!(relate("alice", &format!("\"issue_to_id\":{hidden}")), ["Related issue doesn't belong to the same project"]);
    assert_eq!(relate("alice", &format!("\"issue_to_id\":{one}")), ["Related issue is invalid"]);
    let with = |more: &str| format!("\"issue_to_id\":{other},{more}");
    assert_eq!(relate("alice", &with("\"relation_type\":\"bogus\"")), ["Relation type is not included in the list"]);
    let precedes = |delay: &str| with(&format!("\"relation_type\":\"precedes\",\"delay\":{delay}"));
    for delay in ["\"x\"", "1.5", "99999999999999999999"] {
        assert_eq!(relate("alice", &precedes(delay)), ["Delay is not a number"]);
    }
    assert_eq!(relate("alice", &precedes("9999999")), ["Delay must be less than or equal to 100000"]);
    assert_eq!(relate("alice", &precedes("[1]")), ["Delay is invalid (one value is expected, not a list)"]);
    assert_eq!(relate("alice", &format!("\"issue_to_id\":\"{other},9999\"")), ["Related issue cannot be blank"], "all or none");
    let many = (0..200).map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(relate("alice", &format!("\"issue_to_id\":\"{many}\"")).len(), 1);
    assert_eq!(history(&world, "alice", one), [""; 0]);
    let _ = world.as_user("alice").post(&format!("/issues/{one}/relations.json"), "{\"relation\":7}").expect(400);
    let _ = world.as_user("alice").post(&format!("/issues/{one}/relations.json"), "{").expect(400);
    world.set(Setting::CrossProjectIssueRelations, "1");
    let _ = super::relate(&world, "alice", one, &format!("\"issue_to_id\":{hidden}")).expect(201);
}

#[test]
fn circles_are_refused_over_however_many_between() {
    let world = world();
    let ids: Vec<i64> = (0..5).map(|_| world.issue("open", "")).collect();
    let circle = ["This relation would create a circular dependency"];
    let precedes = |from: i64, to: i64| relate(&world, "alice", from, &format!("\"issue_to_id\":{to},\"relation_type\":\"precedes\""));
    let _ = precedes(ids[0], ids[1]).expect(201);
    let _ = precedes(ids[1], ids[2]).expect(201);
    let _ = precedes(ids[2], ids[3]).expect(201);
    assert_eq!(precedes(ids[3], ids[0]).expect(422).errors(), circle);
    // A subtask of what waits is moved with it.
    let (parent, child) = (ids[3], ids[4]);
    world.edit(child, move |issue| issue.parent = Some(IssueId(parent)));
    assert_eq!(precedes(child, ids[0]).expect(422).errors(), circle);
    let kin = "An issue cannot be linked to one of its subtasks";
    assert_eq!(precedes(child, parent).expect(422).errors(), [circle[0], kin]);
    let relates = relate(&world, "alice", parent, &format!("\"issue_to_id\":{child}")).expect(422);
    assert_eq!(relates.errors(), [kin]);
}

#[test]
fn what_blocks_blocks_in_one_direction() {
    let world = world();
    let ids: Vec<i64> = (0..3).map(|_| world.issue("open", "")).collect();
    let blocks = |from: i64, to: i64| relate(&world, "alice", from, &format!("\"issue_to_id\":{to},\"relation_type\":\"blocks\""));
    let _ = blocks(ids[0], ids[1]).expect(201);
    let _ = blocks(ids[1], ids[2]).expect(201);
    assert_eq!(blocks(ids[2], ids[0]).expect(422).errors(), ["This relation would create a circular dependency"]);
    let _ = relate(&world, "alice", ids[0], &format!("\"issue_to_id\":{}", ids[2])).expect(201);
    let again = relate(&world, "alice", ids[2], &format!("\"issue_to_id\":{}", ids[0])).expect(422);
    assert_eq!(again.errors(), ["This relation would create a circular dependency"], "the other way round");
}

#[test]
fn eight_at_once_make_one_relation() {
    let world = world();
    let (one, other) = (world.issue("open", ""), world.issue("open", ""));
    let fields = format!("\"issue_to_id\":{other}");
    let answers: Vec<_> = std::thread::scope(|scope| {
        let ask = || relate(&world, "alice", one, &fields);
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 201) {
        assert_eq!(answer.expect(422).errors(), ["Related issue has already been taken"]);
    }
    assert_eq!(history(&world, "alice", one), ["relation relates - 2"]);
}

#[test]
fn rights_decide() {
    let world = world();
    let (one, other, hidden) = (world.issue("open", ""), world.issue("open", ""), world.issue("secret", ""));
    let fields = format!("\"issue_to_id\":{other}");
    for login in ["carol", "dave"] {
        let _ = relate(&world, login, one, &fields).expect(403);
    }
    let _ = world.anonymous().post(&format!("/issues/{one}/relations.json"), "{}").expect(401);
    let _ = relate(&world, "bob", hidden, &fields).expect(403);
    let _ = relate(&world, "bob", 9999, &fields).expect(404);
    let _ = relate(&world, "bob", one, &fields).expect(201);
}
