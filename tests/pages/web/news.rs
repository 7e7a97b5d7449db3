//! News and comments in the browser.

use super::roles::send;
use quarry_world::World;
use quarry_world::browser::Browser;

const LIST: &str = "/projects/open/news";
const NEW: &str = "/projects/open/news/new";
const TITLE: &str = "news[title]";
const TEXT: &str = "news[description]";

#[test]
fn news_item_is_written_changed_and_deleted() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get(LIST)
        .assert_status(200)
        .assert_contains("No news yet.")
        .assert_contains(&format!("href=\"{NEW}\">Add news</a></p>"));
    let form = alice
        .get(NEW)
        .assert_status(200)
        .assert_contains("data-preview=\"/preview?project=1\"");
    alice
        .submit(&form, NEW, &[(TITLE, ""), (TEXT, "It <is> out")])
        .assert_status(422)
        .assert_contains("Title cannot be blank")
        .assert_contains("It &#60;is&#62; out</textarea>");
    let fields = [
        (TITLE, "Release"),
        ("news[summary]", "At last"),
        (TEXT, "*Out*"),
    ];
    let saved = alice
        .submit_files(&form, NEW, &fields, &[("notes.txt", b"x")])
        .assert_status(303);
    assert_eq!(saved.location(), "/news/1");
    alice
        .get("/news/1")
        .assert_status(200)
        .assert_contains("The news item was created.")
        .assert_contains("notes.txt")
        .assert_contains("href=\"/attachments/1/delete\"");
    const EDIT: &str = "/news/1/edit";
    let form = alice.get(EDIT).assert_status(200);
    let long = "t".repeat(300);
    let too_long = alice.submit(&form, EDIT, &[(TITLE, &long), (TEXT, "x")]);
    too_long.assert_status(422).assert_contains("is too long");
    alice
        .submit(&form, EDIT, &[(TITLE, "Release 2"), (TEXT, "x")])
        .assert_status(303);
    alice
        .get(LIST)
        .assert_status(200)
        .assert_contains("Release 2");
    let question = alice
        .get("/news/1/delete")
        .assert_status(200)
        .assert_contains("Delete the news item Release 2?");
    let gone = alice.submit(&question, "/news/1/delete", &[]);
    assert_eq!(gone.assert_status(303).location(), LIST);
    alice.get("/news/1").assert_status(404);
    alice.get("/attachments/1").assert_status(404);
}

#[test]
fn comments_are_written_by_readers_and_deleted_by_managers() {
    let world = World::with_records("open");
    let dave = Browser::logged_in(&world, "dave");
    let page = dave.get("/news/1").assert_status(200);
    const ADD: &str = "/news/1/comments/new";
    let blank = dave.submit(&page, ADD, &[("comments", " ")]);
    blank.assert_status(422).assert_contains("cannot be blank");
    let added = dave.submit(&page, ADD, &[("comments", "Nice <b>")]);
    assert_eq!(added.assert_status(303).location(), "/news/1#comments");
    let shown = dave
        .get("/news/1")
        .assert_status(200)
        .assert_contains("Nice");
    const DELETE: &str = "/news/1/comments/1/delete";
    assert!(!shown.body.contains(DELETE), "{shown:?}");
    dave.get(DELETE).assert_status(403);
    dave.submit(&page, DELETE, &[]).assert_status(403);
    let alice = Browser::logged_in(&world, "alice");
    let question = alice
        .get(DELETE)
        .assert_status(200)
        .assert_contains("Delete the comment of dave Tester?");
    alice.get("/news/1/comments/99/delete").assert_status(404);
    alice.post(DELETE, &[]).assert_status(403);
    let gone = alice.submit(&question, DELETE, &[]).assert_status(303);
    assert_eq!(gone.location(), "/news/1");
    let empty = alice.get("/news/1").assert_status(200);
    assert!(!empty.body.contains("Nice"), "{empty:?}");
}

#[test]
fn news_needs_the_permission_and_the_module() {
    let world = World::with_records("open");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/news/1").assert_status(200);
    let fields = [(TITLE, "x"), (TEXT, "y")];
    for path in [NEW, "/news/1/edit", "/news/1/delete"] {
        assert!(!page.body.contains(&format!("\"{path}\"")), "{path}");
        bob.get(path).assert_status(403);
        bob.submit(&page, path, &fields).assert_status(403);
    }
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    alice.post(NEW, &fields).assert_status(403);
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    alice.submit(&form, NEW, &fields).assert_status(403);
    bob.submit(&page, "/news/1/comments/new", &[("comments", "x")])
        .assert_status(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1");
    world.sql("DELETE FROM enabled_modules WHERE name = 'news'");
    for path in ["/news/1/edit", "/news/1/delete", "/news/1/comments/new"] {
        alice.get(path).assert_status(404);
        alice.submit(&form, path, &fields).assert_status(404);
    }
}

#[test]
fn changes_of_two_people_are_merged_or_shown() {
    let world = World::with_projects();
    let item = serde_json::json!({"news": {"title": "Release", "description": "Soon"}});
    world
        .as_user("alice")
        .post("/projects/open/news.json", item)
        .assert_status(201);
    const EDIT: &str = "/news/1/edit";
    let alice = Browser::logged_in(&world, "alice");
    let admin = Browser::logged_in(&world, "admin");
    let opened = alice.get(EDIT).assert_status(200);
    let other = admin.get(EDIT).assert_status(200);
    send(&admin, &other, EDIT, &[(TEXT, "Tomorrow")]).assert_status(303);
    send(&alice, &opened, EDIT, &[(TITLE, "Release 2")]).assert_status(303);
    let news = alice.get("/news/1.json").json();
    assert_eq!(news["news"]["title"], "Release 2");
    assert_eq!(news["news"]["description"], "Tomorrow");
    let changes = [(TEXT, "Never"), (TITLE, "Release")];
    send(&alice, &opened, EDIT, &changes)
        .assert_status(409)
        .assert_contains("Never</textarea>")
        .assert_contains("<div class=\"text\">Tomorrow</div>");
}

#[test]
fn comment_cannot_have_characters_that_no_text_has() {
    let world = World::with_records("open");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/news/1").assert_status(200);
    alice
        .submit(&page, "/news/1/comments/new", &[("comments", "x\0y")])
        .assert_status(422);
}
