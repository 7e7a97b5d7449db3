//! `POST /issues`, `POST /projects/:id/issues` (contract 4.4)

use super::{world, write};
use crate::world::{DEVELOPER, MANAGER, user};
use axum::http::Method;
use quarry::domain::ids::ProjectId;
use quarry::domain::setting::Setting;
use quarry::store::{roles, users};

#[test]
fn an_issue_is_answered_with_its_address() {
    let world = world();
    let body =
        r#"{"issue":{"project_id":"open","subject":"Leak in the tank","description":"one\ntwo","priority_id":4,"assigned_to_id":"3"}}"#;
    let answer = world.as_user("alice").post("/issues.json", body).expect(201);
    assert_eq!(answer.location, "http://quarry.test/issues/1");
    let issue = answer.json()["issue"].clone();
    let names: Vec<&String> = issue.as_object().unwrap().keys().collect();
    let wanted = [
        "id",
        "project",
        "tracker",
        "status",
        "priority",
        "author",
        "assigned_to",
        "subject",
        "description",
        "start_date",
        "due_date",
        "done_ratio",
        "is_private",
        "estimated_hours",
        "total_estimated_hours",
        "created_on",
        "updated_on",
        "closed_on",
    ];
    assert_eq!(names, wanted);
    assert_eq!(issue["status"], serde_json::json!({"id": 1, "name": "New", "is_closed": false}));
    assert_eq!(issue["assigned_to"], serde_json::json!({"id": 3, "name": "bob Tester"}));
    assert_eq!((issue["description"].as_str(), issue["start_date"].as_str()), (Some("one\r\ntwo"), Some("2026-11-20")));
}

#[test]
fn a_form_and_xml_do_the_same() {
    let world = world();
    let alice = world.as_user("alice");
    let form = b"issue[project_id]=open&issue[subject]=From+a+form".to_vec();
    let answer = alice.send(Method::POST, "/issues.json", Some("application/x-www-form-urlencoded"), form).expect(201);
    assert_eq!(answer.json()["issue"]["subject"], "From a form");
    let xml = b"<issue><project_id>open</project_id><subject>From &lt;XML&gt;</subject></issue>".to_vec();
    let answer = alice.send(Method::POST, "/issues.xml", Some("application/xml"), xml).expect(201);
    assert!(answer.body.contains("<subject>From &lt;XML&gt;</subject>"), "{}", answer.body);
}

