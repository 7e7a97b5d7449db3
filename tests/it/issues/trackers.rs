//! Roles that moved in limited to some trackers (contract 3): what they do not give for a tracker, nobody gets by them.

use super::{world, write};
use crate::world::{REPORTER, World};
use serde_json::Value;

/// Gives the role of carol, who reports in `open`, and of strangers settings as a Redmine keeps them: `limits` are permissions with the
/// trackers for which they hold.
fn limit(world: &World, limits: &[(&str, &[i64])]) {
    let all: Vec<String> = limits.iter().map(|(name, _)| format!(r#""{name}":"0""#)).collect();
    let these = limits.iter().map(|(name, ids)| {
        let ids: Vec<String> = ids.iter().map(|id| format!(r#""{id}""#)).collect();
        format!(r#""{name}":[{}]"#, ids.join(","))
    });
    let these = these.collect::<Vec<_>>().join(",");
    let settings = format!(r#"{{"permissions_all_trackers":{{{}}},"permissions_tracker_ids":{{{these}}}}}"#, all.join(","));
    world.sql(&format!("UPDATE roles SET settings_json = '{settings}' WHERE id IN (1, 2, {})", REPORTER.0));
}

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|issue| issue["id"].as_i64().unwrap()).collect()
}

#[test]
fn issues_of_other_trackers_are_nowhere_to_be_seen() {
    let world = world();
    let hidden = write(&world, "alice", "open", r#","tracker_id":1,"description":"gyroscope drifting northwards""#);
    let shown = write(&world, "alice", "open", r#","tracker_id":2,"description":"gyroscope drifting southwards""#);
    let below = write(&world, "alice", "open", &format!(r#","tracker_id":2,"parent_issue_id":{hidden}"#));
    limit(&world, &[("view_issues", &[2])]);
    for (client, seen) in [(world.as_user("carol"), vec![shown, below]), (world.as_user("alice"), vec![hidden, shown, below])] {
        let list = client.get("/issues.json?sort=id").expect(200).json();
        assert_eq!((ids(&list["issues"]), list["total_count"].as_i64()), (seen.clone(), Some(seen.len() as i64)));
        let found = client.get("/search.json?q=gyroscope").expect(200).json();
        let wanted: Vec<i64> = seen.iter().copied().filter(|id| *id != below).collect();
        assert_eq!(found["total_count"].as_u64(), Some(wanted.len() as u64), "{found}");
        let similar = client.get(&format!("/issues/{shown}/similar.json")).expect(200).json();
        assert_eq!(ids(&similar["results"]).contains(&hidden), wanted.contains(&hidden), "{similar}");
        let suggested = client.get("/search/suggest.json?q=thing").expect(200).json();
        assert_eq!(suggested["results"].as_array().unwrap().len(), seen.len(), "{suggested}");
        let statuses: Vec<u16> = [hidden, shown].iter().map(|id| client.get(&format!("/issues/{id}.json")).status).collect();
        assert_eq!(statuses, [if wanted.contains(&hidden) { 200 } else { 403 }, 200]);
        let parent = client.get(&format!("/issues/{below}.json")).expect(200).json()["issue"]["parent"].clone();
        assert_eq!(parent.is_null(), !wanted.contains(&hidden), "{parent}");
    }
    assert_eq!(world.as_user("dave").get("/issues.json").json()["total_count"], 2);
    limit(&world, &[("view_issues", &[])]);
    assert_eq!(world.as_user("carol").get("/issues.json").json()["total_count"], 0);
}

#[test]
fn issues_are_added_in_the_trackers_of_the_role_alone() {
    let world = world();
    limit(&world, &[("add_issues", &[2])]);
    let tracker = |login: &str, more: &str| {
        let id = write(&world, login, "open", more);
        world.as_user("alice").get(&format!("/issues/{id}.json")).json()["issue"]["tracker"]["id"].clone()
    };
    assert_eq!((tracker("carol", r#","tracker_id":1"#), tracker("carol", ""), tracker("alice", "")), (2.into(), 2.into(), 1.into()));
    limit(&world, &[("add_issues", &[])]);
    let body = r#"{"issue":{"project_id":"open","subject":"x"}}"#;
    let answer = world.as_user("carol").post("/issues.json", body).expect(422);
    assert!(answer.errors().contains(&"Project cannot be blank".to_owned()), "{answer:?}");
}

#[test]
fn issues_are_changed_and_deleted_in_the_trackers_of_the_role_alone() {
    let world = world();
    let [first, second] = [1, 2].map(|tracker| write(&world, "alice", "open", &format!(r#","tracker_id":{tracker}"#)));
    let role = REPORTER.0;
    world.sql(&format!("INSERT INTO role_permissions (role_id, name) VALUES ({role}, 'edit_issues'), ({role}, 'delete_issues')"));
    limit(&world, &[("edit_issues", &[2]), ("add_issue_notes", &[2]), ("delete_issues", &[2]), ("add_issues", &[2])]);
    let carol = world.as_user("carol");
    let put = |id: i64, body: &str| carol.put(&format!("/issues/{id}.json"), &format!(r#"{{"issue":{{{body}}}}}"#));
    let _ = put(first, r#""subject":"Mine","notes":"x""#).expect(403);
    let _ = carol.delete(&format!("/issues/{first}.json")).expect(403);
    // The tracker of one that can be changed becomes none that cannot be added.
    let changed = put(second, r#""subject":"Mine","tracker_id":1"#).expect(200).json()["issue"].clone();
    assert_eq!((&changed["subject"], &changed["tracker"]["id"]), (&"Mine".into(), &2.into()));
    // With the right to write notes alone, nothing else is taken.
    limit(&world, &[("edit_issues", &[2])]);
    assert_eq!(put(first, r#""subject":"Mine","notes":"x""#).expect(200).json()["issue"]["subject"], "A thing");
    limit(&world, &[("delete_issues", &[2])]);
    let _ = carol.delete(&format!("/issues/{second}.json")).expect(200);
}
