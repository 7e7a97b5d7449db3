//! The comment box of an issue.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::{Browser, form_field};
use quarry_world::{DEVELOPER, Response, World, user};
use serde_json::{Value, json};

fn update(browser: &Browser<'_>, page: &Response, id: i64, fields: &[(&str, &str)]) -> Response {
    let path = format!("/issues/{id}");
    let lock_version = form_field(page, &format!("{path}#update"), "issue[lock_version]").unwrap();
    let original = form_field(page, &format!("{path}#update"), "original").unwrap();
    let mut all = vec![
        ("issue[lock_version]", lock_version.as_str()),
        ("original", original.as_str()),
    ];
    all.extend_from_slice(fields);
    browser.submit_files(page, &path, &all, &[])
}

#[test]
fn comment_leads_to_its_note() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get(&format!("/issues/{id}")).assert_status(200);
    let saved = update(
        &browser,
        &page,
        id,
        &[
            ("issue[notes]", "First <b>note</b>"),
            ("issue[status_id]", "2"),
        ],
    )
    .assert_status(303);
    assert_eq!(saved.location(), format!("/issues/{id}#note-1"));
    let page = browser.get(&format!("/issues/{id}")).assert_status(200);
    page.assert_contains("id=\"note-1\"")
        .assert_contains("First <b>note</b>")
        .assert_contains("set <b>Status</b>");
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals"))
        .assert_json_path("/issue/journals/0/notes", "First <b>note</b>");
    let page = browser.get(&format!("/issues/{id}"));
    let nothing = update(&browser, &page, id, &[("issue[notes]", " ")]).assert_status(303);
    assert_eq!(nothing.location(), format!("/issues/{id}"));
}

#[test]
fn errors_stand_beside_the_field_and_text_is_kept() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get(&format!("/issues/{id}"));
    let fields = [
        ("issue[notes]", "kept </textarea><script>alert(1)</script>"),
        ("issue[due_date]", "tomorrow"),
        ("issue[subject]", ""),
    ];
    let refused = update(&browser, &page, id, &fields).assert_status(422);
    for expected in [
        "id=\"issue[due_date]-error\">Due date is not a valid date",
        "id=\"issue[subject]-error\">Subject cannot be blank",
        "value=\"tomorrow\"",
        "kept &#60;/textarea&#62;&#60;script&#62;",
        "<details class=\"more\" open>",
    ] {
        assert!(
            refused.body.contains(expected),
            "{expected}: {}",
            refused.body
        );
    }
    world.set(Setting::TextMaxLength, "10");
    let refused =
        update(&browser, &page, id, &[("issue[notes]", "longer than ten")]).assert_status(422);
    assert!(
        refused
            .body
            .contains("id=\"issue[notes]-error\">Notes is too long")
            && refused.body.contains("longer than ten</textarea>")
    );
}

#[test]
fn long_texts_are_shown_without_markup_beside_errors() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .description(&format!("*words* of a text\n\n{}", "x ".repeat(40_000)))
        .create();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get(&format!("/issues/{id}")).assert_status(200);
    let refused = update(&browser, &page, id, &[("issue[subject]", "")]).assert_status(422);
    refused.assert_contains("<pre class=\"plain-text\">*words* of a text");
}

#[test]
fn box_offers_what_workflow_and_permissions_allow() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let path = format!("/issues/{id}");
    let developer = Browser::logged_in(&world, "bob")
        .get(&path)
        .assert_status(200);
    let reporter = Browser::logged_in(&world, "carol")
        .get(&path)
        .assert_status(200);
    assert!(
        developer.body.contains("name=\"issue[status_id]\"")
            && developer.body.contains("name=\"issue[description]\"")
    );
    assert!(
        reporter.body.contains("name=\"issue[notes]\"")
            && !reporter.body.contains("name=\"issue[status_id]\""),
        "{}",
        reporter.body
    );
    let allowed = world
        .as_user("bob")
        .get(&format!("{path}.json?include=allowed_statuses"))
        .array("/issue/allowed_statuses");
    let select = developer
        .body
        .split_once("name=\"issue[status_id]\"")
        .unwrap()
        .1
        .split_once("</select>")
        .unwrap()
        .0;
    assert_eq!(select.matches("<option").count(), allowed.len());
    for status in allowed {
        assert!(
            select.contains(&format!("value=\"{}\"", status["id"])),
            "{select}"
        );
    }
    let assignees = developer
        .body
        .split_once("name=\"issue[assigned_to_id]\"")
        .unwrap()
        .1
        .split_once("</select>")
        .unwrap()
        .0;
    assert!(
        assignees.contains("bob Tester (me)") && assignees.contains("alice Tester"),
        "{assignees}"
    );
    assert!(
        !assignees.contains("dave") && !assignees.contains("erin"),
        "{assignees}"
    );
}

#[test]
fn form_without_permission_or_token_is_refused() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let secret = world.issue("secret").subject("unseen subject").create();
    let browser = Browser::logged_in(&world, "bob");
    browser
        .post(&format!("/issues/{id}"), &[("issue[notes]", "x")])
        .assert_status(403);
    browser
        .post_files(
            &format!("/issues/{id}"),
            &[("issue[notes]", "x")],
            &[("a.txt", b"a")],
        )
        .assert_status(403);
    let page = browser.get(&format!("/issues/{id}"));
    for hidden in [
        format!("/issues/{secret}"),
        "/issues/999999".to_owned(),
        format!("/issues/{secret}/watch"),
    ] {
        let refused = browser
            .submit(&page, &hidden, &[("issue[notes]", "x"), ("do", "watch")])
            .assert_status(404);
        assert!(!refused.body.contains("unseen"));
    }
    world.set(Setting::LoginRequired, "0");
    let stranger = Browser::new(&world);
    let page = stranger
        .get(&format!("/issues/{id}"))
        .assert_status(200)
        .assert_contains("to comment.");
    assert!(!page.body.contains("issue[notes]"));
    stranger
        .post(&format!("/issues/{id}"), &[("issue[notes]", "x")])
        .assert_status(401);
    let count = world
        .as_user("alice")
        .get(&format!("/issues/{id}.json?include=journals"))
        .array("/issue/journals")
        .len();
    assert_eq!(count, 0);
}

