//! Issues with long histories: sent piece by piece, with everything in them.

use crate::world::{DEVELOPER, MANAGER, World, user};
use quarry::domain::ids::IssueId;
use quarry::store::journals::{self, Detail, NewJournal};

const MIB: usize = 1024 * 1024;

/// An issue with twenty notes of 1 MiB, each of which begins with its position; the fifth is private.
fn world() -> World {
    let world = World::new();
    world.project("open", true, &[("alice", MANAGER), ("bob", DEVELOPER)]);
    let issue = IssueId(world.issue("open", ""));
    let now = world.app.clock.now();
    world.write(move |db| {
        for position in 0..20 {
            let notes = format!("<{position}> \"{}\"", "n".repeat(MIB));
            let details = [Detail { property: "attr", name: "subject".into(), old_value: Some("a".into()), new_value: Some("b".into()) }];
            let details = if position == 7 { &details[..] } else { &[] };
            let (user, private) = (user("alice"), position == 5);
            journals::insert(db, &NewJournal { issue, user, notes: Some(&notes), private, created_on: now, details })?;
        }
        Ok(())
    });
    world
}

#[test]
fn long_history_is_complete_in_both_formats() {
    let world = world();
    let positions = |login: &str, path: &str| -> Vec<usize> {
        let answer = world.as_user(login).get(path).expect(200);
        let issue = answer.json()["issue"].clone();
        assert_eq!((issue["id"].as_i64(), issue["allowed_statuses"].is_array()), (Some(1), true), "what comes before and behind");
        let journals = issue["journals"].as_array().unwrap().iter();
        let notes = journals.map(|entry| entry["notes"].as_str().unwrap().to_owned());
        notes
            .map(|text| {
                assert!(text.len() > MIB && text.ends_with('"'));
                text[1..text.find('>').unwrap()].parse().unwrap()
            })
            .collect()
    };
    let path = "/issues/1.json?include=journals,allowed_statuses";
    assert_eq!(positions("alice", path), (0..20).collect::<Vec<_>>());
    let of_others: Vec<usize> = (0..20).filter(|position| *position != 5).collect();
    assert_eq!(positions("dave", path), of_others);
    let xml = world.as_user("alice").get("/issues/1.xml?include=journals,allowed_statuses").expect(200);
    assert_eq!(xml.content_type, "application/xml; charset=utf-8");
    let document = roxmltree::Document::parse(&xml.body).unwrap();
    let journals = document.root_element().children().find(|child| child.has_tag_name("journals")).unwrap();
    assert_eq!((journals.attribute("type"), journals.children().count()), (Some("array"), 20));
    assert_eq!(xml.body.matches("<detail property=\"attr\" name=\"subject\">").count(), 1);
    // The reply to a change is written in the same way, and a small history as before.
    let answer = world.as_user("alice").put("/issues/1.json?include=journals", r#"{"issue":{"notes":"more"}}"#).expect(200);
    assert_eq!(answer.json()["issue"]["journals"].as_array().unwrap().len(), 21);
    let other = world.issue("open", "");
    let small = world.as_user("alice").get(&format!("/issues/{other}.json?include=journals")).expect(200);
    assert!(!small.tag.is_empty() && small.json()["issue"]["journals"].as_array().unwrap().is_empty());
}

#[test]
fn page_for_people_and_excerpts_read_the_first_notes() {
    let world = world();
    let page = |login: &str| world.as_user(login).with("Accept", "text/html").get("/issues/1").expect(200).body;
    for (login, last) in [("alice", 6), ("dave", 7)] {
        let page = page(login);
        assert!(page.len() < 9 * MIB && page.contains("further notes"), "{} bytes", page.len());
        assert!(page.contains(&format!("&#60;{last}&#62;")) && !page.contains(&format!("&#60;{}&#62;", last + 1)), "{last}");
    }
    let small = world.issue("open", "");
    let other = world.as_user("alice").with("Accept", "text/html").get(&format!("/issues/{small}")).expect(200).body;
    assert!(!other.contains("further notes"));
    let found = world.as_user("alice").get("/search.json?q=19").expect(200).json();
    assert_eq!((&found["total_count"], &found["results"][0]["id"]), (&1.into(), &1.into()));
}
