//! Two people who change a wiki page at the same time.

use super::{save, send, stored, text, write};
use quarry_world::World;
use quarry_world::browser::{Browser, field};
use serde_json::json;

const PATH: &str = "/projects/open/wiki/Manual/edit";
const TEXT: &str = "One\n\n# Start\n\nTwo\n\n# End\n\nThree\n";

fn world() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Manual", TEXT);
    world
}

fn meanwhile(world: &World, text: &str) {
    save(world, "open/wiki/Manual", json!({"text": text})).assert_status(200);
}

#[test]
fn changes_of_different_lines_are_merged() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    meanwhile(&world, &TEXT.replace("One", "First"));
    let own = TEXT.replace("Three", "Third").replace('\n', "\r\n");
    let saved = send(&alice, &form, PATH, &[("wiki_page[text]", &own)]).assert_status(303);
    alice
        .get(saved.location())
        .assert_status(200)
        .assert_contains("somebody else has changed meanwhile");
    assert_eq!(
        text(&world, "open/wiki/Manual"),
        TEXT.replace("One", "First").replace("Three", "Third")
    );
    assert_eq!(stored(&world, "open/wiki/Manual")["version"], 3);
}

#[test]
fn section_is_merged_with_changes_of_other_sections() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}?section=2")).assert_status(200);
    meanwhile(
        &world,
        &TEXT.replace("# Start", "# New\n\nsection\n\n# Start"),
    );
    let _ = send(
        &alice,
        &form,
        PATH,
        &[("wiki_page[text]", "# End\r\n\r\nThird\r\n")],
    )
    .assert_status(303);
    let expected = TEXT
        .replace("# Start", "# New\n\nsection\n\n# Start")
        .replace("Three", "Third");
    assert_eq!(text(&world, "open/wiki/Manual"), expected);
}

#[test]
fn changes_of_the_same_line_show_both_texts_and_their_differences() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    meanwhile(&world, &TEXT.replace("Two", "<i>Deux</i>"));
    let own = TEXT.replace("Two", "<b>Zwei</b>");
    let fields = [
        ("wiki_page[text]", own.as_str()),
        ("wiki_page[comments]", "Mine"),
    ];
    let conflict = send(&alice, &form, PATH, &fields).assert_status(409);
    let conflict = conflict
        .assert_contains("has changed the same lines")
        .assert_contains("&#60;b&#62;Zwei&#60;/b&#62;")
        .assert_contains("<del>&#60;i&#62;Deux&#60;/i&#62;</del>")
        .assert_contains("<ins>&#60;b&#62;Zwei&#60;/b&#62;</ins>")
        .assert_contains("value=\"Mine\"");
    assert_eq!(field(&conflict, "wiki_page[version]").as_deref(), Some("2"));
    assert_eq!(
        text(&world, "open/wiki/Manual"),
        TEXT.replace("Two", "<i>Deux</i>")
    );
    // Once both are merged, it is saved.
    let merged = TEXT.replace("Two", "Both");
    let _ = send(&alice, &conflict, PATH, &[("wiki_page[text]", &merged)]).assert_status(303);
    assert_eq!(text(&world, "open/wiki/Manual"), merged);
}

#[test]
fn conflict_in_a_section_shows_the_whole_text_with_it() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}?section=1")).assert_status(200);
    meanwhile(&world, &TEXT.replace("Two", "Deux"));
    let conflict = send(
        &alice,
        &form,
        PATH,
        &[("wiki_page[text]", "# Start\r\n\r\nZwei")],
    )
    .assert_status(409);
    let conflict = conflict.assert_contains("One\n\n# Start\n\nZwei\n\n# End");
    assert_eq!(field(&conflict, "section"), None);
    let merged = TEXT.replace("Two", "Both");
    let _ = send(&alice, &conflict, PATH, &[("wiki_page[text]", &merged)]).assert_status(303);
    assert_eq!(text(&world, "open/wiki/Manual"), merged);
}

#[test]
fn deleted_page_keeps_the_text_for_those_who_were_editing_it() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    world
        .as_user("alice")
        .delete("/projects/open/wiki/Manual.json")
        .assert_status(200);
    let conflict = send(&alice, &form, PATH, &[("wiki_page[text]", "Mine")]).assert_status(409);
    let conflict = conflict
        .assert_contains("has deleted this page")
        .assert_contains("Mine</textarea>");
    let _ = send(&alice, &conflict, PATH, &[("wiki_page[text]", "Mine")]).assert_status(303);
    assert_eq!(text(&world, "open/wiki/Manual"), "Mine");
}

#[test]
fn renamed_page_is_saved_under_its_new_title() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    save(
        &world,
        "open/wiki/Manual",
        json!({"text": TEXT, "title": "Handbook"}),
    )
    .assert_status(200);
    let saved = send(&alice, &form, PATH, &[("wiki_page[text]", "Mine")]).assert_status(303);
    assert_eq!(saved.location(), "/projects/open/wiki/Handbook");
    assert_eq!(text(&world, "open/wiki/Handbook"), "Mine");
    assert_eq!(
        alice.get(PATH).assert_status(302).location(),
        "/projects/open/wiki/Handbook/edit"
    );
}

