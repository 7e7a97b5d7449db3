//! Topics and replies of forums in the browser.

use quarry_world::browser::Browser;
use quarry_world::complete_world::reindex;
use quarry_world::{Response, World};
use serde_json::json;

const NEW: &str = "/boards/1/topics/new";
const SUBJECT: &str = "message[subject]";
const CONTENT: &str = "message[content]";

/// A world with the forum 1, the topic 1 and its reply 2, by alice, in `open`.
fn world() -> World {
    World::with_records("open")
}

/// Adds a second forum to `open` and one to `secret`: 2 and 3.
fn add_forums(world: &World) {
    for (project, name) in [("open", "Other"), ("secret", "Hidden")] {
        let board = json!({"board": {"name": name}});
        let path = format!("/projects/{project}/boards.json");
        world.as_user("alice").post(&path, board).assert_status(201);
    }
}

/// Replies to the topic 1.
fn reply(browser: &Browser<'_>, text: &str) -> Response {
    let page = browser.get("/boards/1/topics/1").assert_status(200);
    browser.submit(&page, "/messages/1/reply", &[(CONTENT, text)])
}

#[track_caller]
fn assert_without(page: &Response, text: &str) {
    assert!(!page.body.contains(text), "{text}: {page:?}");
}

#[test]
fn topic_is_started_with_a_file() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    bob.get("/boards/1")
        .assert_status(200)
        .assert_contains(&format!("href=\"{NEW}\">New topic"));
    let form = bob.get(NEW).assert_status(200);
    assert_without(&form, "message[sticky]");
    let blank = bob
        .submit_files(&form, NEW, &[(CONTENT, "why <b>")], &[("log.txt", b"x")])
        .assert_status(422)
        .assert_contains("Subject cannot be blank")
        .assert_contains("why &#60;b&#62;</textarea>")
        .assert_contains("<title>Error: New topic")
        .assert_contains("checked> log.txt");
    let token = quarry_world::browser::field(&blank, "attachments[1][token]");
    let token = token.or_else(|| checked_token(&blank)).unwrap();
    let fields = [
        (SUBJECT, "Pumps"),
        (CONTENT, "why"),
        ("message[sticky]", "1"),
        ("message[board_id]", "2"),
        ("attachments[1][token]", token.as_str()),
    ];
    let saved = bob.submit(&form, NEW, &fields).assert_status(303);
    assert_eq!(saved.location(), "/boards/1/topics/3");
    let page = bob
        .get("/boards/1/topics/3")
        .assert_status(200)
        .assert_contains("The topic was created.")
        .assert_contains("log.txt")
        .assert_contains("href=\"/attachments/1/delete\"")
        .assert_contains("href=\"/messages/3/edit\"");
    assert_without(&page, "Sticky");
    let list = bob.get("/boards/1").assert_status(200);
    let place = |text: &str| list.body.find(text).unwrap();
    assert!(
        place(">Pumps<") < place(">Hello<"),
        "latest first: {list:?}"
    );
    let huge = "a".repeat(300);
    bob.submit(&form, NEW, &[(SUBJECT, &huge), (CONTENT, "x")])
        .assert_status(422)
        .assert_contains("Subject is too long (maximum is 255 characters)");
}

