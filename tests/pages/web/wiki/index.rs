//! The index of a wiki.

use super::{save, write};
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::complete_world::reindex;
use serde_json::json;

/// Returns the titles in the list with their depths.
fn rows(body: &str) -> Vec<(String, String)> {
    let list = body.split_once("wiki-index\">").unwrap().1;
    list.split("<li class=\"depth")
        .skip(1)
        .map(|row| {
            let depth = row.split_once('"').unwrap().0.to_owned();
            let title = row
                .split_once("/wiki/")
                .unwrap()
                .1
                .split_once('"')
                .unwrap()
                .0;
            (title.to_owned(), depth)
        })
        .collect()
}

#[test]
fn pages_stand_below_their_parents_or_in_the_order_of_their_dates() {
    let world = World::with_projects();
    write(&world, "open/wiki/Zebra", "z");
    for (title, parent) in [("Beta", "Zebra"), ("Alpha", "Zebra"), ("Deep", "Beta")] {
        save(
            &world,
            &format!("open/wiki/{title}"),
            json!({"text": "x", "parent_title": parent}),
        )
        .assert_status(201);
    }
    write(&world, "open/wiki/Aardvark", "a");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/projects/open/wiki/index").assert_status(200);
    let row = |title: &str, depth: &str| (title.to_owned(), depth.to_owned());
    assert_eq!(
        rows(&page.body),
        [
            row("Aardvark", "0"),
            row("Zebra", "0"),
            row("Alpha", "1"),
            row("Beta", "1"),
            row("Deep", "2")
        ]
    );
    world.sql("UPDATE wiki_versions SET updated_on = page_id * 1000000");
    let page = alice
        .get("/projects/open/wiki/date_index")
        .assert_status(200);
    let titles: Vec<String> = rows(&page.body)
        .into_iter()
        .map(|(title, _)| title)
        .collect();
    assert_eq!(titles, ["Aardvark", "Deep", "Alpha", "Beta", "Zebra"]);
    let page = page.assert_contains("New page");
    assert!(!page.body.contains("class=\"letters\""));
    // Those who may not write have no button.
    world.sql("DELETE FROM role_permissions WHERE name = 'edit_wiki_pages'");
    let page = alice.get("/projects/open/wiki/index").assert_status(200);
    assert!(!page.body.contains("New page"), "{page:?}");
}

#[test]
fn large_index_has_pages_and_first_letters() {
    let world = World::with_projects();
    write(&world, "open/wiki/Wiki", "start");
    world.sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
         INSERT INTO wiki_pages (wiki_id, title, protected, version, created_on) \
         SELECT (SELECT wiki_id FROM wiki_pages LIMIT 1), substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + i % 26, 1) || '_' || i, 0, 1, 0 FROM n;
         INSERT INTO wiki_versions (page_id, version, updated_on, text) SELECT id, 1, id, 'x' FROM wiki_pages WHERE created_on = 0",
    );
    reindex(&world);
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/projects/open/wiki/index").assert_status(200);
    assert_eq!(rows(&page.body).len(), 500);
    let page = page
        .assert_contains("<a href=\"#letter-0\">A</a>")
        .assert_contains("page=6#letter-");
    assert!(page.body.len() < 200_000, "{}", page.body.len());
    for number in ["7", "8", "0", "-5", "x", "99999999999999999999"] {
        let _ = alice
            .get(&format!("/projects/open/wiki/index?page={number}"))
            .assert_status(200);
        let _ = alice
            .get(&format!("/projects/open/wiki/date_index?page={number}"))
            .assert_status(200);
    }
    // Forms ask for the title of the parent instead of listing all pages.
    let form = alice
        .get("/projects/open/wiki/Wiki/edit")
        .assert_status(200);
    assert!(form.body.len() < 50_000, "{}", form.body.len());
    let fields = [
        ("wiki_page[text]", "new"),
        ("wiki_page[version]", "1"),
        ("wiki_page[parent_title]", "b 1"),
    ];
    let _ = alice
        .submit(&form, "/projects/open/wiki/Wiki/edit", &fields)
        .assert_status(303);
    let page = alice.get("/projects/open/wiki/Wiki").assert_status(200);
    page.assert_contains("href=\"/projects/open/wiki/B_1\"");
}
