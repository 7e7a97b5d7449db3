//! Qualifiers that cannot be used: the page searches them as text and links what was meant.

use super::page::SearchPage;
use quarry_world::search::world;
use quarry_world::{Response, World, percent_encode};

/// Returns the query that the page offers in place of the mistake.
fn meant_query(page: &Response) -> Option<String> {
    let link = regex::Regex::new(
        r#"is searched as text: [^<]* Did you mean <a href="/search\?q=([^"&]*)"#,
    )
    .unwrap();
    let query = link.captures(&page.body)?.get(1)?.as_str();
    Some(
        percent_encoding::percent_decode_str(query)
            .decode_utf8()
            .unwrap()
            .into_owned(),
    )
}

#[test]
fn qualifier_that_cannot_be_used_is_searched_as_text_and_corrected_by_a_link() {
    let world = world();
    world
        .issue("open")
        .subject("The asignee:bob of a rocket")
        .create();
    for (query, problem, meant) in [
        (
            "asignee:bob",
            "there is no qualifier asignee:",
            Some("assignee:bob"),
        ),
        (
            "-asignee:bob",
            "there is no qualifier asignee:",
            Some("-assignee:bob"),
        ),
        (
            "statsu:\"nwe\"",
            "there is no qualifier statsu:",
            Some("status:New"),
        ),
        (
            "status:clsoed",
            "status: expects the name of a status",
            Some("status:Closed"),
        ),
        (
            "status:opne",
            "status: expects the name of a status",
            Some("is:open"),
        ),
        ("is:opem", "is: expects open, closed", Some("is:open")),
        ("type:isue", "type: expects issue, wiki", Some("type:issue")),
        (
            "project:opne",
            "project: expects the identifier",
            Some("project:open"),
        ),
        ("project:secrte", "project: expects the identifier", None),
        ("project:secret", "project: expects the identifier", None),
        (
            "status:nonsense",
            "status: expects the name of a status",
            None,
        ),
        (
            "created:2024-1-5",
            "created: expects a day",
            Some("created:2024-01-05"),
        ),
        ("is:", "is: expects open, closed", None),
    ] {
        let page = world
            .as_user("dave")
            .get(&format!("/search?q=rocket+{}", percent_encode(query)))
            .assert_status(200)
            .assert_contains(problem);
        let link = meant_query(&page);
        assert_eq!(
            link,
            meant.map(|meant| format!("rocket {meant}")),
            "{query}: {page:?}"
        );
        assert!(page.body.contains(&format!(
            "name=\"q\" value=\"rocket {}\"",
            query.replace('"', "&#34;")
        )));
        // The API says what is wrong instead.
        world
            .as_user("dave")
            .get(&format!("/search.json?q=rocket+{}", percent_encode(query)))
            .assert_status(422);
    }
    let page = world
        .as_user("dave")
        .get("/search?q=rocket+asignee:bob")
        .assert_status(200);
    assert_eq!(
        SearchPage::new(&page).total,
        1,
        "the text is found: {page:?}"
    );
    let page = world
        .as_user("dave")
        .get("/search?q=rocket+updated:%3E%3Dyesterdy")
        .assert_status(200);
    assert_eq!(
        meant_query(&page).as_deref(),
        Some("rocket updated:>=yesterday"),
        "{page:?}"
    );
    let mistakes = "asignee:a asignee:b asignee:c asignee:d asignee:e asignee:f";
    let page = world
        .as_user("dave")
        .get(&format!("/search?q={}", percent_encode(mistakes)))
        .assert_status(200);
    assert_eq!(page.body.matches("is searched as text").count(), 5);
}

fn is_corrected(world: &World, login: &str) -> bool {
    let page = world
        .as_user(login)
        .get("/search?q=version:kryptonit")
        .assert_status(200);
    page.body.contains("version:Kryptonite") || page.body.contains("version%3AKryptonite")
}

#[test]
fn correction_of_a_qualifier_names_nothing_hidden() {
    let world = world();
    world
        .as_user("alice")
        .post(
            "/projects/secret/versions.json",
            serde_json::json!({"version": {"name": "Kryptonite"}}),
        )
        .assert_status(201);
    assert!(is_corrected(&world, "alice"));
    assert!(!is_corrected(&world, "dave"));
}

#[test]
fn text_that_only_looks_like_a_group_is_searched_as_text_with_the_reason() {
    let world = world();
    let page = |query: &str| {
        let path = format!("/search?q={}", percent_encode(query));
        world.as_user("dave").get(&path).assert_status(200)
    };
    let notice = "Parentheses, AND and NOT are searched as text, because";
    for (query, reason) in [
        (
            "if (rocket AND tank)",
            Some("the group at character 4 would change nothing"),
        ),
        (
            "(rocket OR tank",
            Some("the parenthesis at character 1 is never closed"),
        ),
        ("(rocket OR tank) NOT fuel", None),
        ("rocket :)", None),
    ] {
        let page = page(query);
        let expected = reason.map(|reason| format!("{notice} {reason}."));
        let expected = expected.as_deref().unwrap_or(notice);
        let has_notice = page.body.contains(expected);
        assert_eq!(has_notice, reason.is_some(), "{query}: {}", page.body);
    }
}
