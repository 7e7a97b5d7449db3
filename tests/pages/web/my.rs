//! The own account.

use super::roles::{form_fields, send};
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::users;
use quarry_world::browser::{Browser, field};
use quarry_world::{World, user};

#[test]
fn names_change_without_and_mail_with_the_password() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/my/account").assert_status(200);
    let send = |fields: &[(&str, &str)]| browser.submit(&page, "/my/account", fields);
    send(&[("firstname", "Ada"), ("lastname", "<b>L"), ("mail", "")]).assert_status(303);
    let saved = browser.get("/my/account");
    assert!(
        saved.body.contains("value=\"Ada\"")
            && saved.body.contains("&#60;b&#62;L")
            && !saved.body.contains("<b>L"),
        "{saved:?}"
    );
    let mail = [
        ("firstname", "Typed"),
        ("lastname", "L"),
        ("mail", "ada@example.net"),
    ];
    let refused = send(&mail).assert_status(422);
    assert!(
        refused.body.contains("Enter your password.") && refused.body.contains("value=\"Typed\""),
        "{refused:?}"
    );
    let wrong = [&mail[..], &[("password", "wrong")]].concat();
    assert!(
        send(&wrong)
            .assert_status(422)
            .body
            .contains("This is not your password.")
    );
    let right = [&mail[..], &[("password", "alicealice")]].concat();
    send(&right).assert_status(303);
    // It is not confirmed yet.
    browser
        .get("/my/account")
        .assert_contains("value=\"ada@example.net\"");
    assert_eq!(
        world.app.store.catalogue().unwrap().users[&user("alice")].mail,
        ""
    );
    let blank = send(&[
        ("firstname", ""),
        ("lastname", "L"),
        ("mail", "ada@example.net"),
    ])
    .assert_status(422);
    assert!(
        blank.body.contains("First name cannot be blank"),
        "{blank:?}"
    );
}

#[test]
fn account_needs_a_login_and_the_token_of_its_form() {
    let world = World::new();
    world.set(Setting::LoginRequired, "0");
    for path in ["/my/account", "/my/password", "/my/two_factor", "/my/page"] {
        let response = Browser::new(&world).get(path).assert_status(302);
        assert!(
            response.location().starts_with("/login?back_url="),
            "{response:?}"
        );
    }
    let browser = Browser::logged_in(&world, "alice");
    for path in [
        "/my/account",
        "/my/password",
        "/my/two_factor",
        "/my/api_key",
        "/my/sessions",
    ] {
        browser
            .post(
                path,
                &[
                    ("password", "alicealice"),
                    ("do", "reset"),
                    ("id", "others"),
                ],
            )
            .assert_status(403);
    }
}

#[test]
fn api_key_is_shown_and_reset_with_the_password() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let key = world.key("alice").to_owned();
    let page = browser.get("/my/account").assert_status(200);
    assert!(!page.body.contains(&key));
    for password in ["", "wrong"] {
        for step in ["show", "reset"] {
            let refused = browser
                .submit(
                    &page,
                    "/my/api_key",
                    &[("do", step), ("password", password)],
                )
                .assert_status(422);
            assert!(
                !refused.body.contains(&key) && refused.body.contains("id=\"key_password-error\""),
                "{refused:?}"
            );
        }
    }
    world
        .as_user("alice")
        .get("/users/current.json")
        .assert_status(200);
    let shown = browser
        .submit(
            &page,
            "/my/api_key",
            &[("do", "show"), ("password", "alicealice")],
        )
        .assert_status(200);
    assert!(shown.body.contains(&key) && shown.header("cache-control") == "no-store");
    let reset = browser
        .submit(
            &page,
            "/my/api_key",
            &[("do", "reset"), ("password", "alicealice")],
        )
        .assert_status(200);
    assert!(!reset.body.contains(&key));
    world
        .as_user("alice")
        .get("/users/current.json")
        .assert_status(401);
}

