//! Quoting, editing and deleting notes, and the preview.

use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::{Value, json};

fn add_note(world: &World, id: i64, login: &str, body: Value) -> Response {
    world
        .as_user(login)
        .put(&format!("/issues/{id}.json"), json!({ "issue": body }))
        .assert_status(200)
}

fn world_with_notes() -> (World, i64) {
    let world = World::with_projects();
    let id = world.issue("open").description("the description").create();
    add_note(&world, id, "bob", json!({"notes": "bob's\nnote"}));
    add_note(
        &world,
        id,
        "alice",
        json!({"notes": "only for us", "private_notes": true}),
    );
    add_note(
        &world,
        id,
        "bob",
        json!({"notes": "with a change", "done_ratio": 10}),
    );
    (world, id)
}

#[test]
fn quote_fills_the_comment() {
    let (world, id) = world_with_notes();
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get(&format!("/issues/{id}?quote=1"))
        .assert_status(200);
    page.assert_contains("bob Tester wrote in #note-1:\n&#62; bob&#39;s\n&#62; note");
    let private = alice
        .get(&format!("/issues/{id}?quote=2"))
        .assert_status(200);
    private
        .assert_contains("&#62; only for us")
        .assert_contains("name=\"issue[private_notes]\" value=\"1\" checked");
    alice
        .get(&format!("/issues/{id}?quote=description"))
        .assert_contains("&#62; the description");
    let carol = Browser::logged_in(&world, "carol");
    for quote in ["2", "999", "x", "-1"] {
        let page = carol
            .get(&format!("/issues/{id}?quote={quote}"))
            .assert_status(200);
        assert!(
            !page.body.contains("only for us") && !page.body.contains("wrote in"),
            "{quote}"
        );
    }
}

#[test]
fn own_note_is_edited_and_deleted() {
    let (world, id) = world_with_notes();
    world.sql("INSERT INTO role_permissions (role_id, name) VALUES (4, 'edit_own_issue_notes')");
    let bob = Browser::logged_in(&world, "bob");
    bob.get(&format!("/issues/{id}"))
        .assert_contains("/journals/1/edit");
    let page = bob
        .get("/journals/1/edit")
        .assert_status(200)
        .assert_contains("bob&#39;s\nnote</textarea>");
    bob.post("/journals/1/edit", &[("journal[notes]", "x")])
        .assert_status(403);
    let saved = bob
        .submit(
            &page,
            "/journals/1/edit",
            &[("journal[notes]", "changed <u>note")],
        )
        .assert_status(303);
    assert_eq!(saved.location(), format!("/issues/{id}#note-1"));
    bob.get(&format!("/issues/{id}"))
        .assert_contains("changed &lt;u&gt;note");
    world.set(Setting::TextMaxLength, "5");
    let refused = bob
        .submit(&page, "/journals/1/edit", &[("journal[notes]", "too long")])
        .assert_status(422);
    assert!(
        refused.body.contains("Notes is too long") && refused.body.contains("too long</textarea>"),
        "{refused:?}"
    );
    bob.submit(&page, "/journals/1/edit", &[("do", "delete")])
        .assert_status(303);
    bob.get("/journals/1/edit").assert_status(404);
    bob.submit(&page, "/journals/3/edit", &[("do", "delete")])
        .assert_status(303);
    let page = bob.get(&format!("/issues/{id}")).assert_status(200);
    assert!(
        !page.body.contains("with a change") && page.body.contains("set <b>% Done</b>"),
        "{}",
        page.body
    );
}

#[test]
fn notes_of_others_are_edited_with_permission_only() {
    let (world, id) = world_with_notes();
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("/journals/1/edit"));
    carol.get("/journals/1/edit").assert_status(403);
    for hidden in ["/journals/2/edit", "/journals/999/edit", "/journals/x/edit"] {
        carol.get(hidden).assert_status(404);
        carol
            .submit(&page, hidden, &[("journal[notes]", "x")])
            .assert_status(404);
    }
    carol
        .submit(&page, "/journals/1/edit", &[("journal[notes]", "x")])
        .assert_status(403);
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get("/journals/1/edit").assert_status(200);
    alice
        .submit(
            &page,
            "/journals/1/edit",
            &[
                ("journal[notes]", "hidden now"),
                ("journal[private_notes]", "1"),
            ],
        )
        .assert_status(303);
    let page = carol.get(&format!("/issues/{id}")).assert_status(200);
    assert!(!page.body.contains("hidden now"), "{}", page.body);
}

#[test]
fn preview_renders_as_the_page_does() {
    let (world, id) = world_with_notes();
    let secret = world.issue("secret").create();
    let carol = Browser::logged_in(&world, "carol");
    let page = carol.get(&format!("/issues/{id}"));
    let preview = |query: &str, text: &str| {
        carol.submit(&page, &format!("/preview?{query}"), &[("text", text)])
    };
    let text = format!("**bold** #{id} #{secret} <script>alert(1)</script>");
    let html = preview(&format!("issue={id}"), &text)
        .assert_status(200)
        .body;
    assert!(
        html.contains("<strong>bold</strong>") && html.contains(&format!("href=\"/issues/{id}\"")),
        "{html}"
    );
    assert!(
        !html.contains("<script") && !html.contains(&format!("/issues/{secret}")),
        "{html}"
    );
    preview("project=open", "x")
        .assert_status(200)
        .assert_contains("<p>x</p>");
    preview("project=open", "")
        .assert_status(200)
        .assert_contains("nothing to preview");
    for hidden in [
        format!("issue={secret}"),
        "issue=x".to_owned(),
        "issue=999".to_owned(),
        "project=secret".to_owned(),
        String::new(),
    ] {
        preview(&hidden, "x").assert_status(404);
    }
    carol
        .post(&format!("/preview?issue={id}"), &[("text", "x")])
        .assert_status(403);
}