#[test]
fn parent_that_somebody_else_has_chosen_meanwhile_stays() {
    let world = world();
    write(&world, "open/wiki/Guides", "All");
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    save(
        &world,
        "open/wiki/Manual",
        json!({"text": TEXT, "parent_title": "Guides"}),
    )
    .assert_status(200);
    let fields = [("wiki_page[text]", "New"), ("wiki_page[parent_title]", "")];
    let _ = send(&alice, &form, PATH, &fields).assert_status(303);
    assert_eq!(
        stored(&world, "open/wiki/Manual")["parent"]["title"],
        "Guides"
    );
}

#[test]
fn versions_that_do_not_exist_overwrite_nothing() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    for version in ["0", "9", "-1", "x", "", "99999999999999999999"] {
        let fields = [("wiki_page[text]", "Mine"), ("wiki_page[version]", version)];
        alice
            .submit(&form, PATH, &fields)
            .assert_status(409)
            .assert_contains("Mine</textarea>");
    }
    let _ = alice
        .submit(&form, PATH, &[("wiki_page[text]", "Mine")])
        .assert_status(409);
    assert_eq!(text(&world, "open/wiki/Manual"), TEXT);
}

#[test]
fn title_that_two_people_have_changed_is_a_conflict() {
    let world = world();
    write(&world, "open/wiki/Guides", "All");
    let alice = Browser::logged_in(&world, "alice");
    let path = "/projects/open/wiki/Manual/rename";
    let form = alice.get(path).assert_status(200);
    let original = field(&form, "original").unwrap();
    save(
        &world,
        "open/wiki/Manual",
        json!({"text": TEXT, "title": "Handbook"}),
    )
    .assert_status(200);
    let send = |title, parent| {
        let fields = [
            ("original", original.as_str()),
            ("wiki_page[title]", title),
            ("wiki_page[parent_title]", parent),
        ];
        alice.submit(&form, path, &fields)
    };
    send("Book", "")
        .assert_status(409)
        .assert_contains("Handbook")
        .assert_contains("value=\"Book\"");
    // The title was not changed here, so it stays.
    let saved = send("Manual", "Guides").assert_status(303);
    assert_eq!(saved.location(), "/projects/open/wiki/Handbook");
    let page = stored(&world, "open/wiki/Handbook");
    assert_eq!(page["parent"]["title"], "Guides");
    // Nothing was changed at all.
    let _ = send("Manual", "").assert_status(303);
}

#[test]
fn page_that_took_the_title_of_a_deleted_one_is_not_overwritten() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(PATH).assert_status(200);
    let page = field(&form, "page_id").unwrap();
    world
        .as_user("admin")
        .delete("/projects/open/wiki/Manual.json")
        .assert_status(200);
    write(&world, "open/wiki/Manual", "Another page");
    let fields = [("wiki_page[text]", "Mine"), ("page_id", page.as_str())];
    let conflict = send(&alice, &form, PATH, &fields).assert_status(409);
    conflict
        .assert_contains("Mine")
        .assert_contains("Another page");
    assert_eq!(text(&world, "open/wiki/Manual"), "Another page");
}

#[test]
fn former_titles_lead_to_the_same_version_and_section() {
    let world = world();
    meanwhile(&world, "Second");
    let title = json!({"text": "Third", "title": "Handbook"});
    save(&world, "open/wiki/Manual", title).assert_status(200);
    let alice = Browser::logged_in(&world, "alice");
    for (below, expected) in [
        ("/1", "/1"),
        ("/edit?version=1", "/edit?version=1"),
        ("/edit?section=2", "/edit?section=2"),
        (
            "/diff?version=2&version_from=1",
            "/diff?version=2&version_from=1",
        ),
        (".txt?version=1", ".txt?version=1"),
    ] {
        let moved = alice.get(&format!("/projects/open/wiki/Manual{below}"));
        assert_eq!(
            moved.assert_status(302).location(),
            format!("/projects/open/wiki/Handbook{expected}")
        );
    }
}

#[test]
fn text_that_cannot_be_saved_any_more_is_shown_to_be_copied() {
    let world = world();
    let carol = Browser::logged_in(&world, "alice");
    let form = carol.get(PATH).assert_status(200);
    let own = "What took\r\nan <b>hour</b>";
    let fields = [("wiki_page[text]", own)];
    world.sql("UPDATE wiki_pages SET protected = 1; DELETE FROM role_permissions WHERE name = 'protect_wiki_pages'; UPDATE counters SET value = value + 1 WHERE name = 'catalogue'");
    let refused = send(&carol, &form, PATH, &fields).assert_status(403);
    refused
        .assert_contains("You are not allowed to do this")
        .assert_contains("an &#60;b&#62;hour&#60;/b&#62;</textarea>");
    // A project that is gone, and a form with a password, which is never shown.
    for (name, expected) in [("comments", true), ("New_Password", false)] {
        let fields = [("text", own), (name, "x")];
        let missing = carol.submit(&form, "/projects/nowhere/wiki/Manual/edit", &fields);
        let body = missing.assert_status(404).body;
        assert_eq!(body.contains("What took"), expected, "{name}: {body}");
    }
}