#[test]
fn new_password_ends_the_other_sessions_only() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let other = Browser::logged_in(&world, "alice");
    let before = browser.cookie("quarry_session");
    let page = browser.get("/my/password").assert_status(200);
    let send = |current: &str, new: &str, again: &str| {
        let fields = [
            ("password", current),
            ("new_password", new),
            ("new_password_confirmation", again),
        ];
        browser.submit(&page, "/my/password", &fields)
    };
    assert!(
        send("wrong", "new password", "new password")
            .assert_status(422)
            .body
            .contains("This is not your password.")
    );
    assert!(
        send("alicealice", "new password", "other")
            .assert_status(422)
            .body
            .contains("The two passwords differ.")
    );
    assert!(
        send("alicealice", "short", "short")
            .assert_status(422)
            .body
            .contains("is too short")
    );
    send("alicealice", "new password", "new password").assert_status(303);
    browser.get("/my/account").assert_status(200);
    assert_ne!(browser.cookie("quarry_session"), before);
    other.get("/my/account").assert_status(302);
    Browser::new(&world)
        .log_in("alice", "new password", &[])
        .assert_status(303);
}

#[test]
fn sessions_are_listed_and_ended() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let first = Browser::logged_in(&world, "alice");
    let second = Browser::logged_in(&world, "alice");
    let stranger = Browser::logged_in(&world, "bob");
    let page = browser.get("/my/account").assert_status(200);
    let id = field(&page, "id").unwrap();
    stranger
        .submit(&stranger.get("/my/account"), "/my/sessions", &[("id", &id)])
        .assert_status(404);
    browser
        .submit(&page, "/my/sessions", &[("id", &id)])
        .assert_status(303);
    let left = [&first, &second]
        .into_iter()
        .filter(|other| other.get("/my/account").status == 200)
        .count();
    assert_eq!(left, 1);
    browser
        .submit(&page, "/my/sessions", &[("id", "others")])
        .assert_status(303);
    assert!(
        [&first, &second]
            .into_iter()
            .all(|other| other.get("/my/account").status == 302)
    );
    browser.get("/my/account").assert_status(200);
    stranger.get("/my/account").assert_status(200);
}

#[test]
fn password_that_must_change_is_changed_before_anything_else() {
    let world = World::new();
    world.write(|db| users::set_must_change_password(db, user("alice"), true));
    let browser = Browser::new(&world);
    let step = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    browser.get("/my/account").assert_status(302);
    let send = |new: &str| {
        let fields = [("new_password", new), ("new_password_confirmation", new)];
        browser.submit(&step, "/login/password", &fields)
    };
    assert!(
        send("alicealice")
            .assert_status(422)
            .body
            .contains("must differ")
    );
    send("another password").assert_status(303);
    browser.get("/my/account").assert_status(200);
    Browser::new(&world)
        .log_in("alice", "another password", &[])
        .assert_status(303);
}

fn issue_page(browser: &Browser<'_>, issue: i64) -> String {
    browser
        .get(&format!("/issues/{issue}"))
        .assert_status(200)
        .body
}

#[test]
fn times_are_shown_in_the_time_zone_of_the_viewer() {
    let world = World::with_projects();
    let issue = world.issue("open").create();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/my/account").assert_status(200);
    assert!(
        page.body.contains(">Europe/Berlin (13:00)</option>"),
        "the time there"
    );
    assert!(issue_page(&browser, issue).contains("title=\"20 Nov 2026, 12:00 UTC\""));
    let save = |zone: &str, language: &str| {
        let fields = [
            ("firstname", "A"),
            ("lastname", "T"),
            ("mail", ""),
            ("time_zone", zone),
            ("language", language),
        ];
        browser.submit(&page, "/my/account", &fields)
    };
    save("Asia/Kolkata", "en").assert_status(303);
    assert!(
        issue_page(&browser, issue)
            .contains("datetime=\"2026-11-20T12:00:00Z\" title=\"20 Nov 2026, 17:30 IST\""),
        "{}",
        issue_page(&browser, issue)
    );
    assert!(
        browser
            .get("/my/account")
            .body
            .contains("<option value=\"en\" selected>English</option>")
    );
    let other = Browser::logged_in(&world, "bob");
    assert!(
        other
            .get(&format!("/issues/{issue}"))
            .body
            .contains("title=\"20 Nov 2026, 12:00 UTC\"")
    );
    let refused = save("Nowhere/<b>", "<i>").assert_status(422);
    assert!(
        refused
            .body
            .contains("Time zone is not included in the list")
            && refused.body.contains("Language is invalid")
    );
    assert!(
        !refused.body.contains("<b>") && !refused.body.contains("<i>"),
        "{refused:?}"
    );
    // Redmine's name of a zone is understood, kept and shown.
    world.sql("UPDATE users SET time_zone = 'Berlin', language = 'de' WHERE login = 'alice'");
    assert!(issue_page(&browser, issue).contains("title=\"20 Nov 2026, 13:00 CET\""));
    assert!(
        browser
            .get("/my/account")
            .body
            .contains("<option value=\"Berlin\" selected>Berlin (13:00)</option>")
    );
    save("Berlin", "de").assert_status(303);
}

