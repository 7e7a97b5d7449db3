//! The inbox, its number in the header, and why one is told.

use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry_world::browser::Browser;
use quarry_world::{Response, World};
use serde_json::json;

/// A world with an issue of alice that is assigned to bob.
fn world_with_issue() -> (World, i64) {
    let world = World::with_records("open");
    let issue = world
        .issue("open")
        .subject("Valve <b>sticks")
        .field("assigned_to_id", 3)
        .create();
    (world, issue)
}

fn note(world: &World, issue: i64, text: &str) {
    let body = json!({"issue": {"notes": text}}).to_string();
    world
        .as_user("alice")
        .put(&format!("/issues/{issue}.json"), &body)
        .assert_status(200);
}

/// Returns the number in the header; 0 without one.
fn unread(page: &Response) -> i64 {
    let link = page.body.split("id=\"inbox-link\"").nth(1).unwrap();
    let link = link.split("</a>").next().unwrap();
    let number = link
        .split(", </span>")
        .nth(1)
        .map(|rest| rest.split('<').next());
    number.map_or(0, |number| number.unwrap().parse().unwrap())
}

#[test]
fn page_shows_what_happened_and_the_header_counts_it() {
    let (world, issue) = world_with_issue();
    note(&world, issue, "It *sticks* again");
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/inbox").assert_status(200);
    for text in [
        "Valve &#60;b&#62;sticks</a>",
        "assigned to you",
        "</b> commented",
        "</b> opened",
        "It sticks again",
        "href=\"/projects/open\"",
        "news of your project",
    ] {
        assert!(page.body.contains(text), "{text} is missing: {}", page.body);
    }
    // The issue and the news.
    assert_eq!(unread(&page), 2);
    assert_eq!(unread(&bob.get("/projects")), 2);
    let dave = Browser::logged_in(&world, "dave");
    let empty = dave.get("/my/inbox").assert_status(200);
    assert!(!empty.body.contains("Valve"), "{empty:?}");
    assert_eq!(unread(&empty.assert_contains("Your inbox is empty.")), 0);
    world.set(Setting::LoginRequired, "0");
    let anonymous = Browser::new(&world).get("/projects").assert_status(200);
    assert!(!anonymous.body.contains("/my/inbox"));
    let login = Browser::new(&world).get("/my/inbox").assert_status(302);
    assert!(
        login.location().starts_with("/login?back_url="),
        "{login:?}"
    );
}

#[test]
fn opening_a_record_reads_its_notices_but_a_prefetch_does_not() {
    let (world, issue) = world_with_issue();
    let path = format!("/issues/{issue}");
    let bob = Browser::logged_in(&world, "bob");
    for header in [
        ("Sec-Purpose", "prefetch;prerender"),
        ("Purpose", "prefetch"),
    ] {
        let client = world.anonymous().with(header.0, header.1);
        let prefetching = Browser::with(client);
        prefetching
            .log_in("bob", "bobbobbob", &[])
            .assert_status(303);
        let page = prefetching.get(&path).assert_status(200);
        assert_eq!(unread(&page), 2, "{header:?}");
    }
    // Nor does a program read for a person.
    world
        .as_user("bob")
        .get(&format!("{path}.json"))
        .assert_status(200);
    assert_eq!(unread(&bob.get("/projects")), 2);
    // The page itself leaves the record out already.
    assert_eq!(unread(&bob.get(&path).assert_status(200)), 1);
    assert_eq!(unread(&bob.get("/projects")), 1);
    assert_eq!(unread(&bob.get("/news/1").assert_status(200)), 0);
    note(&world, issue, "Again");
    assert_eq!(unread(&bob.get("/projects")), 1);
    bob.get("/my/inbox")
        .assert_status(200)
        .assert_contains(&format!("href=\"{path}#note-1\""));
}

