//! The forms that rename, move, protect and delete wiki pages.

use super::{save, stored, text, write};
use quarry_world::World;
use quarry_world::browser::{Browser, form_field};
use serde_json::json;

const PATH: &str = "/projects/open/wiki/Manual";

fn world() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Manual", "Words");
    write(&world, "open/wiki/Guides", "All");
    save(
        &world,
        "open/wiki/Chapter",
        json!({"text": "One", "parent_title": "Manual"}),
    )
    .assert_status(201);
    world
}

fn missing(world: &World, path: &str) {
    world
        .as_user("admin")
        .get(&format!("/projects/{path}.json"))
        .assert_status(404);
}

#[test]
fn page_is_renamed_with_and_without_a_redirect() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}/rename")).assert_status(200);
    let form = form.assert_contains("The pages below it move along: 1.");
    let path = format!("{PATH}/rename");
    for (title, message) in [
        ("", "Title cannot be blank"),
        ("guides", "has already been taken"),
        (&"x".repeat(300), "too long"),
    ] {
        let again = alice
            .submit(&form, &path, &[("wiki_page[title]", title)])
            .assert_status(422);
        again.assert_contains(message);
    }
    let fields = [
        ("wiki_page[title]", "Hand book"),
        ("wiki_page[parent_title]", "Guides"),
        ("wiki_page[redirect_existing_links]", "1"),
    ];
    let saved = alice.submit(&form, &path, &fields).assert_status(303);
    assert_eq!(saved.location(), "/projects/open/wiki/Hand_book");
    assert_eq!(
        alice.get(PATH).assert_status(302).location(),
        "/projects/open/wiki/Hand_book"
    );
    let page = stored(&world, "open/wiki/Hand_book");
    assert_eq!(
        (&page["parent"]["title"], &page["version"]),
        (&json!("Guides"), &json!(1))
    );
    let fields = [
        ("wiki_page[title]", "Book"),
        ("wiki_page[parent_title]", ""),
        ("wiki_page[redirect_existing_links]", "0"),
    ];
    let _ = alice
        .submit(&form, "/projects/open/wiki/Hand_book/rename", &fields)
        .assert_status(303);
    missing(&world, "open/wiki/Hand_book");
    // The first title leads to the page still.
    assert_eq!(
        alice.get(PATH).assert_status(302).location(),
        "/projects/open/wiki/Book"
    );
    let cycle = [
        ("wiki_page[title]", "Book"),
        ("wiki_page[parent_title]", "Chapter"),
    ];
    alice
        .submit(&form, "/projects/open/wiki/Book/rename", &cycle)
        .assert_status(422)
        .assert_contains("below itself");
}

#[test]
fn page_moves_to_another_project_with_those_below_it() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}/rename")).assert_status(200);
    let form = form
        .assert_contains(r#"<option value="2">"#)
        .assert_contains("Project");
    let path = format!("{PATH}/rename");
    write(&world, "secret/wiki/Chapter", "Another");
    let id = if form.body.contains(r#"<option value="1" selected>"#) {
        "2"
    } else {
        "1"
    };
    let fields = [
        ("wiki_page[title]", "Manual"),
        ("project_id", id),
        ("wiki_page[parent_title]", "Guides"),
    ];
    alice
        .submit(&form, &path, &fields)
        .assert_status(422)
        .assert_contains("has a page “Chapter” already");
    world
        .as_user("alice")
        .delete("/projects/secret/wiki/Chapter.json")
        .assert_status(200);
    let saved = alice.submit(&form, &path, &fields).assert_status(303);
    assert_eq!(saved.location(), "/projects/secret/wiki/Manual");
    assert_eq!(
        stored(&world, "secret/wiki/Chapter")["parent"]["title"],
        "Manual"
    );
    assert_eq!(stored(&world, "secret/wiki/Manual")["parent"], json!(null));
    // The old address leads there, but only those who may see it.
    assert_eq!(
        alice.get(PATH).assert_status(302).location(),
        "/projects/secret/wiki/Manual"
    );
    for below in [
        "", "/edit", "/rename", "/delete", "/protect", "/history", "/diff", ".html", ".txt",
    ] {
        let of_others = Browser::logged_in(&world, "carol").get(&format!("{PATH}{below}"));
        assert!(
            matches!(of_others.status, 200 | 403 | 404),
            "{below}: {of_others:?}"
        );
        assert!(!of_others.body.contains("secret"), "{below}: {of_others:?}");
    }
}