#[test]
fn private_note_is_for_those_who_may_write_one() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let path = format!("/issues/{id}");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get(&path)
        .assert_contains("name=\"issue[private_notes]\"");
    update(
        &alice,
        &page,
        id,
        &[("issue[notes]", "for us"), ("issue[private_notes]", "1")],
    )
    .assert_status(303);
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&path).assert_status(200);
    assert!(
        !page.body.contains("for us") && !page.body.contains("name=\"issue[private_notes]\""),
        "{}",
        page.body
    );
    update(
        &carol,
        &page,
        id,
        &[
            ("issue[notes]", "from carol"),
            ("issue[private_notes]", "1"),
        ],
    )
    .assert_status(303);
    assert!(
        Browser::logged_in(&world, "bob")
            .get(&path)
            .body
            .contains("from carol")
    );
}

fn watchers(world: &World, path: &str) -> Vec<Value> {
    world
        .as_user("alice")
        .get(&format!("{path}.json?include=watchers"))
        .array("/issue/watchers")
}

#[test]
fn watching_is_switched_by_a_button() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let path = format!("/issues/{id}");
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&path).assert_contains("value=\"watch\"");
    carol
        .submit(&page, &format!("{path}/watch"), &[("do", "watch")])
        .assert_status(303);
    let page = carol
        .get(&path)
        .assert_contains("You watch this issue.")
        .assert_contains("value=\"unwatch\"");
    assert!(
        watchers(&world, &path)
            .iter()
            .any(|watcher| watcher["id"] == user("carol").0)
    );
    carol
        .submit(&page, &format!("{path}/watch"), &[("do", "unwatch")])
        .assert_status(303);
    assert!(
        !watchers(&world, &path)
            .iter()
            .any(|watcher| watcher["id"] == user("carol").0)
    );
    carol
        .submit(&page, &format!("{path}/watch"), &[])
        .assert_status(400);
    carol
        .post(&format!("{path}/watch"), &[("do", "watch")])
        .assert_status(403);
}

#[test]
fn update_form_keeps_what_was_typed() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get(&format!("/issues/{id}"));
    let fields = [
        ("issue[notes]", "unsent"),
        ("issue[tracker_id]", "2"),
        ("do", "refresh"),
    ];
    let again = update(&browser, &page, id, &fields).assert_status(200);
    assert!(again.body.contains("unsent</textarea>"));
    let select = again
        .body
        .split_once("name=\"issue[tracker_id]\"")
        .unwrap()
        .1
        .split_once("</select>")
        .unwrap()
        .0;
    assert!(select.contains("value=\"2\" selected"), "{select}");
    world
        .as_user("alice")
        .get(&format!("/issues/{id}.json"))
        .assert_json_path("/issue/tracker/id", 1);
}

#[test]
fn comment_survives_the_end_of_the_session() {
    let world = World::with_projects();
    let id = world.issue("open").create();
    let path = format!("/issues/{id}");
    for login_required in ["0", "1"] {
        world.set(Setting::LoginRequired, login_required);
        let browser = Browser::logged_in(&world, "bob");
        let page = browser.get(&path);
        world.sql("DELETE FROM sessions");
        let login = browser
            .submit_files(
                &page,
                &path,
                &[("issue[notes]", "two\nlines")],
                &[("a.txt", b"content")],
            )
            .assert_status(401);
        let path = form_field(&login, "/login", "posted_path").unwrap();
        let body = form_field(&login, "/login", "posted_body").unwrap();
        let carried = [
            ("username", "bob"),
            ("password", "bobbobbob"),
            ("posted_path", &path),
            ("posted_body", &body),
        ];
        let resumed = browser
            .submit(&login, "/login", &carried)
            .assert_status(200);
        assert!(
            resumed.body.contains("two\nlines</textarea>")
                && resumed.body.contains("Files are not kept."),
            "{resumed:?}"
        );
        assert!(!resumed.body.contains("dropped_files"), "{resumed:?}");
        let sent = browser
            .submit(&resumed, &path, &[("issue[notes]", "two\nlines")])
            .assert_status(303);
        assert!(sent.location().contains("#note-"), "{sent:?}");
    }
    let unattached = world
        .as_user("bob")
        .get(&format!("{path}.json?include=attachments"))
        .array("/issue/attachments")
        .len();
    assert_eq!(unattached, 0);
}

#[test]
fn issue_that_is_hidden_by_the_change_is_left() {
    let world = World::with_projects();
    world.project("other").member("bob", DEVELOPER).create();
    let id = world
        .issue("open")
        .field("assigned_to_id", user("bob").0)
        .create();
    world.sql("UPDATE roles SET issues_visibility = 'own' WHERE id = 4");
    let browser = Browser::logged_in(&world, "bob");
    let page = browser.get(&format!("/issues/{id}")).assert_status(200);
    let left = update(&browser, &page, id, &[("issue[assigned_to_id]", "")]).assert_status(303);
    assert_eq!(left.location(), "/issues");
    world
        .as_user("alice")
        .put(
            &format!("/issues/{id}.json"),
            json!({"issue": {"notes": "x"}}),
        )
        .assert_status(200);
}