#[test]
fn every_thread_is_read_when_its_page_is_opened() {
    let world = World::with_records("open");
    let alice = world.as_user("alice");
    alice
        .put(
            "/projects/open/wiki/Start.json",
            json!({"wiki_page": {"text": "Hello @bob"}}),
        )
        .assert_status(201);
    alice
        .post(
            "/boards/1/topics.json",
            json!({"message": {"subject": "Seal", "content": "Which, @bob?"}}),
        )
        .assert_status(201);
    let bob = Browser::logged_in(&world, "bob");
    let before = unread(&bob.get("/projects"));
    for (path, left) in [
        ("/projects/open/wiki/Start", before - 1),
        ("/boards/1/topics/3", before - 2),
        ("/news/1", before - 3),
    ] {
        let page = bob.get(path).assert_status(200);
        assert_eq!(unread(&page), left, "{path}");
        assert!(page.body.contains("Why you are told:"), "{path}");
    }
}

#[test]
fn buttons_change_an_entry_up_to_what_the_page_showed() {
    let (world, issue) = world_with_issue();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/inbox").assert_status(200);
    let list = world.as_user("bob").get("/my/inbox.json?q=type:issue");
    let last = list.integer("/threads/0/last").to_string();
    let path = format!("/my/inbox/issue/{issue}");
    let press = |state: &str| {
        let fields = [("state", state), ("last", &last), ("back_url", "/my/inbox")];
        bob.submit(&page, &path, &fields).assert_status(303)
    };
    note(&world, issue, "After the page");
    press("done").assert_header("location", "/my/inbox");
    let left = bob.get("/my/inbox").assert_status(200);
    assert!(left.body.contains("After the page"), "{left:?}");
    assert!(!left.body.contains("</b> opened"), "{left:?}");
    let _ = press("muted");
    bob.get(&format!("/issues/{issue}"))
        .assert_contains("Muted: you are told only");
    let _ = press("unmuted");
    let _ = press("later_next_week");
    bob.get("/my/inbox?q=is:later")
        .assert_contains("23 Nov 2026, 08:00");
    // Somebody else's thread is like one that does not exist, and stays as it is.
    let carol = Browser::logged_in(&world, "dave");
    let page = carol.get("/my/inbox").assert_status(200);
    for path in [path.as_str(), "/my/inbox/issue/999", "/my/inbox/x/1"] {
        let fields = [("state", "done"), ("last", "999")];
        carol.submit(&page, path, &fields).assert_status(404);
    }
    assert_eq!(
        world
            .as_user("bob")
            .total_count("/my/inbox.json?q=is:later"),
        1
    );
}

#[test]
fn several_entries_change_at_once_and_all_up_to_what_the_page_showed() {
    let (world, issue) = world_with_issue();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/inbox").assert_status(200);
    let last = world.as_user("bob").get("/my/inbox.json").integer("/last");
    let last = last.to_string();
    note(&world, issue, "After the page");
    let send = |fields: &[(&str, &str)]| bob.submit(&page, "/my/inbox", fields);
    send(&[("do", "read_all"), ("last", &last)]).assert_status(303);
    assert_eq!(unread(&bob.get("/projects")), 1);
    send(&[("do", "done_all"), ("last", &last)]).assert_status(303);
    assert_eq!(world.as_user("bob").total_count("/my/inbox.json"), 1);
    let chosen = format!("issue/{issue}/999");
    send(&[("do", "done"), ("threads[]", &chosen)]).assert_status(303);
    assert_eq!(world.as_user("bob").total_count("/my/inbox.json"), 0);
    send(&[("do", "done")]).assert_status(303);
    send(&[("do", "done"), ("threads[]", "issue/x/1")]).assert_status(404);
    send(&[("do", "done"), ("threads[]", "issue/999/1")]).assert_status(404);
    send(&[("do", "gone")]).assert_status(400);
    let forged = [("do", "done_all"), ("last", "9")];
    bob.post("/my/inbox", &forged).assert_status(403);
}

