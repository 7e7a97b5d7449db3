//! `GET /issues/:id`

use super::{world, write};
use crate::world::World;
use quarry::domain::ids::{IssueId, ProjectId, StatusId, UserId};
use quarry::domain::visibility::Visible;
use quarry::store::issues;
use quarry::store::repositories::{self, NewChangeset};

#[test]
fn an_issue_looks_the_same_in_both_formats() {
    let world = world();
    let id = write(&world, "alice", "open", ",\"description\":\"\"");
    let issue = world.as_user("dave").get(&format!("/issues/{id}.json")).expect(200).json()["issue"].clone();
    assert_eq!((issue["subject"].as_str(), issue["spent_hours"].as_f64()), (Some("A thing"), Some(0.0)));
    let xml = world.as_user("dave").get(&format!("/issues/{id}.xml")).expect(200).body;
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><issue><id>1</id><project id=\"1\" name=\"open\"/><tracker id=\"1\" name=\"Bug\"/>\
                 <status id=\"1\" name=\"New\" is_closed=\"false\"/><priority id=\"2\" name=\"Normal\"/><author id=\"2\" name=\"alice Tester\"/>\
                 <subject>A thing</subject><description/><start_date>2026-11-20</start_date><due_date/><done_ratio>0</done_ratio>";
    assert!(xml.starts_with(start), "{xml}");
}

#[test]
fn who_may_not_see_it_is_told_so_and_nothing_more() {
    let world = world();
    let hidden = write(&world, "alice", "secret", "");
    let private = write(&world, "alice", "open", ",\"is_private\":true");
    for id in [hidden, private] {
        let answer = world.as_user("dave").get(&format!("/issues/{id}.json")).expect(403);
        assert!(!answer.body.contains("thing"), "{answer:?}");
    }
    let _ = world.anonymous().get(&format!("/issues/{hidden}.json")).expect(401);
    for missing in ["/issues/999.json", "/issues/0.json", "/issues/-1.json", "/issues/x.json", "/issues/99999999999999999999.json"] {
        let _ = world.as_user("dave").get(missing).expect(404);
    }
}

fn with(world: &World, login: &str, id: i64, include: &str) -> serde_json::Value {
    world.as_user(login).get(&format!("/issues/{id}.json?include={include}")).expect(200).json()["issue"].clone()
}

fn statuses(issue: &serde_json::Value) -> Vec<i64> {
    issue["allowed_statuses"].as_array().unwrap().iter().map(|status| status["id"].as_i64().unwrap()).collect()
}

#[test]
fn what_is_not_asked_for_is_not_there() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let plain = with(&world, "alice", id, "");
    assert_eq!(with(&world, "alice", id, "bogus,%20,journal"), plain);
    let names = "children,attachments,relations,changesets,journals,watchers,allowed_statuses";
    assert!(names.split(',').all(|name| plain.get(name).is_none()), "{plain}");
    let all = with(&world, "alice", id, names);
    let keys: Vec<&str> = all.as_object().unwrap().keys().map(String::as_str).collect();
    // Subtasks and relations are left out where there are none (contract 4.1).
    assert_eq!(keys[keys.len() - 5..], ["attachments", "changesets", "journals", "watchers", "allowed_statuses"]);
    let xml = world.as_user("alice").get(&format!("/issues/{id}.xml?include=watchers,changesets,attachments,relations")).expect(200).body;
    let empty =
        "<attachments type=\"array\"></attachments><changesets type=\"array\"></changesets><watchers type=\"array\"></watchers></issue>";
    assert!(xml.ends_with(empty), "{xml}");
    let list = world.as_user("alice").get(&format!("/issues.json?include={names}")).expect(200).json();
    let keys: Vec<&str> = list["issues"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys[keys.len() - 3..], ["closed_on", "attachments", "relations"], "a list has only these");
    assert_eq!(list["issues"][0]["relations"], serde_json::json!([]));
    let past = world.as_user("alice").get(&format!("/issues.json?include={names}&offset=9")).expect(200).json();
    assert_eq!(past["issues"], serde_json::json!([]));
}

#[test]
fn subtasks_are_listed_as_far_as_they_are_seen() {
    let world = world();
    let ids: Vec<i64> = (0..5).map(|_| write(&world, "alice", "open", "")).collect();
    // 1 above 2 and 3, 2 above 4, the private 3 above 5.
    for (child, parent) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        let parent = IssueId(ids[parent]);
        world.edit(ids[child], move |issue| (issue.parent, issue.private) = (Some(parent), child == 2));
    }
    let listed = |login: &str| with(&world, login, ids[0], "children")["children"].to_string();
    let leaf = |id: i64| format!("{{\"id\":{id},\"tracker\":{{\"id\":1,\"name\":\"Bug\"}},\"subject\":\"A thing\"}}");
    let above = |id: i64, below: String| format!("{},\"children\":[{below}]}}", leaf(id).trim_end_matches('}'));
    assert_eq!(listed("alice"), format!("[{},{}]", above(ids[1], leaf(ids[3])), above(ids[2], leaf(ids[4]))));
    assert_eq!(listed("bob"), format!("[{}]", above(ids[1], leaf(ids[3]))));
    let xml = world.as_user("bob").get(&format!("/issues/{}.xml?include=children", ids[0])).expect(200).body;
    let said = "<children type=\"array\"><issue id=\"2\"><tracker id=\"1\" name=\"Bug\"/><subject>A thing</subject><children type=\"array\">\
                <issue id=\"4\"><tracker id=\"1\" name=\"Bug\"/><subject>A thing</subject></issue></children></issue></children></issue>";
    assert!(xml.ends_with(said), "{xml}");
    assert!(with(&world, "bob", ids[3], "children").get("children").is_none());
    // A circle, which only a broken record can make, ends.
    let (top, bottom) = (ids[0], IssueId(ids[3]));
    world.edit(top, move |issue| issue.parent = Some(bottom));
    let _ = with(&world, "alice", top, "children,allowed_statuses");
    world.edit(top, |issue| issue.parent = None);
}

