//! The form of a wiki page: the whole text, a section, an old version, files, and a new page with
//! its title.

use super::{save, send, stored, text, write};
use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::{Browser, field};
use serde_json::json;

const PATH: &str = "/projects/open/wiki/Manual";
const TEXT: &str = "Intro\n\n# Start\n\nValve\n\n## Below\n\nPump\n\n# End\n\nSeal";

fn world() -> World {
    let world = World::with_projects();
    write(&world, "open/wiki/Manual", TEXT);
    world
}

#[test]
fn page_is_edited_with_a_comment_and_a_parent() {
    let world = world();
    write(&world, "open/wiki/Guides", "All of them");
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("{PATH}/edit");
    let form = alice.get(&path).assert_status(200);
    let form = form
        .assert_contains("Valve")
        .assert_contains(">Guides</option>");
    // A page cannot stand below itself.
    assert!(!form.body.contains(r#"<option value="Manual""#), "{form:?}");
    let saved = send(
        &alice,
        &form,
        &path,
        &[
            ("wiki_page[text]", "New\r\ntext"),
            ("wiki_page[comments]", "Shorter"),
            ("wiki_page[parent_title]", "Guides"),
            ("wiki_page[title]", "Other"),
        ],
    );
    assert_eq!(saved.assert_status(303).location(), PATH);
    let page = stored(&world, "open/wiki/Manual");
    assert_eq!(
        (
            &page["text"],
            &page["comments"],
            &page["parent"]["title"],
            &page["version"]
        ),
        (
            &json!("New\ntext"),
            &json!("Shorter"),
            &json!("Guides"),
            &json!(2)
        )
    );
}

#[test]
fn unchanged_text_makes_no_version() {
    let world = World::with_projects();
    for (title, text) in [("Lf", "a\nb\n"), ("Crlf", "a\r\nb"), ("Mixed", "a\r\nb\nc")] {
        write(&world, &format!("open/wiki/{title}"), text);
        let alice = Browser::logged_in(&world, "alice");
        let path = format!("/projects/open/wiki/{title}/edit");
        let form = alice.get(&path).assert_status(200);
        let sent = text.replace("\r\n", "\n").replace('\n', "\r\n");
        let _ = send(&alice, &form, &path, &[("wiki_page[text]", &sent)]).assert_status(303);
        let page = stored(&world, &format!("open/wiki/{title}"));
        assert_eq!(
            (&page["text"], &page["version"]),
            (&json!(text), &json!(1)),
            "{title}"
        );
    }
}

#[test]
fn section_is_edited_alone() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(PATH).assert_status(200);
    for number in 1..=3 {
        let link = format!("href=\"{PATH}/edit?section={number}\"");
        assert!(page.body.contains(&link), "{link} in {page:?}");
    }
    let form = alice
        .get(&format!("{PATH}/edit?section=2"))
        .assert_status(200);
    assert!(
        form.body.contains("Pump") && !form.body.contains("Valve"),
        "{form:?}"
    );
    let path = format!("{PATH}/edit");
    let _ = send(
        &alice,
        &form,
        &path,
        &[("wiki_page[text]", "## Below\r\n\r\nTwo pumps")],
    )
    .assert_status(303);
    assert_eq!(
        text(&world, "open/wiki/Manual"),
        TEXT.replace("Pump", "Two pumps")
    );
    // Without a text it is deleted.
    let form = alice
        .get(&format!("{PATH}/edit?section=1"))
        .assert_status(200);
    let _ = send(&alice, &form, &path, &[("wiki_page[text]", "")]).assert_status(303);
    assert_eq!(text(&world, "open/wiki/Manual"), "Intro\n\n# End\n\nSeal");
    for number in ["0", "4", "x", "-1", "99999999999999999999"] {
        let _ = alice
            .get(&format!("{PATH}/edit?section={number}"))
            .assert_status(404);
    }
}

#[test]
fn sections_of_textile_are_edited() {
    let world = World::with_projects();
    world.set(Setting::TextFormatting, "textile");
    write(
        &world,
        "open/wiki/Manual",
        "h1. Start\n\nValve\n\nh1. End\n\nSeal",
    );
    let alice = Browser::logged_in(&world, "alice");
    let form = alice
        .get(&format!("{PATH}/edit?section=2"))
        .assert_status(200);
    let path = format!("{PATH}/edit");
    let _ = send(
        &alice,
        &form,
        &path,
        &[("wiki_page[text]", "h1. End\r\n\r\nTwo")],
    )
    .assert_status(303);
    assert_eq!(
        text(&world, "open/wiki/Manual"),
        "h1. Start\n\nValve\n\nh1. End\n\nTwo"
    );
}

#[test]
fn section_with_a_wrong_hash_or_number_changes_nothing() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice
        .get(&format!("{PATH}/edit?section=2"))
        .assert_status(200);
    let hash = field(&form, "section_hash").unwrap();
    for (number, hash) in [
        ("2", "0000000000000000"),
        ("1", hash.as_str()),
        ("9", hash.as_str()),
        ("-1", hash.as_str()),
        ("x", hash.as_str()),
        ("2", ""),
    ] {
        let fields = [
            ("wiki_page[text]", "## My own words"),
            ("wiki_page[version]", "1"),
            ("section", number),
            ("section_hash", hash),
        ];
        let page = alice
            .submit(&form, &format!("{PATH}/edit"), &fields)
            .assert_status(409);
        page.assert_contains("## My own words");
        assert_eq!(text(&world, "open/wiki/Manual"), TEXT);
    }
    // A section that is gone is kept at the end of the whole text.
    let fields = [
        ("wiki_page[text]", "Lost?"),
        ("wiki_page[version]", "1"),
        ("section", "9"),
        ("section_hash", "x"),
    ];
    let page = alice
        .submit(&form, &format!("{PATH}/edit"), &fields)
        .assert_status(409);
    page.assert_contains("Seal\n\nLost?</textarea>")
        .assert_contains("does not exist any more");
}

