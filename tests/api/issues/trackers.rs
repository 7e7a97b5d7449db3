//! Imported roles that are limited to trackers (compatibility 5): they give no permission for other
//! trackers.

use quarry_world::{Client, IssueBuilder, REPORTER, Response, World};
use serde_json::{Map, Value, json};

/// Limits the roles Reporter, Non member and Anonymous with settings as Redmine stores them:
/// `limits` are permissions with their trackers.
fn limit(world: &World, limits: &[(&str, &[i64])]) {
    let all: Map<String, Value> = limits
        .iter()
        .map(|(name, _)| (name.to_string(), json!("0")))
        .collect();
    let limited: Map<String, Value> = limits
        .iter()
        .map(|(name, trackers)| {
            (
                name.to_string(),
                json!(trackers.iter().map(ToString::to_string).collect::<Vec<_>>()),
            )
        })
        .collect();
    let settings = json!({"permissions_all_trackers": all, "permissions_tracker_ids": limited});
    world.sql(&format!(
        "UPDATE roles SET settings_json = '{settings}' WHERE id IN (1, 2, {})",
        REPORTER.0
    ));
}

fn ids(list: &Value) -> Vec<i64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["id"].as_i64().unwrap())
        .collect()
}

#[test]
fn issues_of_other_trackers_are_hidden() {
    let world = World::with_projects();
    let hidden = world
        .issue("open")
        .field("tracker_id", 1)
        .description("gyroscope drifting northwards")
        .create();
    let shown = world
        .issue("open")
        .field("tracker_id", 2)
        .description("gyroscope drifting southwards")
        .create();
    let below = world
        .issue("open")
        .field("tracker_id", 2)
        .parent(hidden)
        .create();
    limit(&world, &[("view_issues", &[2])]);
    for (client, seen) in [
        (world.as_user("carol"), vec![shown, below]),
        (world.as_user("alice"), vec![hidden, shown, below]),
    ] {
        let list = client.get("/issues.json?sort=id").assert_status(200).json();
        assert_eq!(
            (ids(&list["issues"]), list["total_count"].as_i64()),
            (seen.clone(), Some(seen.len() as i64))
        );
        let found = client
            .get("/search.json?q=gyroscope")
            .assert_status(200)
            .json();
        let expected: Vec<i64> = seen.iter().copied().filter(|id| *id != below).collect();
        assert_eq!(
            found["total_count"].as_u64(),
            Some(expected.len() as u64),
            "{found}"
        );
        let similar = client
            .get(&format!("/issues/{shown}/similar.json"))
            .assert_status(200)
            .json();
        assert_eq!(
            ids(&similar["results"]).contains(&hidden),
            expected.contains(&hidden),
            "{similar}"
        );
        let suggested = client
            .get("/search/suggest.json?q=thing")
            .assert_status(200)
            .json();
        assert_eq!(
            suggested["results"].as_array().unwrap().len(),
            seen.len(),
            "{suggested}"
        );
        let statuses: Vec<u16> = [hidden, shown]
            .iter()
            .map(|id| client.get(&format!("/issues/{id}.json")).status)
            .collect();
        assert_eq!(
            statuses,
            [if expected.contains(&hidden) { 200 } else { 403 }, 200]
        );
        let parent = client
            .get(&format!("/issues/{below}.json"))
            .assert_status(200)
            .json()["issue"]["parent"]
            .clone();
        assert_eq!(parent.is_null(), !expected.contains(&hidden), "{parent}");
    }
    assert_eq!(
        world.as_user("dave").get("/issues.json").json()["total_count"],
        2
    );
    limit(&world, &[("view_issues", &[])]);
    assert_eq!(
        world.as_user("carol").get("/issues.json").json()["total_count"],
        0
    );
}

fn created_tracker(world: &World, issue: IssueBuilder) -> Value {
    let id = issue.create();
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .json_path("/issue/tracker/id")
}

#[test]
fn create_is_limited_to_the_trackers_of_the_role() {
    let world = World::with_projects();
    limit(&world, &[("add_issues", &[2])]);
    assert_eq!(
        created_tracker(
            &world,
            world.issue("open").author("carol").field("tracker_id", 1)
        ),
        2
    );
    assert_eq!(
        created_tracker(&world, world.issue("open").author("carol")),
        2
    );
    assert_eq!(created_tracker(&world, world.issue("open")), 1);
    limit(&world, &[("add_issues", &[])]);
    let body = json!({"issue": {"project_id": "open", "subject": "x"}});
    let response = world
        .as_user("carol")
        .post("/issues.json", body)
        .assert_status(422);
    assert!(
        response
            .errors()
            .contains(&"Project cannot be blank".to_owned()),
        "{response:?}"
    );
}

fn update(carol: &Client<'_>, id: i64, fields: Value) -> Response {
    carol.put(&format!("/issues/{id}.json"), json!({"issue": fields}))
}

#[test]
fn update_and_delete_are_limited_to_the_trackers_of_the_role() {
    let world = World::with_projects();
    let [first, second] =
        [1, 2].map(|tracker| world.issue("open").field("tracker_id", tracker).create());
    let role = REPORTER.0;
    world.sql(&format!("INSERT INTO role_permissions (role_id, name) VALUES ({role}, 'edit_issues'), ({role}, 'delete_issues')"));
    limit(
        &world,
        &[
            ("edit_issues", &[2]),
            ("add_issue_notes", &[2]),
            ("delete_issues", &[2]),
            ("add_issues", &[2]),
        ],
    );
    let carol = world.as_user("carol");
    update(&carol, first, json!({"subject": "Mine", "notes": "x"})).assert_status(403);
    carol
        .delete(&format!("/issues/{first}.json"))
        .assert_status(403);
    // The tracker cannot be changed to one without permission to add issues.
    let changed = update(&carol, second, json!({"subject": "Mine", "tracker_id": 1}))
        .assert_status(200)
        .json_path("/issue");
    assert_eq!(
        (&changed["subject"], &changed["tracker"]["id"]),
        (&"Mine".into(), &2.into())
    );
    // Users who may only add notes can change nothing else.
    limit(&world, &[("edit_issues", &[2])]);
    update(&carol, first, json!({"subject": "Mine", "notes": "x"}))
        .assert_status(200)
        .assert_json_path("/issue/subject", "A thing");
    limit(&world, &[("delete_issues", &[2])]);
    carol
        .delete(&format!("/issues/{second}.json"))
        .assert_status(200);
}
