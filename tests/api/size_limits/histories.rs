//! Issues with long histories are streamed completely.

use quarry::domain::ids::IssueId;
use quarry::domain::issues::journal::{Journal, JournalDetail};
use quarry::store::issues::journals;
use quarry_world::{DEVELOPER, MANAGER, World, user};
use serde_json::json;

const MIB: usize = 1024 * 1024;

/// An issue with twenty notes of 1 MiB that start with their position; the fifth is private.
fn world() -> World {
    let world = World::new();
    world
        .project("open")
        .member("alice", MANAGER)
        .member("bob", DEVELOPER)
        .create();
    let issue = IssueId(world.issue("open").create());
    let now = world.app.clock.now();
    world.write(move |db| {
        for position in 0..20 {
            let notes = format!("<{position}> \"{}\"", "n".repeat(MIB));
            let detail = JournalDetail {
                property: "attr".to_owned(),
                name: "subject".to_owned(),
                old_value: Some("a".to_owned()),
                new_value: Some("b".to_owned()),
            };
            let journal = Journal {
                issue,
                user: user("alice"),
                notes: Some(notes),
                private: position == 5,
                created_on: now,
                details: if position == 7 {
                    vec![detail]
                } else {
                    Vec::new()
                },
                ..Journal::default()
            };
            journals::insert(db, &journal)?;
        }
        Ok(())
    });
    world
}

fn positions_of_notes(world: &World, login: &str, path: &str) -> Vec<usize> {
    let response = world.as_user(login).get(path).assert_status(200);
    let issue = response.json_path("/issue");
    assert_eq!(
        (issue["id"].as_i64(), issue["allowed_statuses"].is_array()),
        (Some(1), true),
        "what comes before and behind"
    );
    let journals = issue["journals"].as_array().unwrap().iter();
    let notes = journals.map(|entry| entry["notes"].as_str().unwrap().to_owned());
    notes
        .map(|text| {
            assert!(text.len() > MIB && text.ends_with('"'));
            text[1..text.find('>').unwrap()].parse().unwrap()
        })
        .collect()
}

#[test]
fn long_history_is_complete_in_both_formats() {
    let world = world();
    let path = "/issues/1.json?include=journals,allowed_statuses";
    assert_eq!(
        positions_of_notes(&world, "alice", path),
        (0..20).collect::<Vec<_>>()
    );
    let of_others: Vec<usize> = (0..20).filter(|position| *position != 5).collect();
    assert_eq!(positions_of_notes(&world, "dave", path), of_others);
    let xml = world
        .as_user("alice")
        .get("/issues/1.xml?include=journals,allowed_statuses")
        .assert_status(200);
    assert_eq!(xml.content_type(), "application/xml; charset=utf-8");
    let document = roxmltree::Document::parse(&xml.body).unwrap();
    let journals = document
        .root_element()
        .children()
        .find(|child| child.has_tag_name("journals"))
        .unwrap();
    assert_eq!(
        (journals.attribute("type"), journals.children().count()),
        (Some("array"), 20)
    );
    assert_eq!(
        xml.body
            .matches("<detail property=\"attr\" name=\"subject\">")
            .count(),
        1
    );
    // Responses to updates are streamed too, and small histories are unchanged.
    let response = world
        .as_user("alice")
        .put(
            "/issues/1.json?include=journals",
            json!({"issue": {"notes": "more"}}),
        )
        .assert_status(200);
    assert_eq!(response.array("/issue/journals").len(), 21);
    let other = world.issue("open").create();
    let small = world
        .as_user("alice")
        .get(&format!("/issues/{other}.json?include=journals"))
        .assert_status(200);
    assert!(!small.header("etag").is_empty() && small.array("/issue/journals").is_empty());
}

fn page(world: &World, login: &str, id: i64) -> String {
    world
        .as_user(login)
        .with("Accept", "text/html")
        .get(&format!("/issues/{id}"))
        .assert_status(200)
        .body
}

#[test]
fn issue_page_shows_the_newest_notes_that_fit_and_counts_the_others() {
    let world = world();
    for (login, omitted) in [("alice", 19), ("dave", 18)] {
        let page = page(&world, login, 1);
        assert!(page.len() < 9 * MIB, "{} bytes", page.len());
        assert!(
            page.contains(&format!(
                "{omitted} older entries are too long for this page"
            )),
            "{login}"
        );
        assert!(
            page.contains("19&gt;") && !page.contains("18&gt;"),
            "{login}: only the newest note"
        );
    }
    let small = world.issue("open").create();
    assert!(!page(&world, "alice", small).contains("older entries"));
}

#[test]
fn search_finds_words_of_long_histories() {
    let world = world();
    let found = world
        .as_user("alice")
        .get("/search.json?q=19")
        .assert_status(200)
        .json();
    assert_eq!(
        (&found["total_count"], &found["results"][0]["id"]),
        (&1.into(), &1.into())
    );
}
