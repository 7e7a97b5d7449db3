//! Check boxes of texts, which those who may edit the text tick: `POST …/tasks`.

use quarry_world::browser::Browser;
use quarry_world::reactions::world_with_records;
use quarry_world::{Response, World};
use serde_json::json;

const TEXT: &str = "To do:\n\n- [ ] one\n- [x] two";
const TICKED: &str = "To do:\n\n- [x] one\n- [ ] two";

/// The records with texts: the page, the address of the record, and where the API has the text.
const RECORDS: [(&str, &str, &str, &str); 6] = [
    (
        "/issues/1",
        "/issues/1",
        "/issues/1.json",
        "/issue/description",
    ),
    (
        "/issues/1",
        "/journals/1",
        "/issues/1.json?include=journals",
        "/issue/journals/0/notes",
    ),
    (
        "/boards/1/topics/1",
        "/messages/1",
        "/messages/1.json",
        "/message/content",
    ),
    ("/news/1", "/news/1", "/news/1.json", "/news/description"),
    (
        "/documents/1",
        "/documents/1",
        "/documents/1.json",
        "/document/description",
    ),
    (
        "/projects/open/wiki/Plan",
        "/projects/open/wiki/Plan",
        "/projects/open/wiki/Plan.json",
        "/wiki_page/text",
    ),
];

/// A world whose records have the text.
fn world_with_tasks() -> World {
    let world = world_with_records("open");
    let alice = world.as_user("alice");
    let bodies = [
        ("/issues/1.json", json!({"issue": {"description": TEXT}})),
        ("/journals/1.json", json!({"journal": {"notes": TEXT}})),
        ("/messages/1.json", json!({"message": {"content": TEXT}})),
        ("/news/1.json", json!({"news": {"description": TEXT}})),
        (
            "/projects/open/wiki/Plan.json",
            json!({"wiki_page": {"text": TEXT}}),
        ),
    ];
    for (path, body) in bodies {
        let response = alice.put(path, body);
        assert!(response.status < 300, "{path}: {}", response.body);
    }
    let categories = alice.get("/enumerations/document_categories.json");
    let category = categories
        .assert_status(200)
        .integer("/document_categories/0/id");
    let document = json!({
        "document": {"title": "Plan", "category_id": category, "description": TEXT}
    });
    alice
        .post("/projects/open/documents.json", document)
        .assert_status(201);
    world
}

/// Returns the fingerprint of the text of a record on a page; `None` if its boxes cannot be ticked.
fn fingerprint(page: &str, path: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("data-tasks=\"{path}/tasks\" data-fingerprint=\""))?;
    Some(rest.split('"').next().unwrap().to_owned())
}

fn tick(
    browser: &Browser<'_>,
    page: &Response,
    path: &str,
    fingerprint: &str,
    boxes: &[(&str, &str)],
) -> Response {
    let mut fields = vec![("fingerprint", fingerprint), ("back_url", "/projects")];
    fields.extend(boxes);
    browser.submit(page, &format!("{path}/tasks"), &fields)
}

fn text(world: &World, api: &str, at: &str) -> String {
    let found = world.as_user("alice").get(api).assert_status(200);
    found.json_path(at).as_str().unwrap().replace('\r', "")
}

#[test]
fn boxes_of_each_text_are_ticked_and_cleared_by_those_who_may_edit_it() {
    let world = world_with_tasks();
    let alice = Browser::logged_in(&world, "alice");
    for (page, path, api, at) in RECORDS {
        let shown = alice.get(page).assert_status(200);
        let fingerprint = fingerprint(&shown.body, path).unwrap_or_else(|| panic!("{path}"));
        let both = [("tasks[1]", "1"), ("tasks[2]", "0")];
        let answer = tick(&alice, &shown, path, &fingerprint, &both).assert_status(303);
        assert_eq!(answer.location(), "/projects", "{path}");
        assert_eq!(text(&world, api, at), TICKED, "{path}");
        // The boxes of another text may have other numbers.
        tick(&alice, &shown, path, &fingerprint, &both)
            .assert_status(422)
            .assert_contains("Text has been changed meanwhile; reload the page");
        assert_eq!(text(&world, api, at), TICKED, "{path}");
    }
}

#[test]
fn boxes_that_are_ticked_together_are_one_journal_or_version() {
    let world = world_with_tasks();
    let alice = Browser::logged_in(&world, "alice");
    let count = |sql: &str| -> i64 { world.database().value(sql) };
    let journals = "SELECT COUNT(*) FROM journals";
    let versions = "SELECT COUNT(*) FROM wiki_versions";
    for (path, rows) in [
        ("/issues/1", journals),
        ("/projects/open/wiki/Plan", versions),
    ] {
        let before = count(rows);
        let shown = alice.get(path);
        let fingerprint = fingerprint(&shown.body, path).unwrap();
        let both = [("tasks[1]", "1"), ("tasks[2]", "0")];
        tick(&alice, &shown, path, &fingerprint, &both).assert_status(303);
        assert_eq!(count(rows), before + 1, "{path}");
    }
}

#[test]
fn boxes_stay_as_they_are_for_those_who_may_not_edit_the_text() {
    let world = world_with_tasks();
    world.sql("DELETE FROM role_permissions WHERE name NOT LIKE 'view_%'");
    let carol = Browser::logged_in(&world, "carol");
    let alice = Browser::logged_in(&world, "alice");
    for (page, path, api, at) in RECORDS {
        let of_alice = alice.get(page).assert_status(200);
        let shown = carol.get(page).assert_status(200);
        assert_eq!(fingerprint(&shown.body, path), None, "{path}");
        assert!(shown.body.contains("disabled"), "{path}");
        let sent = fingerprint(&of_alice.body, path).unwrap_or_default();
        let answer = tick(&carol, &shown, path, &sent, &[("tasks[1]", "1")]);
        assert!(
            [403, 422].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert_eq!(text(&world, api, at), TEXT, "{path}");
    }
}

#[test]
fn ticks_of_hidden_records_and_malformed_ones_change_nothing() {
    let world = world_with_tasks();
    let secret = world.issue("secret").description(TEXT).create();
    let carol = Browser::logged_in(&world, "carol");
    let alice = Browser::logged_in(&world, "alice");
    let page = carol.get("/issues/1");
    let first = [("tasks[1]", "1")];
    for path in [
        format!("/issues/{secret}"),
        "/issues/999".to_owned(),
        "/journals/999".to_owned(),
        "/projects/secret/wiki/Wiki".to_owned(),
        "/projects/open/wiki/Missing".to_owned(),
    ] {
        tick(&carol, &page, &path, "", &first).assert_status(404);
    }
    let page = alice.get("/issues/1");
    let mark = fingerprint(&page.body, "/issues/1").unwrap();
    let wrong: [(&[(&str, &str)], u16); 7] = [
        (&[], 400),
        (&[("tasks", "1")], 400),
        (&[("tasks[one]", "1")], 400),
        (&[("tasks[1]", "yes")], 400),
        (&[("tasks[-1]", "1")], 400),
        (&[("tasks[0]", "1")], 422),
        (&[("tasks[3]", "1")], 422),
    ];
    for (boxes, status) in wrong {
        let answer = tick(&alice, &page, "/issues/1", &mark, boxes);
        assert_eq!(answer.status, status, "{boxes:?}: {}", answer.body);
    }
    let forged = [("tasks[1]", "1"), ("fingerprint", mark.as_str())];
    alice.post("/issues/1/tasks", &forged).assert_status(403);
    assert_eq!(text(&world, "/issues/1.json", "/issue/description"), TEXT);
}
