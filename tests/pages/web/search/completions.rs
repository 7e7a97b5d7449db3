//! Completions of qualifiers with counts (docs/search.md, section 11).

use super::page;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::search::world;
use quarry_world::{World, percent_encode};
use serde_json::{Value, json};

fn complete(world: &World, login: &str, query: &str) -> Vec<Value> {
    let path = format!(
        "/search/suggest/qualifiers.json?q={}",
        percent_encode(query)
    );
    let json = world.as_user(login).get(&path).assert_status(200).json();
    json["completions"].as_array().unwrap().clone()
}

fn texts(world: &World, login: &str, query: &str) -> Vec<String> {
    complete(world, login, query)
        .iter()
        .map(|completion| completion["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_completion_has_as_many_results_as_it_says() {
    let world = world();
    let mut seen = 0;
    for login in ["admin", "alice", "dave"] {
        for query in [
            "rocket is:",
            "rocket -is:",
            "type:",
            "rocket type:",
            "rocket project:o",
            "author:",
            "rocket -author:a",
            "assignee:n",
            "status:\"n",
            "tracker:b",
            "priority:",
            "version:",
            "category:",
            "rocket project:open type:news type:",
            "\"rocket\" in:",
            "has:",
        ] {
            for completion in complete(&world, login, query) {
                let q = completion["q"].as_str().unwrap();
                let count = completion["count"].as_i64().unwrap();
                let path = format!("/search?q={}", percent_encode(q));
                assert_eq!(page(&world, login, &path).total, count, "{login}: {q}");
                assert!(count > 0, "{login}: {q}");
                seen += 1;
            }
        }
    }
    assert!(seen > 60, "{seen}");
}

/// A world in which an issue has changed its status, and has custom fields of which one is for a role.
fn world_with_changes() -> World {
    let world = world();
    for (name, is_visible) in [("Severity", true), ("Secret level", false)] {
        let roles = if is_visible { json!([]) } else { json!([4]) };
        let fields = json!({
            "customized_type": "issue", "name": name, "field_format": "list", "is_for_all": true,
            "tracker_ids": [1, 2, 3], "possible_values": ["High", "Very low"],
            "visible": is_visible, "role_ids": roles,
        });
        let body = json!({ "custom_field": fields });
        let response = world.as_user("admin").post("/custom_fields.json", body);
        response.assert_status(201);
    }
    let values = json!([{"id": 1, "value": "High"}, {"id": 2, "value": "High"}]);
    let change = json!({"issue": {"status_id": 2, "custom_fields": values}});
    let response = world.as_user("admin").put("/issues/1.json", change);
    response.assert_status(200);
    world
}

#[test]
fn values_of_changes_and_custom_fields_are_completed_with_counts() {
    let world = world_with_changes();
    let mut seen = Vec::new();
    for query in [
        "changed:status by:",
        "rocket (was:New on:",
        "was:New by:me on:t",
        "changed:status on:today by:\"a",
        "field:Severity=",
        "field:\"Severity\"=h",
    ] {
        for completion in complete(&world, "admin", query) {
            let q = completion["q"].as_str().unwrap();
            let path = format!(
                "/search?q={}",
                percent_encode(&format!("{q}{}", if q.contains('(') { ")" } else { "" }))
            );
            let count = completion["count"].as_i64().unwrap();
            assert_eq!(page(&world, "admin", &path).total, count, "{q}");
            assert!(count > 0, "{q}");
            seen.push(completion["text"].as_str().unwrap().to_owned());
        }
    }
    for text in [
        "by:me",
        "on:today",
        "field:Severity=High",
        "field:Severity=any",
    ] {
        assert!(seen.contains(&text.to_owned()), "{text}: {seen:?}");
    }
    // Only after a change, each once, and only fields and people that one may see.
    assert_eq!(texts(&world, "admin", "changed:status b"), ["by:"]);
    assert_eq!(texts(&world, "admin", "changed:status by:me o"), ["on:"]);
    for query in [
        "rocket b",
        "rocket by:",
        "(changed:status) by:",
        "changed:status by:me by:",
    ] {
        assert_eq!(texts(&world, "admin", query), [""; 0], "{query}");
    }
    assert!(!texts(&world, "admin", "field:\"Secret level\"=").is_empty());
    for query in ["field:", "field:\"Secret level\"="] {
        let shown = texts(&world, "dave", query);
        assert!(
            shown.iter().all(|text| !text.contains("Secret")),
            "{shown:?}"
        );
    }
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'; UPDATE projects SET is_public = 0");
    assert_eq!(texts(&world, "dave", "changed:status by:\"a"), [""; 0]);
}

#[test]
fn names_of_qualifiers_are_completed_without_counts() {
    let world = world();
    assert_eq!(texts(&world, "dave", "rocket -st"), ["-status:", "-start:"]);
    assert_eq!(
        texts(&world, "dave", "(rocket OR -(sta"),
        ["status:", "start:"]
    );
    assert_eq!(texts(&world, "dave", "rocket "), Vec::<String>::new());
    assert_eq!(texts(&world, "dave", "s"), Vec::<String>::new());
    assert!(complete(&world, "dave", "st")[0]["count"].is_null());
}

#[test]
fn values_with_spaces_are_quoted() {
    let world = world();
    world
        .as_user("admin")
        .put("/issues/1.json", json!({"issue": {"status_id": 2}}))
        .assert_status(200);
    for query in [
        "rocket status:in",
        "rocket status:\"in pro",
        "rocket status:prog",
    ] {
        assert_eq!(
            texts(&world, "dave", query),
            ["status:\"In Progress\""],
            "{query}"
        );
    }
}

#[test]
fn hidden_projects_versions_and_people_are_not_offered() {
    let world = world();
    assert_eq!(texts(&world, "dave", "project:sec"), Vec::<String>::new());
    assert_eq!(texts(&world, "alice", "project:sec"), ["project:secret"]);
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let hidden = texts(&world, "dave", "author:\"alice");
    let shown = texts(&world, "admin", "author:\"alice");
    assert!(
        shown.len() >= hidden.len() && !shown.is_empty(),
        "{shown:?}"
    );
    world.sql("UPDATE projects SET is_public = 0");
    assert_eq!(
        texts(&world, "dave", "author:\"alice"),
        Vec::<String>::new()
    );
}

#[test]
fn completions_are_bounded_and_hostile_ends_of_queries_are_harmless() {
    let world = world();
    let long = format!("{} project:", "x ".repeat(5_000));
    for query in [
        long.as_str(),
        ":",
        "-:",
        "nosuch:",
        "is:open asignee:",
        "status:new status:",
        "\"",
        "project:\"",
        "\"open project:",
        "a:b:c:",
        "project:\u{0}",
        "project:%",
        "author:*",
        "rocket OR project:",
        "is: project:",
        "changed: by:",
        "changed:status by:\u{0}",
        "changed:status by:\"",
        "-changed:status -by:a",
        "field:\"=\"=",
        "field:===",
    ] {
        assert!(complete(&world, "dave", query).len() <= 8, "{query}");
    }
    let many = "is:open ".repeat(900) + "project:";
    assert!(complete(&world, "dave", &many).is_empty());
}

#[test]
fn completions_work_with_the_session_while_the_api_is_off() {
    let world = world();
    let browser = Browser::logged_in(&world, "alice");
    world.set(Setting::RestApiEnabled, "0");
    browser
        .get_json("/search/suggest/qualifiers?q=rocket+is:")
        .assert_status(200);
    browser
        .get("/search?q=rocket")
        .assert_contains("data-complete=\"/search/suggest/qualifiers\"");
    Browser::new(&world)
        .get_json("/search/suggest/qualifiers?q=is:")
        .assert_status(401);
}
