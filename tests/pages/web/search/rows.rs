//! What a result says about its record, and where it leads.

use super::page;
use quarry_world::World;
use quarry_world::search::world;
use serde_json::json;

fn note(world: &World, login: &str, text: &str, is_private: bool) {
    let issue = json!({"issue": {"notes": text, "private_notes": is_private}});
    world
        .as_user(login)
        .put("/issues/1.json", issue)
        .assert_status(200);
}

fn shown(world: &World, login: &str, path: &str) -> String {
    world.as_user(login).get(path).assert_status(200).body
}

#[test]
fn match_in_a_note_leads_to_that_note() {
    let world = world();
    note(&world, "alice", "first", false);
    note(&world, "alice", "The gasket of the valve is brittle", false);
    let html = shown(&world, "dave", "/search?q=gasket");
    assert!(html.contains("href=\"/issues/1#note-2\""), "{html}");
    assert!(html.contains("In a note by alice Tester, "), "{html}");
    assert!(html.contains("<span>2 notes</span>"), "{html}");
    // A match in the description leads to the issue.
    let html = shown(&world, "dave", "/search?q=drips");
    assert!(html.contains("href=\"/issues/1\">"), "{html}");
    assert!(!html.contains("In a note by"), "{html}");
}

#[test]
fn private_notes_neither_match_nor_count_for_those_who_may_not_read_them() {
    let world = world();
    note(&world, "alice", "a secret gasket", true);
    note(&world, "alice", "a public flange", false);
    let html = shown(&world, "alice", "/search?q=flange");
    assert!(
        html.contains("#note-2\"") && html.contains("2 notes"),
        "{html}"
    );
    // The number is that on the page of the issue, for each viewer.
    let html = shown(&world, "dave", "/search?q=flange");
    assert!(
        html.contains("#note-1\"") && html.contains("1 note<"),
        "{html}"
    );
    assert_eq!(page(&world, "dave", "/search?q=gasket").total, 0);
    assert_eq!(page(&world, "alice", "/search?q=gasket").total, 1);
}

#[test]
fn assignee_and_status_are_shown() {
    let world = world();
    let issue = json!({"issue": {"assigned_to_id": 3, "status_id": 5}});
    let client = world.as_user("admin");
    client.put("/issues/1.json", issue).assert_status(200);
    let html = shown(&world, "dave", "/search?q=leaks");
    for text in [
        "<li class=\"hit closed\">",
        "<span class=\"state\">Closed</span>",
        "<span>assigned to bob Tester</span>",
        "<span>by alice Tester</span>",
    ] {
        assert!(html.contains(text), "{text} in {html}");
    }
}

#[test]
fn matching_file_is_a_chip_and_no_part_of_the_excerpt() {
    let world = world();
    let html = shown(&world, "dave", "/search?q=blueprint&attachments=1");
    let (_, files) = html.split_once("<p class=\"files\">").unwrap();
    let files = files.split_once("</p>").unwrap().0;
    assert!(
        files.contains("<mark>blueprint.pdf</mark>")
            || files.contains("<mark>blueprint</mark>.pdf"),
        "{files}"
    );
    assert!(!html.contains("<p><mark>blueprint"), "{html}");
}

#[test]
fn few_issues_can_be_opened_as_a_list() {
    let world = world();
    world.issue("open").subject("another rocket").create();
    let closed = world.issue("open").subject("landed rocket").create();
    world
        .as_user("admin")
        .put(
            &format!("/issues/{closed}.json"),
            json!({"issue": {"status_id": 5}}),
        )
        .assert_status(200);
    let html = shown(&world, "dave", "/search?q=rocket+is:open");
    let path = "/issues?set_filter=1&#38;status_id=*&#38;issue_id=";
    let (_, rest) = html.split_once(&format!("href=\"{path}")).unwrap();
    let ids = rest.split_once('"').unwrap().0;
    assert!(html.contains("Open these 2 issues as a list"), "{html}");
    let list = shown(
        &world,
        "dave",
        &format!("/issues?set_filter=1&status_id=*&issue_id={ids}"),
    );
    assert!(
        list.contains("Rocket leaks") && list.contains("another rocket"),
        "{list}"
    );
    assert!(!list.contains("Hidden rocket"), "{list}");
}