/// Returns the value of the first checkbox of an upload.
fn checked_token(page: &Response) -> Option<String> {
    let (_, rest) = page.body.split_once("[token]\" value=\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[test]
fn reply_is_written_at_the_end_of_the_topic_and_quotes() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    let topic = bob
        .get("/boards/1/topics/1")
        .assert_status(200)
        .assert_contains("1 reply<")
        .assert_contains("action=\"/messages/1/reply\"")
        .assert_contains("data-preview=\"/preview?project=1\"")
        .assert_contains("href=\"/messages/2/reply?quote=1\"");
    assert_without(&topic, "/messages/2/edit");
    let saved = reply(&bob, "third").assert_status(303);
    assert_eq!(saved.location(), "/boards/1/topics/1?r=3#message-3");
    bob.get("/boards/1/topics/1?r=3")
        .assert_status(200)
        .assert_contains("The reply was created.")
        .assert_contains("2 replies<")
        .assert_contains("href=\"/messages/3/edit\"");
    let blank = reply(&bob, " ").assert_status(422);
    assert!(blank.body.contains("Content cannot be blank"), "{blank:?}");
    bob.get("/messages/2/reply?quote=1")
        .assert_status(200)
        .assert_contains("alice Tester wrote:\n\n&#62; and back\n\n</textarea>");
    // A topic without a new message is sorted by the reply.
    world
        .as_user("alice")
        .post(
            "/boards/1/topics.json",
            json!({"message": {"subject": "Later", "content": "x"}}),
        )
        .assert_status(201);
    reply(&bob, "again").assert_status(303);
    let list = bob.get("/boards/1").assert_status(200);
    let place = |text: &str| list.body.find(text).unwrap();
    assert!(place(">Hello<") < place(">Later<"), "{list:?}");
    list.assert_contains("href=\"/boards/1/topics/1?r=5#message-5\"")
        .assert_contains("by bob Tester");
    bob.get("/projects/open/boards")
        .assert_status(200)
        .assert_contains("2 topics")
        .assert_contains("5 messages");
}

#[test]
fn topic_is_sticky_locked_and_moved_by_those_who_may_edit_messages() {
    let world = world();
    add_forums(&world);
    let alice = Browser::logged_in(&world, "alice");
    let newer = json!({"message": {"subject": "Newer", "content": "x"}});
    world
        .as_user("bob")
        .post("/boards/1/topics.json", newer)
        .assert_status(201);
    const EDIT: &str = "/messages/1/edit";
    let form = alice
        .get(EDIT)
        .assert_status(200)
        .assert_contains("value=\"Hello\"")
        .assert_contains("<option value=\"2\">Other");
    assert_without(&form, "Hidden");
    let fields = |board| {
        [
            (SUBJECT, "Hello"),
            (CONTENT, "there"),
            ("message[sticky]", "1"),
            ("message[locked]", "1"),
            ("message[board_id]", board),
        ]
    };
    let elsewhere = alice.submit(&form, EDIT, &fields("3")).assert_status(422);
    elsewhere.assert_contains("Board is invalid");
    let saved = alice.submit(&form, EDIT, &fields("1")).assert_status(303);
    assert_eq!(saved.location(), "/boards/1/topics/1");
    let list = alice.get("/boards/1").assert_status(200);
    let place = |text: &str| list.body.find(text).unwrap();
    assert!(
        place(">Hello<") < place(">Newer<"),
        "sticky first: {list:?}"
    );
    list.assert_contains(">Sticky</span>")
        .assert_contains(">Locked</span>");

    let bob = Browser::logged_in(&world, "bob");
    let topic = bob
        .get("/boards/1/topics/1")
        .assert_status(200)
        .assert_contains("This topic is locked: it takes no replies.");
    assert_without(&topic, "/reply");
    let refused = bob.get("/messages/1/reply").assert_status(200);
    assert_without(&refused, "<textarea");
    let newer = bob.get(NEW).assert_status(200);
    bob.submit(&newer, "/messages/2/reply", &[(CONTENT, "much work")])
        .assert_status(422)
        .assert_contains("Topic is locked")
        .assert_contains("much work</textarea>");

    let saved = alice.submit(&form, EDIT, &fields("2")).assert_status(303);
    assert_eq!(saved.location(), "/boards/2/topics/1", "with its replies");
    alice
        .get("/boards/2/topics/1")
        .assert_status(200)
        .assert_contains("and back");
    alice.get("/boards/1/topics/1").assert_status(404);
    let reply = alice.get("/messages/2/edit").assert_status(200);
    assert_without(&reply, "message[board_id]");
}

#[test]
fn messages_are_deleted_after_a_question_that_counts_the_replies() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    reply(&bob, "third").assert_status(303);
    let alice = Browser::logged_in(&world, "alice");
    let question = alice
        .get("/messages/1/delete")
        .assert_status(200)
        .assert_contains("Delete the topic Hello?")
        .assert_contains("Its files and 2 replies, also those of others, are deleted, too.");
    let own = alice
        .get("/messages/2/delete")
        .assert_status(200)
        .assert_contains("Delete the reply RE: Hello?");
    let gone = alice
        .submit(&own, "/messages/2/delete", &[])
        .assert_status(303);
    assert_eq!(gone.location(), "/boards/1/topics/1");
    let gone = alice
        .submit(&question, "/messages/1/delete", &[])
        .assert_status(303);
    assert_eq!(gone.location(), "/boards/1");
    alice
        .get("/boards/1")
        .assert_status(200)
        .assert_contains("The topic was deleted.")
        .assert_contains("No topics yet.")
        .assert_contains("New topic</a></p>");
    alice.get("/messages/3/edit").assert_status(404);
}