#[test]
fn pages_move_only_to_projects_where_that_is_permitted() {
    let world = world();
    let target = world.project("third").create();
    let hidden = world.project("fourth").private().create();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}/rename")).assert_status(200);
    for id in [target.0, hidden.0] {
        assert!(
            !form.body.contains(&format!("<option value=\"{id}\"")),
            "{form:?}"
        );
    }
    let mut bodies = Vec::new();
    for id in [
        target.0.to_string(),
        hidden.0.to_string(),
        "9999".to_owned(),
        "x".to_owned(),
        "-1".to_owned(),
    ] {
        let fields = [("wiki_page[title]", "Manual"), ("project_id", id.as_str())];
        let again = alice
            .submit(&form, &format!("{PATH}/rename"), &fields)
            .assert_status(422);
        bodies.push(
            again
                .assert_contains("you may not move pages to the wiki of this project")
                .body
                .len(),
        );
    }
    assert!(
        bodies.windows(2).all(|pair| pair[0] == pair[1]),
        "{bodies:?}"
    );
    assert_eq!(text(&world, "open/wiki/Manual"), "Words");
}

#[test]
fn page_is_protected_and_the_protection_removed() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("{PATH}/protect");
    for (heading, value) in [
        ("Protect Manual?", true),
        ("Remove the protection of Manual?", false),
    ] {
        let form = alice.get(&path).assert_status(200).assert_contains(heading);
        let sent = if value { "1" } else { "0" };
        let saved = alice
            .submit(&form, &path, &[("wiki_page[protected]", sent)])
            .assert_status(303);
        assert_eq!(saved.location(), PATH);
        assert_eq!(stored(&world, "open/wiki/Manual")["protected"], value);
    }
    write(&world, "open/wiki/Sidebar", "Links");
    let form = alice
        .get("/projects/open/wiki/Sidebar/protect")
        .assert_status(200);
    let form = form.assert_contains("always protected");
    let again = alice.submit(
        &form,
        "/projects/open/wiki/Sidebar/protect",
        &[("wiki_page[protected]", "0")],
    );
    again.assert_status(422);
}

#[test]
fn pages_below_a_deleted_page_are_kept_moved_or_deleted() {
    for (todo, reassign_to, expected) in [
        ("nullify", "", Some(json!(null))),
        ("reassign", "Guides", Some(json!({"title": "Guides"}))),
        ("destroy", "", None),
    ] {
        let world = world();
        let alice = Browser::logged_in(&world, "alice");
        let path = format!("{PATH}/delete");
        let form = alice
            .get(&path)
            .assert_status(200)
            .assert_contains("Pages below it: 1");
        for (todo, reassign_to) in [
            ("reassign", ""),
            ("reassign", "Chapter"),
            ("reassign", "Manual"),
            ("reassign", "Nothing"),
            ("burn", ""),
        ] {
            let _ = alice
                .submit(
                    &form,
                    &path,
                    &[("todo", todo), ("reassign_to", reassign_to)],
                )
                .assert_status(422);
        }
        let shown = form_field(&form, &path, "shown").unwrap();
        let fields = [
            ("todo", todo),
            ("reassign_to", reassign_to),
            ("shown", shown.as_str()),
        ];
        if todo == "destroy" {
            // A page that nobody has seen there is not deleted.
            write(&world, "open/wiki/Late", "Late");
            let parent = json!({"text": "Late", "parent_title": "Chapter"});
            save(&world, "open/wiki/Late", parent).assert_status(200);
            alice
                .submit(&form, &path, &fields)
                .assert_status(422)
                .assert_contains("Nothing is deleted yet");
            stored(&world, "open/wiki/Late");
            world
                .as_user("admin")
                .delete("/projects/open/wiki/Late.json")
                .assert_status(200);
        }
        let saved = alice.submit(&form, &path, &fields).assert_status(303);
        assert_eq!(saved.location(), "/projects/open/wiki/index");
        missing(&world, "open/wiki/Manual");
        match expected {
            Some(parent) => assert_eq!(
                stored(&world, "open/wiki/Chapter")["parent"],
                parent,
                "{todo}"
            ),
            None => missing(&world, "open/wiki/Chapter"),
        }
    }
}

#[test]
fn menu_and_forms_need_their_permissions() {
    let world = world();
    world.sql("DELETE FROM role_permissions WHERE name IN ('edit_wiki_pages', 'rename_wiki_pages', 'delete_wiki_pages', 'protect_wiki_pages', 'view_wiki_edits')");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(PATH).assert_status(200);
    for below in ["edit", "rename", "delete", "protect", "wiki/new"] {
        assert!(!page.body.contains(&format!("/{below}\"")), "{below}");
        let path = if below == "wiki/new" {
            "/projects/open/wiki/new".to_owned()
        } else {
            format!("{PATH}/{below}")
        };
        let _ = alice.get(&path).assert_status(403);
        let _ = alice
            .submit(
                &page,
                &path,
                &[
                    ("wiki_page[text]", "Mine"),
                    ("wiki_page[title]", "Mine"),
                    ("wiki_page[version]", "1"),
                ],
            )
            .assert_status(403);
    }
    assert_eq!(text(&world, "open/wiki/Manual"), "Words");
    // A token is needed, too.
    let admin = Browser::logged_in(&world, "admin");
    for below in ["edit", "rename", "delete", "protect"] {
        let _ = admin
            .post(&format!("{PATH}/{below}"), &[("wiki_page[text]", "x")])
            .assert_status(403);
    }
}