#[test]
fn a_very_deep_tree_is_cut_off() {
    let world = world();
    let ids: Vec<i64> = (0..160).map(|_| write(&world, "alice", "open", "")).collect();
    world.write(move |db| {
        for pair in ids.windows(2) {
            let mut issue = issues::find(db, &Visible::Everything, IssueId(pair[1]))?.unwrap();
            issue.parent = Some(IssueId(pair[0]));
            issues::change(db, &issue)?;
        }
        Ok(())
    });
    let shown = world.as_user("alice").get("/issues/1.xml?include=children").expect(200).body;
    assert_eq!(shown.matches("<children").count(), 100);
}

#[test]
fn allowed_statuses_follow_the_workflow_and_what_stands_around_the_issue() {
    let world = world();
    let id = write(&world, "alice", "open", ",\"assigned_to_id\":3");
    let of = |login: &str, id: i64| statuses(&with(&world, login, id, "allowed_statuses"));
    assert_eq!(of("alice", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(of("admin", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(of("bob", id), [1, 2, 3, 4, 5]);
    assert_eq!(of("carol", id), [1, 5]);
    assert_eq!(of("dave", id), [0; 0]);
    let first = with(&world, "carol", id, "allowed_statuses")["allowed_statuses"][1].to_string();
    assert_eq!(first, r#"{"id":5,"name":"Closed","is_closed":true}"#);
    // An open issue that blocks it keeps it open; a closed one no longer does.
    let blocker = write(&world, "alice", "open", "");
    let body = format!("{{\"relation\":{{\"issue_to_id\":{id},\"relation_type\":\"blocks\"}}}}");
    let _ = world.as_user("alice").post(&format!("/issues/{blocker}/relations.json"), &body).expect(201);
    assert_eq!(of("alice", id), [1, 2, 3, 4]);
    world.edit(blocker, |issue| issue.status = StatusId(5));
    assert_eq!(of("alice", id), [1, 2, 3, 4, 5, 6]);
    // So does an open one below it, however deep; and below a closed one nothing is open.
    let (child, grandchild) = (write(&world, "alice", "open", ""), write(&world, "alice", "open", ""));
    world.edit(child, move |issue| (issue.parent, issue.status) = (Some(IssueId(id)), StatusId(5)));
    world.edit(grandchild, move |issue| issue.parent = Some(IssueId(child)));
    assert_eq!(of("alice", id), [1, 2, 3, 4]);
    world.edit(grandchild, |issue| issue.status = StatusId(6));
    assert_eq!(of("alice", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(of("alice", grandchild), [5, 6]);
}

#[test]
fn changesets_need_their_own_permission_in_their_own_project() {
    let world = world();
    let id = write(&world, "alice", "open", "");
    let clock = world.app.clock.clone();
    world.write(move |db| {
        for (project, revision, by) in [(1, "abc", Some(UserId(3))), (2, "def", None)] {
            let repository = repositories::insert(db, ProjectId(project), "main", "Git", true)?;
            let changeset = repositories::insert_changeset(
                db,
                &NewChangeset { repository, revision, committer: "x", user: by, committed_on: clock.now(), comments: "Fixes it" },
            )?;
            repositories::link(db, changeset, IssueId(id))?;
        }
        Ok(())
    });
    let revisions = |login: &str| -> Vec<String> {
        let issue = with(&world, login, id, "changesets");
        issue["changesets"].as_array().unwrap().iter().map(|changeset| changeset["revision"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(revisions("alice"), ["abc", "def"]);
    assert_eq!(revisions("bob"), ["abc"], "not from the project that is hidden from bob");
    let xml = world.as_user("bob").get(&format!("/issues/{id}.xml?include=changesets")).expect(200).body;
    let said = "<changesets type=\"array\"><changeset revision=\"abc\"><user id=\"3\" name=\"bob Tester\"/><comments>Fixes it</comments>\
                <committed_on>2026-11-20T12:00:00Z</committed_on></changeset></changesets></issue>";
    assert!(xml.ends_with(said), "{xml}");
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'view_changesets'");
    assert_eq!(revisions("bob"), [""; 0]);
}