#[test]
fn what_is_missing_is_named() {
    let world = world();
    let alice = world.as_user("alice");
    let errors = |body: &str| alice.post("/issues.json", body).expect(422).errors();
    let nowhere = ["Project cannot be blank", "Tracker cannot be blank", "Status cannot be blank"];
    assert_eq!(errors(r#"{"issue":{"subject":"x"}}"#), nowhere);
    assert_eq!(errors(r#"{"issue":{"project_id":"missing","subject":"x"}}"#), nowhere);
    assert_eq!(errors(r#"{"issue":{"project_id":"open"}}"#), ["Subject cannot be blank"]);
    assert_eq!(
        errors(r#"{"issue":{"project_id":"open","subject":"  ","priority_id":99}}"#),
        ["Subject cannot be blank", "Priority cannot be blank"]
    );
    assert_eq!(errors(r#"{"issue":{"project_id":"open","subject":"x","assigned_to_id":5}}"#), ["Assignee is invalid"]);
    assert_eq!(errors(r#"{"issue":{"project_id":"open","subject":{"a":1}}}"#).len(), 1);
    let long = format!(r#"{{"issue":{{"project_id":"open","subject":"{}"}}}}"#, "x".repeat(256));
    assert_eq!(errors(&long), ["Subject is too long (maximum is 255 characters)"]);
    assert_eq!(alice.get("/issues.json").expect(200).json()["total_count"], 0);
}

#[test]
fn what_may_not_be_set_is_left_at_its_default() {
    let world = world();
    let body = r#"{"issue":{"project_id":"open","subject":"x","status_id":5,"is_private":true,"author_id":1,"id":77,"tracker_id":99}}"#;
    let issue = world.as_user("carol").post("/issues.json", body).expect(201).json()["issue"].clone();
    assert_eq!((issue["id"].as_i64(), issue["status"]["id"].as_i64(), issue["tracker"]["id"].as_i64()), (Some(1), Some(1), Some(1)));
    assert_eq!((issue["is_private"].as_bool(), issue["author"]["id"].as_i64()), (Some(false), Some(4)));
}

#[test]
fn rights_decide_where_one_may_write() {
    let world = world();
    assert_eq!(write(&world, "dave", "open", ""), 1);
    let body = r#"{"issue":{"project_id":"secret","subject":"x"}}"#;
    let _ = world.as_user("dave").post("/issues.json", body).expect(422);
    let _ = world.as_user("dave").post("/projects/secret/issues.json", body).expect(403);
    let _ = world.as_user("dave").post("/projects/missing/issues.xml", body).expect(404);
    let _ = world.anonymous().post("/issues.json", body).expect(401);
    let made = world.as_user("alice").post("/projects/secret/issues.json", r#"{"issue":{"subject":"x"}}"#).expect(201).json();
    assert_eq!((made["issue"]["project"]["name"].as_str(), made["issue"]["spent_hours"].as_f64()), (Some("secret"), Some(0.0)));
}

/// Carol's group is a member of the project above, and so of the one below that has its members.
#[test]
fn a_group_that_is_a_member_from_above_can_be_assigned() {
    let world = world();
    let below = world.project("below", true, &[("alice", MANAGER)]);
    let now = world.app.clock.now();
    let group = world.write(move |db| {
        let group = users::insert_group(db, None, "Quality", &[user("carol")], now)?;
        roles::add_member(db, ProjectId(1), group, &[DEVELOPER], now)?;
        Ok(group)
    });
    let body = format!(r#"{{"issue":{{"project_id":"below","subject":"x","assigned_to_id":{group}}}}}"#);
    let create = || world.as_user("alice").post("/issues.json", &body);
    world.set(Setting::IssueGroupAssignment, "1");
    assert_eq!(create().expect(422).errors(), ["Assignee is invalid"]);
    world.sql(&format!("UPDATE projects SET parent_id = 1, inherit_members = 1 WHERE id = {below}"));
    assert_eq!(create().expect(201).json()["issue"]["assigned_to"]["id"], group.0);
    world.set(Setting::IssueGroupAssignment, "0");
    assert_eq!(create().expect(422).errors(), ["Assignee is invalid"]);
}

#[test]
fn custom_fields_of_the_wrong_shape_are_named() {
    let world = world();
    let create = |field: &str, value: &str| {
        world.as_user("alice").post("/issues.json", &format!(r#"{{"issue":{{"project_id":"open","subject":"x","{field}":{value}}}}}"#))
    };
    let long = |item: &str, many: usize| vec![item; many].join(",");
    let list = "Custom fields is invalid (a list of at most 1000 objects with id and value is expected)";
    for value in [r#""x""#, "7", "true", &format!("[{}]", long(r#"{"id":1,"value":"a"}"#, 1001))] {
        assert_eq!(create("custom_fields", value).expect(422).errors(), [list], "{value}");
    }
    for value in [r#"["x"]"#, "[null]", r#"[{"value":"a"}]"#] {
        let errors = create("custom_fields", value).expect(422).errors();
        assert_eq!(errors, ["Custom fields is invalid (each must be an object with id and value)"], "{value}");
    }
    let map = "Custom field values is invalid (an object with the values of at most 1000 fields is expected)";
    let entries = (1..=1001).map(|id| format!("\"{id}\":\"a\"")).collect::<Vec<_>>().join(",");
    for value in [r#""x""#, "[1]", &format!("{{{entries}}}")] {
        assert_eq!(create("custom_field_values", value).expect(422).errors(), [map], "{value}");
    }
    // Nothing is said by nothing; and values of fields that there are not are passed over as ever.
    for value in ["null", "[]", r#""""#, r#"{"0":{"id":1,"value":"a"}}"#] {
        let _ = create("custom_fields", value).expect(201);
    }
    for value in ["null", "{}", r#"{"999":"a"}"#] {
        let _ = create("custom_field_values", value).expect(201);
    }
    let _ = create("custom_fields", &format!("[{}]", long(r#"{"id":999,"value":"a"}"#, 1000))).expect(201);
    let form = b"issue[project_id]=open&issue[subject]=x&issue[custom_fields]=x".to_vec();
    let answer = world.as_user("alice").send(Method::POST, "/issues.xml", Some("application/x-www-form-urlencoded"), form);
    assert_eq!(answer.expect(422).errors(), [list]);
}

#[test]
fn private_is_what_is_said_to_be_on() {
    let world = world();
    let private = |said: &str| {
        let body = format!(r#"{{"issue":{{"project_id":"open","subject":"x","is_private":{said}}}}}"#);
        world.as_user("alice").post("/issues.json", &body).expect(201).json()["issue"]["is_private"].as_bool().unwrap()
    };
    let off = [
        "false",
        "0",
        "null",
        r#""""#,
        r#""0""#,
        r#""f""#,
        r#""F""#,
        r#""false""#,
        r#""FALSE""#,
        r#""off""#,
        r#""OFF""#,
        r#""no""#,
        r#""n""#,
    ];
    for said in off {
        assert!(!private(said), "{said}");
    }
    for said in ["true", "1", r#""1""#, r#""t""#, r#""true""#, r#""on""#, r#""yes""#, r#""x""#] {
        assert!(private(said), "{said}");
    }
}
