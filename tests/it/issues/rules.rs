//! What follows from writing an issue: subtasks, moving, closing, custom fields, rules of the workflow (contract 4.4 to 4.6).

use super::{world, write};
use crate::world::{DEVELOPER, MANAGER, World};
use quarry::domain::ids::{RoleId, StatusId, TrackerId};
use quarry::domain::setting::Setting;
use quarry::domain::workflow::Rule;
use quarry::store::{categories, versions, workflow};
use serde_json::{Value, json};

fn show(world: &World, id: i64) -> Value {
    world.as_user("alice").get(&format!("/issues/{id}.json?include=journals,relations,watchers")).expect(200).json()["issue"].clone()
}

fn put(world: &World, login: &str, id: i64, fields: &str) -> Value {
    let body = format!("{{\"issue\":{{{fields}}}}}");
    world.as_user(login).put(&format!("/issues/{id}.json"), &body).expect(200).json()["issue"].clone()
}

fn errors(world: &World, id: i64, fields: &str) -> Vec<String> {
    let body = format!("{{\"issue\":{{{fields}}}}}");
    world.as_user("alice").put(&format!("/issues/{id}.json"), &body).expect(422).errors()
}

fn details(issue: &Value) -> Vec<String> {
    let journals = issue["journals"].as_array().unwrap();
    let all = journals.iter().flat_map(|journal| journal["details"].as_array().unwrap());
    all.map(|detail| format!("{} {} {}", detail["name"].as_str().unwrap(), detail["old_value"], detail["new_value"])).collect()
}