fn are_notes_in_order(browser: &Browser<'_>, issue: i64) -> bool {
    let page = browser
        .get(&format!("/issues/{issue}"))
        .assert_status(200)
        .body;
    page.find("first note").unwrap() < page.find("second note").unwrap()
}

#[test]
fn preferences_are_followed_and_imported_ones_survive() {
    let world = World::with_projects();
    world.sql("UPDATE users SET preferences_json = '{\"recently_used_project_ids\":\"1,2\",\"auto_watch_on\":[\"issue_created\",\"issue_contributed_to\"]}' WHERE login = 'alice'");
    let issue = world.issue("open").create();
    for note in ["first note", "second note"] {
        let body = serde_json::json!({"issue": {"notes": note}});
        world
            .as_user("bob")
            .put(&format!("/issues/{issue}.json"), body)
            .assert_status(200);
    }
    let browser = Browser::logged_in(&world, "alice");
    assert!(are_notes_in_order(&browser, issue));
    let page = browser.get("/my/account").assert_status(200);
    let names = [("firstname", "A"), ("lastname", "T"), ("mail", "")];
    let save = |more: &[(&str, &str)]| {
        browser
            .submit(&page, "/my/account", &[&names[..], more].concat())
            .assert_status(303)
    };
    save(&[
        ("comments_sorting", "desc"),
        ("hide_mail", "0"),
        ("watch_contributions", "0"),
    ]);
    assert!(!are_notes_in_order(&browser, issue));
    let stored: serde_json::Value = {
        let text = preferences_json(&world, "alice");
        serde_json::from_str(&text).unwrap()
    };
    let expected = serde_json::json!({"recently_used_project_ids": "1,2", "auto_watch_on": ["issue_created"], "comments_sorting": "desc"});
    assert_eq!(stored, expected);
    assert!(!world.app.store.catalogue().unwrap().users[&user("alice")].hides_mail);
    let journals = world
        .as_user("alice")
        .get(&format!("/issues/{issue}.json?include=journals"))
        .json_path("/issue/journals");
    assert_eq!(journals[0]["notes"], "second note");
    // A form without the preferences leaves them.
    save(&[]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&preferences_json(&world, "alice")).unwrap(),
        expected
    );
    save(&[("comments_sorting", "asc"), ("watch_contributions", "1")]);
    assert!(
        are_notes_in_order(&browser, issue)
            && preferences_json(&world, "alice").contains("issue_contributed_to")
    );
}

fn preferences_json(world: &World, login: &str) -> String {
    world.database().value(&format!(
        "SELECT preferences_json FROM users WHERE login = '{login}'"
    ))
}

#[test]
fn what_has_changed_elsewhere_since_the_account_was_opened_stays() {
    let world = World::with_projects();
    let bob = Browser::logged_in(&world, "bob");
    let opened = bob.get("/my/account").assert_status(200);
    let query = bob.submit(&opened, "/queries?tracker_id=1", &[("query[name]", "Bugs")]);
    let list = query.assert_status(303).location().to_owned();
    let id = list.rsplit_once('=').unwrap().1;
    bob.submit(&opened, "/queries/default", &[("query_id", id)])
        .assert_status(303);
    let changes = [("firstname", "Bobby")];
    send(&bob, &opened, "/my/account", &changes).assert_status(303);
    let page = bob.get("/my/account").assert_status(200);
    let fields = form_fields(&page);
    for (name, expected) in [("firstname", "Bobby"), ("default_issue_query", id)] {
        let field = fields.iter().find(|(field, _)| field == name);
        assert_eq!(field.unwrap().1, expected, "{name}");
    }
    send(&bob, &opened, "/my/account", &[("firstname", "Robert")])
        .assert_status(409)
        .assert_contains("id=\"firstname-saved\"");
}