#[test]
fn old_version_is_restored_as_a_new_one() {
    let world = world();
    save(&world, "open/wiki/Manual", json!({"text": "Vandalized"})).assert_status(200);
    let alice = Browser::logged_in(&world, "alice");
    alice
        .get(&format!("{PATH}/1"))
        .assert_status(200)
        .assert_contains(&format!("href=\"{PATH}/edit?version=1\""));
    let form = alice
        .get(&format!("{PATH}/edit?version=1"))
        .assert_status(200);
    let form = form.assert_contains("value=\"Restored version 1\"");
    let path = format!("{PATH}/edit");
    let _ = send(
        &alice,
        &form,
        &path,
        &[
            ("wiki_page[text]", TEXT),
            ("wiki_page[comments]", "Restored version 1"),
        ],
    )
    .assert_status(303);
    let page = stored(&world, "open/wiki/Manual");
    assert_eq!((&page["text"], &page["version"]), (&json!(TEXT), &json!(3)));
    let _ = alice
        .get(&format!("{PATH}/edit?version=9"))
        .assert_status(404);
    // Old versions need their own permission.
    world.sql("DELETE FROM role_permissions WHERE name = 'view_wiki_edits'");
    let _ = alice
        .get(&format!("{PATH}/edit?version=1"))
        .assert_status(404);
    let _ = alice.get(&format!("{PATH}/edit")).assert_status(200);
}

#[test]
fn files_are_added_and_deleted() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("{PATH}/edit");
    let form = alice.get(&path).assert_status(200);
    let version = field(&form, "wiki_page[version]").unwrap();
    let fields = [
        ("wiki_page[text]", ""),
        ("wiki_page[version]", version.as_str()),
    ];
    // The file is kept while something else is wrong.
    let again = alice
        .submit_files(&form, &path, &fields, &[("plan.txt", b"plan")])
        .assert_status(422);
    let again = again.assert_contains("plan.txt");
    let token = again
        .body
        .split_once("[token]\" value=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0
        .to_owned();
    let fields = [
        ("wiki_page[text]", TEXT),
        ("attachments[1][token]", token.as_str()),
    ];
    let _ = send(&alice, &again, &path, &fields).assert_status(303);
    let page = stored(&world, "open/wiki/Manual");
    assert_eq!(page["attachments"][0]["filename"], "plan.txt");
    let id = page["attachments"][0]["id"].to_string();
    let form = alice
        .get(&path)
        .assert_status(200)
        .assert_contains("Delete files");
    let fields = [
        ("wiki_page[text]", TEXT),
        ("wiki_page[deleted_attachment_ids][]", ""),
        ("wiki_page[deleted_attachment_ids][]", id.as_str()),
    ];
    let _ = send(&alice, &form, &path, &fields).assert_status(303);
    assert_eq!(stored(&world, "open/wiki/Manual")["attachments"], json!([]));
}

fn new_page(title: &str) -> [(&str, &str); 3] {
    [
        ("wiki_page[title]", title),
        ("wiki_page[text]", "Words"),
        ("wiki_page[parent_title]", "Manual"),
    ]
}

