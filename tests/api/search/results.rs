//! The format of the results (compatibility 10), their order and their pages.

use super::{search, titles};
use quarry::domain::administration::setting::Setting;
use quarry_world::search::world;
use serde_json::json;

#[test]
fn every_type_is_found_in_redmines_format() {
    let world = world();
    let response = search(&world, "dave", "q=rocket&sort=date&limit=100");
    let mut seen: Vec<[String; 3]> = response["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            ["type", "title", "url"].map(|name| {
                result[name]
                    .as_str()
                    .unwrap()
                    .replace("http://quarry.test", "")
            })
        })
        .collect();
    seen.sort();
    let expected = [
        (
            "changeset",
            "Revision abc12300 (main): Fix the rocket",
            "/projects/open/repository/main/revisions/abc1230000000000000000000000000000000002",
        ),
        ("document", "Document: Plan", "/documents/1"),
        ("issue", "Bug #1 (New): Rocket leaks", "/issues/1"),
        ("message", "General: Rockets?", "/boards/1/topics/1"),
        ("news", "Rocket news", "/news/1"),
        (
            "reply",
            "General: Re: Rockets?",
            "/boards/1/topics/1?r=2#message-2",
        ),
        (
            "wiki-page",
            "Wiki: Flying_high",
            "/projects/open/wiki/Flying_high",
        ),
    ];
    let expected = expected.map(|(kind, title, url)| [kind, title, url].map(str::to_owned));
    assert_eq!(seen, expected);
    assert_eq!(response["counts"]["messages"], 2);
    assert_eq!(
        titles(&search(&world, "dave", "q=open&projects=1")),
        ["Project: open"]
    );
}

#[test]
fn results_list_redmines_fields_first() {
    let world = world();
    let response = search(&world, "dave", "q=tank+leak");
    let result = &response["results"][0];
    let names: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "id",
            "title",
            "type",
            "url",
            "description",
            "datetime",
            "project",
            "excerpt",
            "score",
            "title_html",
            "highlights"
        ]
    );
    assert_eq!(result["description"], "The tank drips <b>fuel</b>");
    let excerpt = result["excerpt"].as_str().unwrap();
    assert!(
        excerpt.contains("<mark>tank</mark>") && !excerpt.contains("<b>"),
        "{excerpt}"
    );
    assert_eq!(result["score"], 1.0);
    assert_eq!(result["project"]["name"], "open");
    assert!(
        search(&world, "dave", "q=tank&description=0")["results"][0]
            .get("description")
            .is_none()
    );
    world.set(Setting::RedmineCompatibility, "1");
    let response = search(&world, "dave", "q=tank");
    let names: Vec<&String> = response["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["id", "title", "type", "url", "description", "datetime"]
    );
    assert!(response.get("counts").is_none());
}

#[test]
fn xml_has_the_same_results() {
    let world = world();
    let xml = world
        .as_user("dave")
        .get("/search.xml?q=tank")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<results total_count=\"1\" offset=\"0\" limit=\"25\" counts_issues=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains("<result><id>1</id><title>Bug #1 (New): Rocket leaks</title><type>issue</type><url>http://quarry.test/issues/1</url>"),
        "{xml}"
    );
}

#[test]
fn groups_are_sorted_by_best_hit_and_paginated() {
    let world = world();
    for n in 0..5 {
        let body = json!({"issue": {"project_id": "open", "subject": format!("rocket {n}")}});
        world
            .as_user("carol")
            .post("/issues.json", &body)
            .assert_status(201);
    }
    let whole = titles(&search(&world, "dave", "q=rocket&limit=100"));
    let kinds: Vec<String> = search(&world, "dave", "q=rocket&limit=100")["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(group)
        .collect();
    let mut seen: Vec<String> = kinds.clone();
    seen.dedup();
    let mut unique = seen.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(
        seen.len(),
        unique.len(),
        "each type stands together: {kinds:?}"
    );
    let mut paged = Vec::new();
    for offset in (0..12).step_by(5) {
        paged.extend(titles(&search(
            &world,
            "dave",
            &format!("q=rocket&limit=5&offset={offset}"),
        )));
    }
    assert_eq!(paged, whole);
    let past = search(&world, "dave", "q=rocket&offset=100000");
    assert_eq!(
        (
            past["total_count"].as_i64(),
            past["results"].as_array().unwrap().len()
        ),
        (Some(12), 0)
    );
    let mut mixed = titles(&search(&world, "dave", "q=rocket&limit=100&sort=relevance"));
    let mut whole = whole;
    mixed.sort();
    whole.sort();
    assert_eq!(mixed, whole);
}

fn group(result: &serde_json::Value) -> String {
    let kind = result["type"].as_str().unwrap();
    if kind == "reply" {
        "message".to_owned()
    } else {
        kind.trim_end_matches("-closed").to_owned()
    }
}

#[test]
fn browsers_get_an_html_page() {
    let world = world();
    let page = world
        .as_user("dave")
        .with("Accept", "text/html")
        .get("/search?q=fuel")
        .assert_status(200);
    assert_eq!(page.content_type(), "text/html; charset=utf-8");
    assert!(
        page.body.contains("<a href=\"/issues/1\">Rocket leaks</a>"),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("<mark>fuel</mark>") && !page.body.contains("<b>fuel"),
        "{}",
        page.body
    );
    let issue = world
        .as_user("dave")
        .get("/issues/1")
        .assert_status(200)
        .body;
    assert!(issue.contains("The tank drips <b>fuel</b>"), "{issue}");
    let home = world.as_user("dave").get("/").assert_status(200).body;
    assert!(home.contains("open") && !home.contains("secret"), "{home}");
    world.as_user("dave").get("/issues/2").assert_status(404);
}
