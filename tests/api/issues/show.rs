//! `GET /issues/:id`

use quarry::domain::access::visible::Visible;
use quarry::domain::ids::{IssueId, ProjectId, StatusId, UserId};
use quarry::domain::projects::changeset::Changeset;
use quarry::domain::projects::repository::Repository;
use quarry::store::issues;
use quarry::store::projects::{changesets, repositories};
use quarry_world::World;
use serde_json::{Value, json};

#[test]
fn issue_has_the_same_content_in_json_and_xml() {
    let world = World::with_projects();
    let id = world.issue("open").description("").create();
    let issue = world
        .as_user("dave")
        .get(&format!("/issues/{id}.json"))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(issue["subject"], "A thing");
    assert_eq!(issue["spent_hours"], 0.0);
    let xml = world
        .as_user("dave")
        .get(&format!("/issues/{id}.xml"))
        .assert_status(200)
        .body;
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><issue><id>1</id><project id=\"1\" name=\"open\"/><tracker id=\"1\" name=\"Bug\"/>\
                 <status id=\"1\" name=\"New\" is_closed=\"false\"/><priority id=\"2\" name=\"Normal\"/><author id=\"2\" name=\"alice Tester\"/>\
                 <subject>A thing</subject><description></description><start_date>2026-11-20</start_date><due_date/><done_ratio>0</done_ratio>";
    assert!(xml.starts_with(start), "{xml}");
}

#[test]
fn show_requires_permission() {
    let world = World::with_projects();
    let hidden = world.issue("secret").create();
    let private = world.issue("open").private().create();
    for id in [hidden, private] {
        let response = world
            .as_user("dave")
            .get(&format!("/issues/{id}.json"))
            .assert_status(403);
        assert!(!response.body.contains("thing"), "{response:?}");
    }
    world
        .anonymous()
        .get(&format!("/issues/{hidden}.json"))
        .assert_status(401);
    for missing in [
        "/issues/999.json",
        "/issues/0.json",
        "/issues/-1.json",
        "/issues/x.json",
        "/issues/99999999999999999999.json",
    ] {
        world.as_user("dave").get(missing).assert_status(404);
    }
}

fn statuses(issue: &serde_json::Value) -> Vec<i64> {
    issue["allowed_statuses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|status| status["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn associations_are_omitted_by_default() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let plain = world.show_issue("alice", id, "");
    assert_eq!(world.show_issue("alice", id, "bogus,%20,journal"), plain);
    let names = "children,attachments,relations,changesets,journals,watchers,allowed_statuses";
    assert!(
        names.split(',').all(|name| plain.get(name).is_none()),
        "{plain}"
    );
    let all = world.show_issue("alice", id, names);
    let keys: Vec<&str> = all
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    // Without subtasks or relations the keys are omitted (compatibility 6.1).
    assert_eq!(
        keys[keys.len() - 5..],
        [
            "attachments",
            "changesets",
            "journals",
            "watchers",
            "allowed_statuses"
        ]
    );
    let xml = world
        .as_user("alice")
        .get(&format!(
            "/issues/{id}.xml?include=watchers,changesets,attachments,relations"
        ))
        .assert_status(200)
        .body;
    let empty = "<attachments type=\"array\"></attachments><changesets type=\"array\"></changesets><watchers type=\"array\"></watchers></issue>";
    assert!(xml.ends_with(empty), "{xml}");
    let list = world
        .as_user("alice")
        .get(&format!("/issues.json?include={names}"))
        .assert_status(200)
        .json();
    let keys: Vec<&str> = list["issues"][0]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys[keys.len() - 3..],
        ["closed_on", "attachments", "relations"],
        "a list has only these"
    );
    assert_eq!(list["issues"][0]["relations"], json!([]));
    let past = world
        .as_user("alice")
        .get(&format!("/issues.json?include={names}&offset=9"))
        .assert_status(200)
        .json();
    assert_eq!(past["issues"], json!([]));
}

fn leaf_json(id: i64) -> Value {
    json!({"id": id, "tracker": {"id": 1, "name": "Bug"}, "subject": "A thing"})
}