#[test]
fn new_page_has_a_field_for_its_title() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let path = "/projects/open/wiki/new";
    alice.get(PATH).assert_status(200).assert_contains(&format!(
        "href=\"{path}?wiki_page%5Bparent_title%5D=Manual\""
    ));
    let form = alice
        .get(&format!("{path}?wiki_page%5Bparent_title%5D=Manual"))
        .assert_status(200);
    let form = form.assert_contains(r#"<option value="Manual" selected>"#);
    for (title, message) in [
        ("", "Title cannot be blank"),
        (" _ ", "Title cannot be blank"),
        (".?:", "Title cannot be blank"),
        ("manual", "Title has already been taken"),
        ("a\u{1}b", "control character"),
        (&"x".repeat(256), "Title is too long"),
    ] {
        let again = send(&alice, &form, path, &new_page(title)).assert_status(422);
        again.assert_contains(message).assert_contains("Words");
    }
    let saved = send(
        &alice,
        &form,
        path,
        &new_page("what's \"new\"? <b> & 50% #1"),
    )
    .assert_status(303);
    let page = alice.get(saved.location()).assert_status(200);
    page.assert_contains("What&#39;s &#34;new&#34; &#60;b&#62; &#38; 50% #1</h1>");
    world.sql("DELETE FROM role_permissions WHERE name = 'protect_wiki_pages'");
    send(&alice, &form, path, &new_page("Sidebar"))
        .assert_status(422)
        .assert_contains("protect");
    // The first page of a wiki has the title that was chosen.
    let form = alice.get("/projects/secret/wiki/new").assert_status(200);
    let _ = send(
        &alice,
        &form,
        "/projects/secret/wiki/new",
        &[("wiki_page[title]", "One"), ("wiki_page[text]", "x")],
    )
    .assert_status(303);
    assert_eq!(text(&world, "secret/wiki/One"), "x");
}

#[test]
fn protected_pages_are_edited_by_those_who_may_protect_them() {
    let world = world();
    world.sql("UPDATE wiki_pages SET protected = 1; DELETE FROM role_permissions WHERE name = 'protect_wiki_pages'");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(PATH).assert_status(200);
    assert!(!page.body.contains("/edit\""), "{page:?}");
    for below in ["edit", "rename", "delete", "protect"] {
        let path = format!("{PATH}/{below}");
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
    assert_eq!(text(&world, "open/wiki/Manual"), TEXT);
}

#[test]
fn files_of_a_protected_page_are_protected() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(&format!("{PATH}/edit")).assert_status(200);
    let fields = [("wiki_page[text]", TEXT), ("wiki_page[version]", "1")];
    let files: [(&str, &[u8]); 1] = [("logo.txt", b"x")];
    let saved = alice.submit_files(&form, &format!("{PATH}/edit"), &fields, &files);
    saved.assert_status(303);
    alice.get("/attachments/1/edit").assert_status(200);
    world.sql("UPDATE wiki_pages SET protected = 1; DELETE FROM role_permissions WHERE name = 'protect_wiki_pages'");
    for below in ["edit", "delete"] {
        let path = format!("/attachments/1/{below}");
        alice.get(&path).assert_status(403);
        let renamed = [("attachment[filename]", "evil.txt")];
        alice.submit(&form, &path, &renamed).assert_status(403);
    }
    let api = world.as_user("alice");
    let renamed = json!({"attachment": {"filename": "evil.txt"}});
    api.put("/attachments/1.json", renamed).assert_status(403);
    api.delete("/attachments/1.json").assert_status(403);
    alice.get("/attachments/1").assert_contains("logo.txt");
}

#[test]
fn forms_of_hidden_wikis_look_like_missing_ones() {
    let world = world();
    write(&world, "secret/wiki/Plans", "Hidden");
    for login in ["carol", "dave"] {
        let browser = Browser::logged_in(&world, login);
        let page = browser.get("/projects/open").assert_status(200);
        for below in [
            "new",
            "Plans/edit",
            "Plans/rename",
            "Plans/protect",
            "Plans/delete",
        ] {
            for project in ["secret", "nowhere"] {
                let path = format!("/projects/{project}/wiki/{below}");
                let _ = browser.get(&path).assert_status(404);
                let _ = browser
                    .submit(
                        &page,
                        &path,
                        &[("wiki_page[text]", "x"), ("wiki_page[title]", "y")],
                    )
                    .assert_status(404);
            }
        }
        for path in [
            "Plans.html",
            "Plans.txt",
            "date_index",
            "Plans/history",
            "Plans/diff",
        ] {
            let _ = browser
                .get(&format!("/projects/secret/wiki/{path}"))
                .assert_status(404);
        }
    }
    assert_eq!(text(&world, "secret/wiki/Plans"), "Hidden");
}

#[test]
fn title_of_the_page_is_shown_once() {
    let world = World::with_projects();
    write(
        &world,
        "open/wiki/Pump_room",
        "# Pump room\n\nBelow deck.\n\n## State\n\nDry",
    );
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get("/projects/open/wiki/Pump_room")
        .assert_status(200);
    let article = page
        .body
        .split_once("<article")
        .unwrap()
        .1
        .split_once("</article>")
        .unwrap()
        .0;
    assert!(
        !article.contains("Pump room") && article.contains("State"),
        "{article}"
    );
    assert!(
        article.contains("edit?section=2") && !article.contains("edit?section=1"),
        "{article}"
    );
}

#[test]
fn too_long_texts_are_kept_with_their_error() {
    let world = world();
    world.set(Setting::TextMaxLength, "1000");
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("{PATH}/edit");
    let form = alice.get(&path).assert_status(200);
    let long = "word ".repeat(400);
    let again = send(&alice, &form, &path, &[("wiki_page[text]", &long)]).assert_status(422);
    again
        .assert_contains("Text is too long")
        .assert_contains(&long);
}
