//! The files of a project, and files of other records, in the browser.

use quarry::domain::content::attachment::ContainerType;
use quarry::domain::ids::ProjectId;
use quarry::domain::index_feed::kind::Kind;
use quarry_world::attachments::file;
use quarry_world::browser::Browser;
use quarry_world::{World, insert_version};

const LIST: &str = "/projects/open/files";
const NEW: &str = "/projects/open/files/new";

/// `open` is the project 1 with the version 1.
fn world() -> World {
    let world = World::with_projects();
    let now = world.app.clock.now();
    world.write(move |db| insert_version(db, ProjectId(1), "1.0", now));
    world.write(move |db| insert_version(db, ProjectId(2), "9.9", now));
    world
}

#[test]
fn files_are_added_to_a_version_and_listed_with_size_digest_and_downloads() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get(LIST)
        .assert_status(200)
        .assert_contains("No files yet.")
        .assert_contains(&format!("href=\"{NEW}\">Add files</a></p>"));
    let form = bob.get(NEW).assert_status(200);
    assert!(
        form.body.contains(">1.0</option>") && !form.body.contains("9.9"),
        "{form:?}"
    );
    let files: [(&str, &[u8]); 2] = [("b.txt", b"hello"), ("../A <i>.zip", b"PK")];
    let fields = [
        ("file[version_id]", "1"),
        ("file[description]", "The <release>"),
    ];
    let saved = bob
        .submit_files(&form, NEW, &fields, &files)
        .assert_status(303);
    assert_eq!(saved.location(), LIST);
    let list = bob
        .get(LIST)
        .assert_status(200)
        .assert_contains("2 files were added.")
        .assert_contains("href=\"/versions/1\">1.0</a>")
        .assert_contains("5 bytes")
        .assert_contains("The &#60;release&#62;")
        .assert_contains("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
        .assert_contains("data-label=\"Downloads\">0<")
        .assert_contains("A _i_.zip");
    assert!(list.body.contains("/attachments/1/delete"), "{list:?}");
    let later = bob
        .submit_files(&form, NEW, &[], &[("plan.pdf", b"%PDF")])
        .assert_status(303);
    assert_eq!(later.location(), LIST);
    bob.get(LIST)
        .assert_status(200)
        .assert_contains("Without a version");
    bob.get("/attachments/1")
        .assert_status(200)
        .assert_contains("href=\"/projects/open/files\">Files")
        .assert_contains("SHA-256 <code>2cf24dba");
}

#[test]
fn version_is_no_link_for_viewers_who_may_not_see_its_page() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    let fields = [("file[version_id]", "1")];
    alice
        .submit_files(&form, NEW, &fields, &[("b.txt", b"hello")])
        .assert_status(303);
    let manage = "/projects/open/settings/versions";
    let link = "href=\"/versions/1\"";
    alice.get(manage).assert_status(200).assert_contains(link);
    world.sql("DELETE FROM role_permissions WHERE name = 'view_issues'");
    alice.get("/versions/1").assert_status(404);
    let list = alice.get(LIST).assert_status(200).assert_contains(">1.0<");
    let versions = alice.get(manage).assert_status(200).assert_contains("1.0");
    for page in [list, versions] {
        assert!(!page.body.contains(link), "{page:?}");
    }
}

#[test]
fn form_without_a_file_and_with_a_foreign_version_keeps_what_was_sent() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let form = bob.get(NEW).assert_status(200);
    let fields = [("file[version_id]", "1"), ("file[description]", "kept")];
    bob.submit(&form, NEW, &fields)
        .assert_status(422)
        .assert_contains("File cannot be blank")
        .assert_contains("value=\"1\" selected")
        .assert_contains("value=\"kept\"");
    for version in ["2", "99", "x"] {
        bob.submit_files(
            &form,
            NEW,
            &[("file[version_id]", version)],
            &[("b.txt", b"x")],
        )
        .assert_status(422)
        .assert_contains("checked> b.txt");
    }
    let long = "d".repeat(300);
    bob.submit_files(
        &form,
        NEW,
        &[("file[description]", &long)],
        &[("b.txt", b"x")],
    )
    .assert_status(422)
    .assert_contains("Description is too long (maximum is 255 characters)");
    bob.get(LIST)
        .assert_status(200)
        .assert_contains("No files yet.");
}

#[test]
fn files_are_managed_with_the_permission_and_hidden_with_the_module() {
    let world = world();
    file(
        &world,
        "bob",
        ContainerType::Record(Kind::Project),
        1,
        "plan.pdf",
        "%PDF",
    );
    let bob = Browser::logged_in(&world, "bob");
    let form = bob.get(NEW).assert_status(200);
    bob.post(NEW, &[]).assert_status(403);
    let carol = Browser::logged_in(&world, "carol");
    let list = carol
        .get(LIST)
        .assert_status(200)
        .assert_contains("plan.pdf");
    for text in [NEW, "/attachments/1/edit", "/attachments/1/delete"] {
        assert!(!list.body.contains(text), "{text}: {list:?}");
        carol.get(text).assert_status(403);
        let page = carol.get("/my/account").assert_status(200);
        carol.submit(&page, text, &[]).assert_status(403);
    }
    carol.get("/projects/secret/files").assert_status(404);
    let open = carol.get("/projects/open").assert_status(200);
    assert!(
        open.body.contains("href=\"/projects/open/files\""),
        "{open:?}"
    );
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    assert!(!bob.get(LIST).assert_status(200).body.contains(NEW));
    bob.get(NEW).assert_status(403);
    world.sql("UPDATE projects SET status = 1 WHERE id = 1");
    world.sql("DELETE FROM enabled_modules WHERE name = 'files'");
    bob.get(LIST).assert_status(404);
    let late = bob.submit_files(&form, NEW, &[], &[("b.txt", b"x")]);
    assert!(matches!(late.status, 403 | 404), "{late:?}");
    let tabs = carol.get("/projects/open").assert_status(200);
    assert!(!tabs.body.contains("/projects/open/files"), "{tabs:?}");
}

#[test]
fn files_of_records_are_renamed_and_deleted() {
    let world = World::with_records("open");
    file(&world, "alice", Kind::News, 1, "route.csv", "a,b");
    file(&world, "alice", Kind::Message, 2, "seal.rs", "fn");
    let alice = Browser::logged_in(&world, "alice");
    const EDIT: &str = "/attachments/1/edit";
    let form = alice.get(EDIT).assert_status(200);
    alice
        .submit(&form, EDIT, &[("attachment[filename]", " ")])
        .assert_status(422)
        .assert_contains("File cannot be blank");
    let fields = [
        ("attachment[filename]", "../way<>.csv"),
        ("attachment[description]", "By \"sea\""),
    ];
    let saved = alice.submit(&form, EDIT, &fields).assert_status(303);
    assert_eq!(saved.location(), "/news/1");
    alice
        .get("/news/1")
        .assert_status(200)
        .assert_contains("way_.csv")
        .assert_contains("By &#34;sea&#34;");
    const DELETE: &str = "/attachments/2/delete";
    let question = alice
        .get(DELETE)
        .assert_status(200)
        .assert_contains("Delete the file seal.rs?");
    let gone = alice.submit(&question, DELETE, &[]).assert_status(303);
    assert_eq!(gone.location(), "/boards/1/topics/1?r=2#message-2");
    alice.get("/attachments/2").assert_status(404);
    alice.get("/attachments/download/2").assert_status(404);
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/attachments/1").assert_status(200);
    for path in [EDIT, "/attachments/1/delete"] {
        bob.get(path).assert_status(403);
    }
}