fn parent_json(id: i64, child: Value) -> Value {
    let mut issue = leaf_json(id);
    issue["children"] = json!([child]);
    issue
}

#[test]
fn children_include_visible_subtasks_only() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..5).map(|_| world.issue("open").create()).collect();
    // 1 is the parent of 2 and 3, 2 of 4, the private 3 of 5.
    for (child, parent) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        let parent = IssueId(ids[parent]);
        world.edit(ids[child], move |issue| {
            (issue.parent, issue.private) = (Some(parent), child == 2)
        });
    }
    assert_eq!(
        world.show_issue("alice", ids[0], "children")["children"].clone(),
        json!([
            parent_json(ids[1], leaf_json(ids[3])),
            parent_json(ids[2], leaf_json(ids[4]))
        ])
    );
    assert_eq!(
        world.show_issue("bob", ids[0], "children")["children"].clone(),
        json!([parent_json(ids[1], leaf_json(ids[3]))])
    );
    let xml = world
        .as_user("bob")
        .get(&format!("/issues/{}.xml?include=children", ids[0]))
        .assert_status(200)
        .body;
    let text = "<children type=\"array\"><issue id=\"2\"><tracker id=\"1\" name=\"Bug\"/><subject>A thing</subject><children type=\"array\">\
                <issue id=\"4\"><tracker id=\"1\" name=\"Bug\"/><subject>A thing</subject></issue></children></issue></children></issue>";
    assert!(xml.ends_with(text), "{xml}");
    assert!(
        world
            .show_issue("bob", ids[3], "children")
            .get("children")
            .is_none()
    );
    // A cycle, possible only with corrupt data, terminates.
    let top = ids[0];
    let bottom = IssueId(ids[3]);
    world.edit(top, move |issue| issue.parent = Some(bottom));
    world.show_issue("alice", top, "children,allowed_statuses");
    world.edit(top, |issue| issue.parent = None);
}

#[test]
fn deep_tree_of_children_is_truncated() {
    let world = World::with_projects();
    let ids: Vec<i64> = (0..160).map(|_| world.issue("open").create()).collect();
    world.write(move |db| {
        for pair in ids.windows(2) {
            let mut issue = issues::find(db, &Visible::Everything, IssueId(pair[1]))?.unwrap();
            issue.parent = Some(IssueId(pair[0]));
            issues::update(db, &issue)?;
        }
        Ok(())
    });
    let shown = world
        .as_user("alice")
        .get("/issues/1.xml?include=children")
        .assert_status(200)
        .body;
    assert_eq!(shown.matches("<children").count(), 100);
}

fn allowed_statuses(world: &World, login: &str, id: i64) -> Vec<i64> {
    statuses(&world.show_issue(login, id, "allowed_statuses"))
}

