//! `GET /search/suggest`

use super::titles;
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::search::world;

fn suggested(world: &World, login: &str, query: &str) -> Vec<String> {
    titles(
        &world
            .as_user(login)
            .get(&format!("/search/suggest.json?{query}"))
            .assert_status(200)
            .json(),
    )
}

#[test]
fn title_is_suggested_by_word_prefixes() {
    let world = world();
    let mut all = suggested(&world, "dave", "q=rock");
    all.sort();
    let expected = [
        "Bug #1 (New): Rocket leaks",
        "General: Re: Rockets?",
        "General: Rockets?",
        "Revision abc12300 (main): Fix the rocket",
        "Rocket news",
    ];
    assert_eq!(all, expected);
    assert_eq!(
        suggested(&world, "dave", "q=rocket+le"),
        ["Bug #1 (New): Rocket leaks"]
    );
    assert_eq!(
        suggested(&world, "dave", "q=LEAKS+roc"),
        ["Bug #1 (New): Rocket leaks"]
    );
    assert_eq!(suggested(&world, "dave", "q=fly"), ["Wiki: Flying_high"]);
    // Earlier words must match as a whole, and once.
    assert_eq!(
        suggested(&world, "dave", "q=rocket+rocket+news"),
        ["Rocket news"]
    );
    assert_eq!(suggested(&world, "dave", "q=roc+roc"), Vec::<String>::new());
    assert_eq!(
        suggested(&world, "dave", "q=news+roc+news"),
        Vec::<String>::new()
    );
    // Only titles match, and a word followed by a space is complete.
    assert_eq!(suggested(&world, "dave", "q=drips"), Vec::<String>::new());
    assert_eq!(suggested(&world, "dave", "q=roc+"), Vec::<String>::new());
    assert_eq!(suggested(&world, "dave", "q="), Vec::<String>::new());
}

#[test]
fn suggestions_accept_search_filters() {
    let world = world();
    assert_eq!(
        suggested(&world, "dave", "q=rock&issues=1"),
        ["Bug #1 (New): Rocket leaks"]
    );
    assert_eq!(
        suggested(&world, "dave", "q=rock&news=1&limit=1"),
        ["Rocket news"]
    );
    assert_eq!(suggested(&world, "dave", "q=rock&limit=2").len(), 2);
    assert_eq!(
        suggested(&world, "alice", "q=rock&id=secret"),
        ["Bug #2 (New): Hidden rocket"]
    );
    world.edit(1, |issue| issue.status = quarry::domain::ids::StatusId(5));
    assert_eq!(
        suggested(&world, "dave", "q=rock&issues=1&open_issues=1"),
        Vec::<String>::new()
    );
    let response = world
        .as_user("dave")
        .get("/search/suggest.json?q=rock&issues=1")
        .assert_status(200)
        .json();
    assert_eq!(response["results"][0]["type"], "issue-closed");
}

#[test]
fn issue_id_suggests_the_issue() {
    let world = world();
    for typed in ["1", "%231"] {
        assert_eq!(
            suggested(&world, "dave", &format!("q={typed}"))[0],
            "Bug #1 (New): Rocket leaks",
            "{typed}"
        );
        assert_eq!(
            suggested(&world, "dave", &format!("q={typed}&news=1")),
            Vec::<String>::new(),
            "{typed}"
        );
    }
    assert_eq!(suggested(&world, "dave", "q=2"), Vec::<String>::new());
    assert_eq!(
        suggested(&world, "alice", "q=2"),
        ["Bug #2 (New): Hidden rocket"]
    );
}

#[test]
fn hidden_records_are_not_suggested() {
    let world = world();
    assert_eq!(
        suggested(&world, "alice", "q=hidd"),
        ["Bug #2 (New): Hidden rocket"]
    );
    for login in ["bob", "carol", "dave"] {
        for typed in ["hidd", "hidden+roc", "secr"] {
            assert_eq!(
                suggested(&world, login, &format!("q={typed}")),
                Vec::<String>::new(),
                "{login} {typed}"
            );
        }
    }
    world
        .anonymous()
        .get("/search/suggest.json?q=rock")
        .assert_status(401);
    world
        .as_user("dave")
        .get("/search/suggest.json?q=rock&id=secret")
        .assert_status(403);
    world
        .as_user("dave")
        .get("/search/suggest.json?q=rock&id=missing")
        .assert_status(404);
    world.set(Setting::LoginRequired, "0");
    assert_eq!(
        titles(
            &world
                .anonymous()
                .get("/search/suggest.json?q=hidd")
                .assert_status(200)
                .json()
        ),
        Vec::<String>::new()
    );
}

#[test]
fn incomplete_query_is_not_an_error() {
    let world = world();
    for typed in [
        "%22rocket+le",
        "rocket+-",
        "is:",
        "-",
        "*",
        "OR",
        "project:sec",
        "rocket+assignee:",
        "%00",
        "%E2%99%A5",
    ] {
        world
            .as_user("dave")
            .get(&format!("/search/suggest.json?q={typed}"))
            .assert_status(200);
    }
    assert_eq!(
        suggested(&world, "dave", "q=%22rocket+le"),
        ["Bug #1 (New): Rocket leaks"]
    );
    for (query, text) in [
        (
            "q=x&limit=0".to_owned(),
            "limit must be a number from 1 to 25",
        ),
        ("q=x&issues=perhaps".to_owned(), "issues must be 1 or 0"),
        (
            format!("q={}", "x".repeat(8001)),
            "q is too long (at most 8000 characters)",
        ),
    ] {
        world
            .as_user("dave")
            .get(&format!("/search/suggest.json?{query}"))
            .assert_status(422)
            .assert_errors(&[text]);
    }
    let many: Vec<String> = (0..101).map(|n| format!("w{n}")).collect();
    world
        .as_user("dave")
        .get(&format!("/search/suggest.json?q={}", many.join("+")))
        .assert_status(422);
    world
        .as_user("dave")
        .get("/search/suggest.json?q=x&isues=1&strict=1")
        .assert_status(422);
}

#[test]
fn xml_has_the_same_suggestions() {
    let world = world();
    let response = world
        .as_user("dave")
        .get("/search/suggest.json?q=rock&issues=1")
        .assert_status(200)
        .json();
    let names: Vec<&String> = response["results"][0].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["id", "title", "type", "url", "datetime", "project", "score"]
    );
    let xml = world
        .as_user("dave")
        .get("/search/suggest.xml?q=rock&issues=1")
        .assert_status(200)
        .body;
    assert!(
        xml.contains("<results limit=\"10\" type=\"array\"><result><id>1</id><title>Bug #1 (New): Rocket leaks</title><type>issue</type>"),
        "{xml}"
    );
}