#[test]
fn own_messages_are_changed_with_the_permission_for_them() {
    let world = world();
    let bob = Browser::logged_in(&world, "bob");
    reply(&bob, "third").assert_status(303);
    for path in ["/messages/1/edit", "/messages/2/edit", "/messages/1/delete"] {
        bob.get(path).assert_status(403);
        let page = bob.get(NEW).assert_status(200);
        bob.submit(&page, path, &[(SUBJECT, "x"), (CONTENT, "x")])
            .assert_status(403);
    }
    bob.get("/messages/3/delete").assert_status(403);
    let form = bob.get("/messages/3/edit").assert_status(200);
    let fields = [
        (SUBJECT, "Else"),
        (CONTENT, "fourth"),
        ("message[locked]", "1"),
        ("message[board_id]", "99"),
    ];
    let saved = bob.submit(&form, "/messages/3/edit", &fields);
    assert_eq!(
        saved.assert_status(303).location(),
        "/boards/1/topics/1?r=3#message-3"
    );
    bob.get("/boards/1/topics/1")
        .assert_status(200)
        .assert_contains("fourth")
        .assert_contains("<span>Else</span>");
    world.sql("DELETE FROM role_permissions WHERE name = 'edit_own_messages'");
    bob.submit(&form, "/messages/3/edit", &fields)
        .assert_status(403);
}

#[test]
fn forms_of_messages_need_rights_token_module_and_an_open_project() {
    let world = world();
    let alice = Browser::logged_in(&world, "alice");
    let topic = alice.get("/boards/1/topics/1").assert_status(200);
    let fields = [(SUBJECT, "x"), (CONTENT, "y")];
    const PATHS: [&str; 4] = [
        NEW,
        "/messages/1/reply",
        "/messages/1/edit",
        "/messages/1/delete",
    ];
    for path in PATHS {
        alice.post(path, &fields).assert_status(403);
    }
    let anonymous = Browser::new(&world);
    for path in PATHS {
        assert_eq!(anonymous.get(path).status, 302, "{path}");
        assert_ne!(anonymous.post(path, &fields).status, 303, "{path}");
    }
    world.sql("UPDATE projects SET status = 5 WHERE id = 1");
    for path in PATHS {
        let closed = alice.submit(&topic, path, &fields);
        assert!(matches!(closed.status, 403 | 404), "{path}: {closed:?}");
        assert!(matches!(alice.get(path).status, 403 | 404), "{path}");
    }
    let read_only = alice.get("/boards/1/topics/1").assert_status(200);
    assert_without(&read_only, "/messages/1/edit");
    assert_without(&read_only, "<textarea");
    world.sql("UPDATE projects SET status = 1 WHERE id = 1");
    world.sql("DELETE FROM enabled_modules WHERE name = 'boards'");
    for path in PATHS {
        assert_eq!(alice.submit(&topic, path, &fields).status, 404, "{path}");
        assert_eq!(alice.get(path).status, 404, "{path}");
    }
}