#[test]
fn allowed_statuses_follow_workflow_and_related_issues() {
    let world = World::with_projects();
    let id = world.issue("open").field("assigned_to_id", 3).create();
    assert_eq!(allowed_statuses(&world, "alice", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(allowed_statuses(&world, "admin", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(allowed_statuses(&world, "bob", id), [1, 2, 3, 4, 5]);
    assert_eq!(allowed_statuses(&world, "carol", id), [1, 5]);
    assert_eq!(allowed_statuses(&world, "dave", id), [0; 0]);
    let first =
        world.show_issue("carol", id, "allowed_statuses")["allowed_statuses"][1].to_string();
    assert_eq!(first, r#"{"id":5,"name":"Closed","is_closed":true}"#);
    // An open blocking issue prevents closing; a closed one does not.
    let blocker = world.issue("open").create();
    let body = json!({"relation": {"issue_to_id": id, "relation_type": "blocks"}});
    world
        .as_user("alice")
        .post(&format!("/issues/{blocker}/relations.json"), &body)
        .assert_status(201);
    assert_eq!(allowed_statuses(&world, "alice", id), [1, 2, 3, 4]);
    world.edit(blocker, |issue| issue.status = StatusId(5));
    assert_eq!(allowed_statuses(&world, "alice", id), [1, 2, 3, 4, 5, 6]);
    // An open descendant does too; below a closed parent no issue can be open.
    let child = world.issue("open").create();
    let grandchild = world.issue("open").create();
    world.edit(child, move |issue| {
        (issue.parent, issue.status) = (Some(IssueId(id)), StatusId(5))
    });
    world.edit(grandchild, move |issue| issue.parent = Some(IssueId(child)));
    assert_eq!(allowed_statuses(&world, "alice", id), [1, 2, 3, 4]);
    world.edit(grandchild, |issue| issue.status = StatusId(6));
    assert_eq!(allowed_statuses(&world, "alice", id), [1, 2, 3, 4, 5, 6]);
    assert_eq!(allowed_statuses(&world, "alice", grandchild), [5, 6]);
}

fn revisions(world: &World, id: i64, login: &str) -> Vec<String> {
    let issue = world.show_issue(login, id, "changesets");
    issue["changesets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|changeset| changeset["revision"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn changesets_require_permission_in_their_project() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let clock = world.app.clock.clone();
    world.write(move |db| {
        for (project, revision, by) in [(1, "abc", Some(UserId(3))), (2, "def", None)] {
            let main = Repository {
                project: ProjectId(project),
                identifier: "main".to_owned(),
                scm: "Git".to_owned(),
                is_default: true,
                ..Repository::default()
            };
            let repository = repositories::insert(db, &main)?;
            let changeset = changesets::insert(
                db,
                &Changeset {
                    repository,
                    revision: revision.to_owned(),
                    committer: "x".to_owned(),
                    user: by,
                    committed_on: clock.now(),
                    comments: "Fixes it".to_owned(),
                    ..Changeset::default()
                },
            )?;
            changesets::link_issue(db, changeset, IssueId(id))?;
        }
        Ok(())
    });
    assert_eq!(revisions(&world, id, "alice"), ["abc", "def"]);
    assert_eq!(
        revisions(&world, id, "bob"),
        ["abc"],
        "not from the project that is hidden from bob"
    );
    let xml = world
        .as_user("bob")
        .get(&format!("/issues/{id}.xml?include=changesets"))
        .assert_status(200)
        .body;
    let text = "<changesets type=\"array\"><changeset revision=\"abc\"><user id=\"3\" name=\"bob Tester\"/><comments>Fixes it</comments>\
                <committed_on>2026-11-20T12:00:00Z</committed_on></changeset></changesets></issue>";
    assert!(xml.ends_with(text), "{xml}");
    world.sql("DELETE FROM role_permissions WHERE role_id = 4 AND name = 'view_changesets'");
    assert_eq!(revisions(&world, id, "bob"), [""; 0]);
}

fn ids_in(world: &World, id: i64, list: &str) -> Vec<i64> {
    let items = world.show_issue("alice", id, list)[list]
        .as_array()
        .unwrap()
        .clone();
    items
        .iter()
        .map(|item| item["id"].as_i64().unwrap())
        .collect::<Vec<_>>()
}

#[test]
fn watchers_and_files_are_in_the_order_in_which_they_were_added() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .field("watcher_user_ids", json!([4, 2, "3", 4]))
        .create();
    assert_eq!(ids_in(&world, id, "watchers"), [4, 2, 3]);
    let body = json!({"watcher": {"user_ids": [5, 1]}});
    world
        .as_user("alice")
        .post(&format!("/issues/{id}/watchers.json"), body)
        .assert_status(204);
    assert_eq!(ids_in(&world, id, "watchers"), [4, 2, 3, 5, 1]);
    world.sql(&format!(
        "INSERT INTO attachments (id, container_kind, container_type, container_id, filename, author_id, created_on)
         VALUES (1, 0, 'Issue', {id}, 'late', 2, 300), (2, 0, 'Issue', {id}, 'early', 2, 100), (3, 0, 'Issue', {id}, 'early too', 2, 100)"
    ));
    assert_eq!(ids_in(&world, id, "attachments"), [2, 3, 1]);
}