#[test]
fn an_issue_follows_from_its_parts() {
    let world = world();
    let parent = write(&world, "alice", "open", "");
    let below = format!(",\"parent_issue_id\":{parent}");
    let one = write(
        &world,
        "alice",
        "open",
        &format!("{below},\"estimated_hours\":\"4h\",\"start_date\":\"2024-03-01\",\"due_date\":\"2024-03-10\",\"priority_id\":4"),
    );
    let two = write(&world, "alice", "open", &format!("{below},\"estimated_hours\":2,\"start_date\":\"2024-03-05\""));
    let issue = show(&world, parent);
    assert_eq!((issue["start_date"].as_str(), issue["due_date"].as_str()), (Some("2024-03-01"), Some("2024-03-10")));
    assert_eq!((issue["priority"]["id"].as_i64(), issue["total_estimated_hours"].as_f64()), (Some(4), Some(6.0)));
    assert_eq!(details(&issue), [format!("child_id null \"{one}\""), format!("child_id null \"{two}\"")]);
    put(&world, "alice", parent, r#""done_ratio":90,"priority_id":1,"start_date":"2020-01-01""#);
    put(&world, "alice", one, r#""status_id":5"#);
    let issue = show(&world, parent);
    assert_eq!(
        (issue["done_ratio"].as_i64(), issue["priority"]["id"].as_i64(), issue["start_date"].as_str()),
        (Some(66), Some(2), Some("2024-03-01"))
    );
    // Parts that are closed or gone count no more; an open part keeps the whole open.
    assert_eq!(put(&world, "alice", parent, r#""status_id":5"#)["status"]["id"], 1);
    let _ = world.as_user("alice").delete(&format!("/issues/{one}.json")).expect(200);
    assert_eq!(show(&world, parent)["done_ratio"], 0);
    put(&world, "alice", two, r#""parent_issue_id":"""#);
    assert_eq!(put(&world, "alice", parent, r#""status_id":5"#)["status"]["id"], 5);
}

#[test]
fn nothing_is_below_itself_or_below_what_is_hidden_or_closed() {
    let world = world();
    let (top, middle) = (write(&world, "alice", "open", ""), write(&world, "alice", "open", ""));
    put(&world, "alice", middle, &format!("\"parent_issue_id\":\"#{top}\""));
    let hidden = write(&world, "admin", "secret", "");
    for wrong in [top.to_string(), middle.to_string(), "9999".to_owned(), "\"x\"".to_owned(), hidden.to_string()] {
        assert_eq!(errors(&world, top, &format!("\"parent_issue_id\":{wrong}")), ["Parent task is invalid"], "{wrong}");
    }
    let closed = write(&world, "alice", "open", "");
    put(&world, "alice", closed, r#""status_id":5"#);
    let sentence = "An open issue cannot be attached to a closed parent task";
    assert_eq!(errors(&world, middle, &format!("\"parent_issue_id\":{closed}")), [sentence]);
    // Without the permission it is passed over.
    assert!(put(&world, "carol", middle, &format!("\"parent_issue_id\":{closed}"))["parent"]["id"] == top);
}

#[test]
fn moving_takes_along_what_can_come() {
    let world = world();
    world.project("other", true, &[("alice", MANAGER), ("bob", DEVELOPER)]);
    let (open, other) = (quarry::domain::ids::ProjectId(1), quarry::domain::ids::ProjectId(3));
    let now = world.app.clock.now();
    let (tank, tank_there) = world.write(move |db| {
        let ours = categories::insert(db, open, "Tank", None)?;
        versions::insert(db, open, "1.0", "open", None, now)?;
        Ok((ours, categories::insert(db, other, "Tank", None)?))
    });
    let id = write(&world, "alice", "open", &format!(",\"category_id\":{tank},\"fixed_version_id\":1"));
    let part = write(&world, "alice", "open", &format!(",\"parent_issue_id\":{id},\"category_id\":{tank}"));
    let friend = write(&world, "alice", "open", "");
    let body = format!("{{\"relation\":{{\"issue_to_id\":{friend}}}}}");
    let _ = world.as_user("alice").post(&format!("/issues/{id}/relations.json"), &body).expect(201);
    let moved = put(&world, "alice", id, r#""project_id":"other""#);
    assert_eq!((moved["project"]["id"].as_i64(), moved["category"]["id"].as_i64()), (Some(3), Some(tank_there.0)));
    assert!(moved.get("fixed_version").is_none(), "{moved}");
    let below = show(&world, part);
    assert_eq!(
        (below["project"]["id"].as_i64(), below["category"]["id"].as_i64(), below["parent"]["id"].as_i64()),
        (Some(3), Some(tank_there.0), Some(id))
    );
    assert!(show(&world, id).get("relations").is_none(), "issues of several projects are not related");
    // Where one may not write, nothing is moved.
    assert_eq!(put(&world, "bob", id, r#""project_id":"secret""#)["project"]["id"], 3);
    assert_eq!(put(&world, "alice", id, r#""project_id":99"#)["project"]["id"], 3);
    let found = world.as_user("bob").get("/projects/other/search.json?q=thing").expect(200).json();
    assert_eq!(found["total_count"], 2, "the search follows");
}

#[test]
fn closing_closes_what_says_the_same() {
    let world = world();
    let (issue, same, same_again) =
        (write(&world, "alice", "open", ""), write(&world, "alice", "open", ""), write(&world, "alice", "open", ""));
    for (from, to) in [(same, issue), (same_again, same)] {
        let body = format!("{{\"relation\":{{\"issue_to_id\":{to},\"relation_type\":\"duplicates\"}}}}");
        let _ = world.as_user("alice").post(&format!("/issues/{from}/relations.json"), &body).expect(201);
    }
    put(&world, "alice", issue, r#""status_id":6"#);
    for id in [issue, same, same_again] {
        let issue = show(&world, id);
        assert_eq!(issue["status"]["id"], 6, "{issue}");
        assert_eq!(details(&issue).last().map(String::as_str), Some("status_id \"1\" \"6\""));
    }
}

#[test]
fn rules_about_fields_hold() {
    let world = world();
    world.write(|db| {
        for role in [MANAGER, DEVELOPER, RoleId(5)] {
            workflow::rule(db, TrackerId(1), role, StatusId(1), "due_date", Rule::ReadOnly)?;
            workflow::rule(db, TrackerId(1), role, StatusId(2), "assigned_to_id", Rule::Required)?;
        }
        Ok(())
    });
    let id = write(&world, "alice", "open", ",\"due_date\":\"2030-01-01\"");
    assert!(show(&world, id)["due_date"].is_null());
    assert_eq!(errors(&world, id, r#""status_id":2"#), ["Assignee cannot be blank"]);
    let issue = put(&world, "alice", id, r#""status_id":2,"assigned_to_id":"me","due_date":"2030-01-01""#);
    assert_eq!((issue["assigned_to"]["id"].as_i64(), issue["due_date"].as_str()), (Some(2), Some("2030-01-01")));
}

#[test]
fn a_change_of_something_older_is_refused() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    put(&world, "alice", id, r#""lock_version":0,"subject":"first""#);
    let sentences = errors(&world, id, r#""lock_version":0,"subject":"second""#);
    assert!(sentences[0].starts_with("Lock version is out of date"), "{sentences:?}");
    assert_eq!(show(&world, id)["subject"], "first");
}

#[test]
fn whoever_writes_watches_if_that_is_permitted() {
    let world = world();
    let id = write(&world, "bob", "open", ",\"watcher_user_ids\":[2]");
    assert_eq!(show(&world, id)["watchers"], json!([]), "developers may not add watchers");
    put(&world, "bob", id, r#""notes":"mine""#);
    put(&world, "alice", id, r#""notes":"mine too""#);
    assert_eq!(show(&world, id)["watchers"], json!([{"id": 2, "name": "alice Tester"}]));
    let id = write(&world, "alice", "open", ",\"watcher_user_ids\":[3,\"4\",3]");
    assert_eq!(show(&world, id)["watchers"], json!([{"id": 3, "name": "bob Tester"}, {"id": 4, "name": "carol Tester"}]));
    let post = |watchers: &str| {
        let body = format!("{{\"issue\":{{\"project_id\":\"open\",\"subject\":\"x\",\"watcher_user_ids\":{watchers}}}}}");
        world.as_user("alice").post("/issues.json", &body)
    };
    let _ = post("[99]").expect(404);
    assert_eq!(post("[6]").expect(422).errors(), ["Watchers is invalid"]);
}

#[test]
fn several_are_deleted_together_or_not_at_all() {
    let world = world();
    let ids = [write(&world, "alice", "open", ""), write(&world, "alice", "open", "")];
    let alice = world.as_user("alice");
    let both = |suffix: &str| format!("/issues{suffix}?ids[]={}&ids[]={}", ids[0], ids[1]);
    let _ = world.as_user("bob").delete(&both(".json")).expect(403);
    let _ = alice.delete(&format!("{}&ids[]=999", both(".json"))).expect(404);
    let _ = alice.delete("/issues.json").expect(404);
    let _ = alice.delete(&format!("{}&todo=maybe", both(".json"))).expect(422);
    assert_eq!(alice.get("/issues.json").expect(200).json()["total_count"], 2);
    let _ = alice.delete(&both(".xml")).expect(200);
    assert_eq!(alice.get("/issues.json").expect(200).json()["total_count"], 0);
}

#[test]
fn dates_numbers_and_places_that_cannot_be_are_named_in_their_order() {
    let world = world();
    let body = r#"{"issue":{"project_id":"open","subject":"","priority_id":"x","done_ratio":400,"estimated_hours":"x","start_date":"abc",
        "due_date":"2024-02-30","fixed_version_id":99,"category_id":99,"assigned_to_id":99,"parent_issue_id":"q"}}"#;
    let sentences = [
        "Subject cannot be blank",
        "Priority cannot be blank",
        "% Done is not included in the list",
        "Estimated time is invalid",
        "Start date is not a valid date",
        "Due date is not a valid date",
        "Target version is not included in the list",
        "Category is not included in the list",
        "Assignee is invalid",
        "Parent task is invalid",
    ];
    assert_eq!(world.as_user("alice").post("/issues.json", body).expect(422).errors(), sentences);
    let body = r#"{"issue":{"project_id":"open","subject":"x","start_date":"2024-05-10","due_date":"2024-05-01"}}"#;
    assert_eq!(world.as_user("alice").post("/issues.json", body).expect(422).errors(), ["Due date must be greater than start date"]);
}

#[test]
fn the_done_ratio_can_follow_from_the_status() {
    let world = world();
    world.set(Setting::IssueDoneRatio, "issue_status");
    let id = write(&world, "alice", "open", ",\"done_ratio\":30");
    assert_eq!(show(&world, id)["done_ratio"], 30, "where the status says nothing it is the issue's own");
}

#[test]
fn a_category_does_not_come_along_to_where_it_is_not() {
    let world = world();
    world.project("other", true, &[("alice", MANAGER)]);
    let tank = world.write(|db| categories::insert(db, quarry::domain::ids::ProjectId(1), "Tank", None));
    let id = write(&world, "alice", "open", &format!(",\"category_id\":{tank}"));
    let fields = format!("\"project_id\":\"other\",\"category_id\":{tank}");
    assert_eq!(errors(&world, id, &fields), ["Category is not included in the list"]);
    assert_eq!(show(&world, id)["project"]["id"], 1);
}

#[test]
fn the_whole_and_its_parts_do_not_wait_for_each_other() {
    let world = world();
    let new = || write(&world, "alice", "open", "");
    let relate = |from: i64, to: i64, kind: &str| {
        let body = format!("{{\"relation\":{{\"issue_to_id\":{to},\"relation_type\":\"{kind}\"}}}}");
        let _ = world.as_user("alice").post(&format!("/issues/{from}/relations.json"), &body).expect(201);
    };
    for kind in ["precedes", "blocks", "follows", "blocked"] {
        let [top, above, one, below] = [new(), new(), new(), new()];
        put(&world, "alice", above, &format!("\"parent_issue_id\":{top}"));
        put(&world, "alice", below, &format!("\"parent_issue_id\":{one}"));
        relate(top, below, kind);
        assert_eq!(errors(&world, one, &format!("\"parent_issue_id\":{above}")), ["Parent task is invalid"], "{kind}");
        assert!(show(&world, one).get("parent").is_none());
    }
    let [parent, part] = [new(), new()];
    relate(parent, part, "relates");
    assert_eq!(put(&world, "alice", part, &format!("\"parent_issue_id\":{parent}"))["parent"]["id"], parent);
}

#[test]
fn hidden_subtasks_are_not_moved_to_where_the_viewer_sees_them() {
    let world = world();
    world.project("own", true, &[("bob", MANAGER)]);
    world.sql("UPDATE roles SET issues_visibility = 'default' WHERE id = 4");
    let top = write(&world, "bob", "open", "");
    let part = write(&world, "alice", "open", &format!(",\"parent_issue_id\":{top}"));
    let hidden = write(&world, "alice", "open", &format!(",\"parent_issue_id\":{part},\"is_private\":true"));
    let bob = world.as_user("bob");
    let body = r#"{"issue":{"project_id":"own","subject":"Moved"}}"#;
    let refused = bob.put(&format!("/issues/{top}.json"), body).expect(422);
    assert_eq!(refused.errors(), ["Project cannot be changed because the issue has subtasks that you cannot see"]);
    assert_eq!([top, part, hidden].map(|id| show(&world, id)["project"]["id"].as_i64()), [Some(1); 3]);
    assert_eq!(show(&world, top)["subject"], "A thing", "nothing else was changed either");
    let _ = bob.get(&format!("/issues/{hidden}.json")).expect(403);
    // What the viewer sees comes along, be it the viewer's or not.
    world.edit(hidden, |issue| issue.private = false);
    put(&world, "bob", top, r#""project_id":"own""#);
    let own = [top, part, hidden]
        .map(|id| world.as_user("bob").get(&format!("/issues/{id}.json")).expect(200).json()["issue"]["project"]["id"].as_i64());
    assert_eq!(own, [Some(3); 3]);
}

#[test]
fn a_parent_that_is_hidden_is_neither_guessed_nor_taken_away() {
    let world = world();
    let hidden = write(&world, "alice", "open", "");
    let part = write(&world, "alice", "open", &format!(",\"parent_issue_id\":{hidden}"));
    world.edit(hidden, |issue| issue.private = true);
    world.sql("INSERT OR IGNORE INTO role_permissions (role_id, name) VALUES (4, 'manage_subtasks')");
    for number in [hidden, 9999] {
        let body = format!("{{\"issue\":{{\"parent_issue_id\":{number}}}}}");
        let answer = world.as_user("bob").put(&format!("/issues/{part}.json"), &body).expect(422);
        assert_eq!(answer.errors(), ["Parent task is invalid"], "{number}");
    }
    assert!(put(&world, "bob", part, r#""parent_issue_id":"""#).get("parent").is_none(), "not seen");
    assert_eq!(show(&world, part)["parent"]["id"], hidden, "and still there");
    assert!(put(&world, "alice", part, r#""parent_issue_id":"""#).get("parent").is_none());
}

#[test]
fn who_is_locked_is_not_assigned_for_having_written_the_issue() {
    let world = world();
    let id = write(&world, "carol", "open", "");
    world.sql("UPDATE users SET status = 3 WHERE id = 4");
    assert_eq!(errors(&world, id, r#""assigned_to_id":4"#), ["Assignee is invalid"]);
}

#[test]
fn nobody_watches_whom_the_asker_may_not_know() {
    let world = world();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let body = |watcher: i64| format!("{{\"issue\":{{\"project_id\":\"open\",\"subject\":\"A thing\",\"watcher_user_ids\":[{watcher}]}}}}");
    let post = |watcher: i64| world.as_user("alice").post("/issues.json", &body(watcher));
    // Bob is a member here.
    let _ = post(3).expect(201);
    let refused: Vec<String> = [1, 5, 6, 9999].into_iter().map(|unknown| post(unknown).expect(404).body).collect();
    assert!(refused.iter().all(|said| *said == refused[0]), "the administrator, who is a member of nothing, who is locked, nobody");
    let id = write(&world, "alice", "open", "");
    for unknown in [5, 6, 9999] {
        let _ = world.as_user("alice").delete(&format!("/issues/{id}/watchers/{unknown}.json")).expect(404);
    }
}

#[test]
fn hours_are_bounded_so_that_their_sums_are_numbers() {
    let world = world();
    let parent = write(&world, "alice", "open", "");
    let create = |hours: &str| {
        let body = format!(r#"{{"issue":{{"project_id":"open","subject":"x","parent_issue_id":{parent},"estimated_hours":{hours}}}}}"#);
        world.as_user("alice").post("/issues.json", &body)
    };
    assert_eq!(create("1e308").expect(422).errors(), ["Estimated time is invalid"]);
    assert_eq!(create("1000000001").expect(422).errors(), ["Estimated time is invalid"]);
    let _ = create("1000000000").expect(201);
    let _ = create("1e9").expect(201);
    let issue = world.as_user("alice").get(&format!("/issues/{parent}.json")).expect(200).json()["issue"].clone();
    assert_eq!(issue["total_estimated_hours"], 2e9);
    let body = r#"{"time_entry":{"project_id":"open","activity_id":8,"hours":1e308}}"#;
    assert_eq!(world.as_user("alice").post("/time_entries.json", body).expect(422).errors(), ["Hours is invalid"]);
}

#[test]
fn what_follows_for_all_above_is_the_same_as_worked_out_at_once() {
    let world = world();
    let mut chain = vec![write(&world, "alice", "open", "")];
    for level in 1..=5 {
        let above = chain[chain.len() - 1];
        chain.push(write(&world, "alice", "open", &format!(r#","parent_issue_id":{above},"estimated_hours":{level}"#)));
        // One that is done beside each, and one without an estimate below that.
        let beside = write(&world, "alice", "open", &format!(r#","parent_issue_id":{above},"estimated_hours":{}"#, 10 - level));
        write(&world, "alice", "open", &format!(r#","parent_issue_id":{beside},"done_ratio":100"#));
    }
    let deepest = chain[5];
    let done = |id: i64| show(&world, id)["done_ratio"].as_i64().unwrap();
    // From below: 5 hours, half done, beside 5 that are done; then with them the own hours of each level.
    let wanted = |own: f64, ratio: f64| {
        let (mut below, mut ratio, mut found) = (own, ratio, Vec::new());
        for level in (1..=5).rev() {
            let beside = f64::from(10 - level);
            ratio = ((below * ratio + beside * 100.0) / (below + beside) + 1e-9).floor();
            below += beside + f64::from(level - 1);
            found.insert(0, ratio as i64);
        }
        found
    };
    let put = |body: &str| {
        let _ = world.as_user("alice").put(&format!("/issues/{deepest}.json"), &format!(r#"{{"issue":{{{body}}}}}"#)).expect(200);
        chain[..5].iter().map(|id| done(*id)).collect::<Vec<i64>>()
    };
    assert_eq!(put(r#""done_ratio":50"#), wanted(5.0, 50.0));
    // Hours alone weigh anew on every level.
    assert_eq!(put(r#""estimated_hours":50"#), wanted(50.0, 50.0));
    assert_eq!(put(r#""estimated_hours":50,"done_ratio":0"#), wanted(50.0, 0.0));
}

/// Where nothing follows that was not so before, nothing above is asked or written.
#[test]
fn a_note_touches_nothing_above() {
    let world = world();
    let top = write(&world, "alice", "open", "");
    let middle = write(&world, "alice", "open", &format!(r#","parent_issue_id":{top}"#));
    let below = write(&world, "alice", "open", &format!(r#","parent_issue_id":{middle},"done_ratio":40"#));
    world.edit(top, |issue| issue.done_ratio = 7);
    let put = |body: &str| world.as_user("alice").put(&format!("/issues/{below}.json"), &format!(r#"{{"issue":{{{body}}}}}"#));
    let _ = put(r#""notes":"just said""#).expect(200);
    assert_eq!(show(&world, top)["done_ratio"], 7);
    let _ = put(r#""done_ratio":60"#).expect(200);
    assert_eq!((&show(&world, middle)["done_ratio"], &show(&world, top)["done_ratio"]), (&json!(60), &json!(60)));
}