#[test]
fn filter_shows_chips_and_names_what_is_possible() {
    let (world, _) = world_with_issue();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob
        .get("/my/inbox?q=is:unread%20valve%20reason:assigned")
        .assert_status(200);
    for text in [
        "href=\"/my/inbox?q=is%3Aunread%20valve\"",
        "href=\"/my/inbox?q=is%3Adone%20valve%20reason%3Aassigned\"",
        "Valve",
    ] {
        assert!(page.body.contains(text), "{text} is missing: {}", page.body);
    }
    let refused = bob.get("/my/inbox?q=is:%3Cb%3E").assert_status(422);
    assert!(
        refused.body.contains("is:&#60;b&#62; is unknown") && refused.body.contains("is:muted"),
        "{refused:?}"
    );
    bob.get("/my/inbox?q=nothing")
        .assert_status(200)
        .assert_contains("Nothing matches the filter.");
    bob.get("/my/inbox?page=9").assert_status(200);
}

#[test]
fn watchers_are_told_why_and_can_stop() {
    let (world, issue) = world_with_issue();
    let carol = Browser::logged_in(&world, "carol");
    let path = format!("/issues/{issue}");
    let page = carol.get(&path).assert_status(200);
    assert!(!page.body.contains("Why you are told"), "{page:?}");
    let watch = format!("{path}/watch");
    carol
        .submit(&page, &watch, &[("do", "watch")])
        .assert_status(303);
    let page = carol
        .get(&path)
        .assert_contains("Why you are told: you watch it.")
        .assert_contains("Stop watching");
    // What one sees can be muted before anything happens.
    let mute = format!("/my/inbox/issue/{issue}");
    let fields = [("state", "muted"), ("back_url", &path)];
    carol.submit(&page, &mute, &fields).assert_status(303);
    note(&world, issue, "Quiet");
    assert_eq!(world.as_user("carol").total_count("/my/inbox.json"), 1);
}

#[test]
fn notifications_are_chosen_among_the_own_projects() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    let page = bob.get("/my/notifications").assert_status(200);
    assert!(page.body.contains("open") && !page.body.contains("secret"));
    let send = |fields: &[(&str, &str)]| bob.submit(&page, "/my/notifications", fields);
    let fields = [
        ("mail_notification", "selected"),
        ("notified_project_ids[]", "1"),
        ("high_priority", "1"),
        ("mail_own_events", "0"),
    ];
    send(&fields).assert_status(303);
    world.issue("open").subject("Any").create();
    let list = world.as_user("bob").get("/my/inbox.json");
    list.assert_json_path("/threads/0/reasons", json!(["project"]));
    for project in ["2", "999", "x"] {
        send(&[("notified_project_ids[]", project)]).assert_status(422);
    }
    send(&[("mail_notification", "never")]).assert_status(422);
    send(&[("notified_project_ids[]", "")]).assert_status(303);
    world.issue("open").create();
    assert_eq!(world.as_user("bob").total_count("/my/inbox.json"), 1);
}

#[test]
fn administrators_choose_the_events_of_which_people_are_told() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/settings?tab=notifications").assert_status(200);
    let send = |events: &[&str]| {
        let mut fields = vec![
            ("default_notification_option", "all"),
            ("notified_events[]", ""),
        ];
        fields.extend(events.iter().map(|event| ("notified_events[]", *event)));
        admin.submit(&page, "/settings?tab=notifications", &fields)
    };
    send(&["issue_note_added", "unheard_of"]).assert_status(422);
    send(&["issue_note_added"]).assert_status(303);
    let issue = world.issue("open").create();
    assert_eq!(world.as_user("bob").total_count("/my/inbox.json"), 0);
    note(&world, issue, "Told");
    assert_eq!(world.as_user("bob").total_count("/my/inbox.json"), 1);
    world
        .as_user("bob")
        .send(Method::GET, "/my/inbox.json", None, Vec::new())
        .assert_status(200);
}
