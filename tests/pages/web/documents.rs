//! Documents in the browser.

use quarry_world::World;
use quarry_world::browser::Browser;

const LIST: &str = "/projects/open/documents";
const NEW: &str = "/projects/open/documents/new";
const TITLE: &str = "document[title]";
const CATEGORY: &str = "document[category_id]";

#[test]
fn document_is_added_with_files_changed_and_deleted() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get(LIST)
        .assert_status(200)
        .assert_contains("No documents yet.")
        .assert_contains(&format!("href=\"{NEW}\">New document</a></p>"));
    let form = alice
        .get(NEW)
        .assert_status(200)
        .assert_contains("User documentation");
    let category = form.body.split_once("<option value=\"").unwrap().1;
    let category = category.split_once('"').unwrap().0;
    alice
        .submit_files(
            &form,
            NEW,
            &[
                (CATEGORY, category),
                (TITLE, ""),
                ("document[description]", "How <to>"),
            ],
            &[("manual.pdf", b"%PDF")],
        )
        .assert_status(422)
        .assert_contains("Title cannot be blank")
        .assert_contains("How &#60;to&#62;</textarea>")
        .assert_contains("checked> manual.pdf");
    let fields = [(CATEGORY, category), (TITLE, "Manual")];
    let saved = alice.submit(&form, NEW, &fields).assert_status(303);
    assert_eq!(saved.location(), "/documents/1");
    const EDIT: &str = "/documents/1/edit";
    alice
        .get("/documents/1")
        .assert_status(200)
        .assert_contains("The document was created.")
        .assert_contains(&format!("<a href=\"{EDIT}\">Add files</a>"));
    let form = alice.get(EDIT).assert_status(200);
    alice
        .submit_files(&form, EDIT, &fields, &[("manual.pdf", b"%PDF")])
        .assert_status(303);
    let page = alice.get("/documents/1").assert_status(200);
    let (_, rest) = page.body.split_once("href=\"/attachments/").unwrap();
    let file = rest.split_once('"').unwrap().0;
    let delete = format!("/attachments/{file}/delete");
    let question = alice.get(&delete).assert_status(200);
    let gone = alice.submit(&question, &delete, &[]).assert_status(303);
    assert_eq!(gone.location(), "/documents/1");
    alice
        .get("/documents/1")
        .assert_status(200)
        .assert_contains("The file was deleted.")
        .assert_contains("This document has no files.");
    let odd = alice.submit(&form, EDIT, &[(CATEGORY, "999"), (TITLE, "x")]);
    odd.assert_status(422);
    let question = alice
        .get("/documents/1/delete")
        .assert_status(200)
        .assert_contains("Delete the document Manual?");
    let gone = alice.submit(&question, "/documents/1/delete", &[]);
    assert_eq!(gone.assert_status(303).location(), LIST);
    alice.get("/documents/1").assert_status(404);
}

#[test]
fn documents_need_each_permission_and_the_module() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    let category = form.body.split_once("<option value=\"").unwrap().1;
    let category = category.split_once('"').unwrap().0;
    let fields = [(CATEGORY, category), (TITLE, "Manual")];
    alice.post(NEW, &fields).assert_status(403);
    alice.submit(&form, NEW, &fields).assert_status(303);
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/documents/1").assert_status(200);
    for path in [NEW, "/documents/1/edit", "/documents/1/delete"] {
        bob.get(path).assert_status(403);
        bob.submit(&page, path, &fields).assert_status(403);
    }
    // Who may edit may not delete.
    world.sql(
        "INSERT INTO role_permissions (role_id, name, position) VALUES (4, 'edit_documents', 0)",
    );
    let edit = bob.get("/documents/1/edit").assert_status(200);
    assert!(!edit.body.contains("/documents/1/delete"), "{edit:?}");
    bob.get("/documents/1/delete").assert_status(403);
    world.sql("DELETE FROM enabled_modules WHERE name = 'documents'");
    alice.get("/documents/1/edit").assert_status(404);
    alice.get("/documents/1").assert_status(404);
}