#[test]
fn anonymous_writes_with_the_permission_and_without_files() {
    let world = world();
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    world.sql("INSERT INTO role_permissions (role_id, name, position) SELECT id, 'add_messages', 99 FROM roles WHERE builtin = 2");
    let anonymous = Browser::new(&world);
    let form = anonymous.get(NEW).assert_status(200);
    assert_without(&form, "type=\"file\"");
    assert_without(&form, "message[sticky]");
    let fields = [(SUBJECT, "Guest"), (CONTENT, "Hello")];
    let saved = anonymous.post(NEW, &fields).assert_status(303);
    let topic = anonymous.get(saved.location()).assert_status(200);
    assert_without(&topic, "/edit\"");
    let reply = anonymous.post("/messages/3/reply", &[(CONTENT, "again")]);
    reply.assert_status(303);
    anonymous
        .get("/boards/1")
        .assert_status(200)
        .assert_contains(">Guest<");
}

#[test]
fn hostile_forms_of_messages_are_refused_without_an_error_of_the_service() {
    let world = world();
    add_forums(&world);
    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(NEW).assert_status(200);
    let huge = "a".repeat(400_000);
    let shapes: [&[(&str, &str)]; 9] = [
        &[],
        &[("message", "x")],
        &[("message[]", "x")],
        &[(SUBJECT, "x"), ("message[content][a]", "y")],
        &[(SUBJECT, "x\u{0}y"), (CONTENT, "\u{0}")],
        &[(SUBJECT, "x"), (CONTENT, huge.as_str())],
        &[(SUBJECT, huge.as_str()), (CONTENT, "y")],
        &[(SUBJECT, "x"), (CONTENT, "y"), ("message[sticky]", "maybe")],
        &[
            (SUBJECT, "x"),
            (CONTENT, "y"),
            ("message[board_id]", "99999999999999999999"),
        ],
    ];
    for path in [NEW, "/messages/1/reply", "/messages/1/edit"] {
        for shape in shapes {
            let reply = alice.submit(&page, path, shape);
            assert!(reply.status < 500, "{path} {shape:?}: {reply:?}");
        }
        let foreign = [
            (SUBJECT, "x"),
            (CONTENT, "y"),
            ("attachments[1][token]", "1.abc"),
        ];
        alice
            .submit(&page, path, &foreign)
            .assert_status(422)
            .assert_contains("1 file(s) could not be saved.");
    }
    // The forum of a project that somebody does not see.
    let bob = Browser::logged_in(&world, "bob");
    for path in ["/boards/3", "/boards/3/topics/new"] {
        bob.get(path).assert_status(404);
    }
    let page = bob.get(NEW).assert_status(200);
    bob.submit(
        &page,
        "/boards/3/topics/new",
        &[(SUBJECT, "x"), (CONTENT, "y")],
    )
    .assert_status(404);
}

#[test]
fn long_replies_are_all_reached() {
    let world = world();
    let content = "x".repeat(1_000_000);
    for id in 10..22 {
        world.sql(&format!(
            "INSERT INTO messages (id, board_id, parent_id, subject, content, author_id, created_on, updated_on) \
             SELECT {id}, board_id, 1, 'Re', '{content}', author_id, created_on, updated_on FROM messages WHERE id = 2"
        ));
    }
    reindex(&world);
    let bob = Browser::logged_in(&world, "bob");
    let mut path = "/boards/1/topics/1".to_owned();
    let mut shown = Vec::new();
    for _ in 0..4 {
        let page = bob.get(&path).assert_status(200).body;
        let ids = page.split("id=\"message-").skip(1);
        shown.extend(ids.filter_map(|rest| rest.split('"').next()?.parse::<i64>().ok()));
        let Some((before, _)) = page.split_once("\">Next replies") else {
            break;
        };
        path = before.rsplit_once("href=\"").unwrap().1.to_owned();
    }
    let expected: Vec<i64> = [1, 2].into_iter().chain(10..22).collect();
    assert_eq!(shown, expected);
    bob.get("/boards/1/topics/1?r=21")
        .assert_status(200)
        .assert_contains("id=\"message-21\"");
}
