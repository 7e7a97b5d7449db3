//! Sessions: log in, log out, and what ends a session.

use quarry::domain::accounts::user::UserStatus;
use quarry::domain::administration::custom_field::{CustomField, Customized, Format};
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::users;
use quarry::store::administration::custom_fields;
use quarry_world::browser::{Browser, csrf_token, field, form_field, password};
use quarry_world::only_on_sqlite;
use quarry_world::{MANAGER, World, user};
use serde_json::json;

const WRONG: &str = "Login and password do not match, or the account is not active.";

#[test]
fn login_leads_back_to_the_page_that_asked_for_it() {
    let world = World::with_projects();
    let browser = Browser::new(&world);
    let asked = browser.get("/search?q=pump").assert_status(302);
    assert_eq!(asked.location(), "/login?back_url=%2Fsearch%3Fq%3Dpump");
    let form = browser.get(asked.location()).assert_status(200);
    let back_url = form_field(&form, "/login", "back_url").unwrap();
    let fields = [
        ("username", "Alice"),
        ("password", "alicealice"),
        ("back_url", &back_url),
    ];
    assert_eq!(
        browser
            .submit(&form, "/login", &fields)
            .assert_status(303)
            .location(),
        "/search?q=pump"
    );
    let page = browser.get("/").assert_status(200);
    assert!(page.body.contains("alice Tester"), "{page:?}");
    assert_eq!(page.header("cache-control"), "private, no-cache");
    assert_eq!(
        browser
            .get("/login?back_url=/search")
            .assert_status(302)
            .location(),
        "/search"
    );
}

#[test]
fn login_never_leads_to_another_host() {
    let world = World::new();
    for back_url in [
        "https://evil.test/",
        "//evil.test/",
        "/\\evil.test",
        "/logout",
        "javascript:alert(1)",
    ] {
        let browser = Browser::new(&world);
        assert_eq!(
            browser
                .log_in("alice", "alicealice", &[("back_url", back_url)])
                .assert_status(303)
                .location(),
            "/"
        );
    }
}

fn failed_login_page(world: &World, login: &str) -> String {
    let browser = Browser::new(world);
    let page = browser
        .log_in(login, "not the password", &[])
        .assert_status(422);
    assert!(
        page.body.contains(WRONG) && browser.cookie("quarry_session").is_none(),
        "{page:?}"
    );
    let token = csrf_token(&page);
    page.body.replace(login, "LOGIN").replace(&token, "TOKEN")
}

#[test]
fn unknown_locked_and_wrong_logins_get_the_same_page() {
    let world = World::new();
    let expected = failed_login_page(&world, "alice");
    assert_eq!(failed_login_page(&world, "nobody"), expected);
    assert_eq!(failed_login_page(&world, "erin"), expected);
    let locked = Browser::new(&world)
        .log_in("erin", &password("erin"), &[])
        .assert_status(422);
    assert!(locked.body.contains(WRONG));
}

#[test]
fn failures_delay_further_logins() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "2");
    let browser = Browser::new(&world);
    for _ in 0..2 {
        browser.log_in("alice", "wrong", &[]).assert_status(422);
    }
    let page = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(429);
    assert!(page.body.contains("too many failed attempts"), "{page:?}");
}

#[test]
fn login_form_of_another_browser_is_refused() {
    let world = World::new();
    let other = Browser::new(&world).get("/login");
    let browser = Browser::new(&world);
    let fields = [("username", "alice"), ("password", "alicealice")];
    browser.submit(&other, "/login", &fields).assert_status(422);
    browser.post("/login", &fields).assert_status(422);
    assert!(browser.cookie("quarry_session").is_none());
}

#[test]
fn token_changes_with_each_login_and_only_its_digest_is_stored() {
    only_on_sqlite!("the bytes of the file");
    let world = World::new();
    let browser = Browser::new(&world);
    browser.set_cookie("quarry_session", "chosen-by-somebody-else");
    browser
        .log_in("alice", "alicealice", &[])
        .assert_status(303);
    let first = browser.cookie("quarry_session").unwrap();
    assert!(first.len() == 64 && first != "chosen-by-somebody-else");
    let again = browser.get("/");
    browser.submit(&again, "/logout", &[]).assert_status(303);
    browser
        .log_in("alice", "alicealice", &[])
        .assert_status(303);
    assert_ne!(browser.cookie("quarry_session").unwrap(), first);
    let file = std::fs::read(world.app.store.file().unwrap()).unwrap();
    let wal = std::fs::read(
        world
            .app
            .store
            .file()
            .unwrap()
            .with_extension("sqlite3-wal"),
    )
    .unwrap_or_default();
    assert!(
        ![file, wal]
            .iter()
            .any(|bytes| bytes.windows(64).any(|window| window == first.as_bytes()))
    );
}

fn session_cookie(world: &World, more: &[(&str, &str)]) -> String {
    let response = Browser::new(world)
        .log_in("alice", "alicealice", more)
        .assert_status(303);
    let lines: Vec<String> = response
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|line| line.to_str().unwrap().to_owned())
        .collect();
    lines
        .into_iter()
        .find(|line| line.starts_with("quarry_session="))
        .unwrap()
}

#[test]
fn session_outlives_the_browser_only_when_asked_for() {
    let world = World::new();
    let short = session_cookie(&world, &[]);
    assert!(
        short.ends_with("; HttpOnly; SameSite=Lax; Path=/"),
        "{short}"
    );
    assert!(session_cookie(&world, &[("autologin", "1")]).ends_with("; Max-Age=2592000"));
    world.set(Setting::Autologin, "0");
    assert!(!session_cookie(&world, &[("autologin", "1")]).contains("Max-Age"));
    assert!(
        !Browser::new(&world)
            .get("/login")
            .body
            .contains("autologin")
    );
}

#[test]
fn cookies_are_bound_to_the_host_behind_tls() {
    let world = World::new();
    world.set(Setting::Protocol, "https");
    let browser = Browser::logged_in(&world, "alice");
    assert!(
        browser.cookie("__Host-quarry_session").is_some()
            && browser.cookie("quarry_session").is_none()
    );
    browser.get("/").assert_status(200);
}

#[test]
fn browsers_keep_pages_and_ask_whether_they_have_changed() {
    let world = World::with_projects();
    let id = world.issue("open").subject("first").create();
    let alice = Browser::logged_in(&world, "alice");
    let path = format!("/issues/{id}");
    let page = alice.get(&path).assert_status(200);
    let tag = page.header("etag").to_owned();
    assert_eq!(page.header("cache-control"), "private, no-cache");
    let kept = alice.revalidate(&path, &tag).assert_status(304);
    assert!(kept.body.is_empty(), "{kept:?}");
    world.edit(id, |issue| issue.subject = "second".to_owned());
    alice
        .revalidate(&path, &tag)
        .assert_status(200)
        .assert_contains("second");
    // Another person, and nobody, never get what was kept for alice.
    Browser::logged_in(&world, "bob")
        .revalidate(&path, &tag)
        .assert_status(200);
    let form = alice.get("/my/account").assert_status(200);
    let refused = alice
        .submit(&form, "/my/account", &[("firstname", "")])
        .assert_status(422);
    let missing = alice.get("/issues/99999").assert_status(404);
    for not_kept in [refused, missing] {
        assert_eq!(not_kept.header("cache-control"), "no-store");
        assert_eq!(not_kept.header("etag"), "");
    }
}

#[test]
fn logout_needs_a_click_and_ends_the_session() {
    let world = World::new();
    let browser = Browser::logged_in(&world, "alice");
    let token = browser.cookie("quarry_session").unwrap();
    let page = browser.get("/logout").assert_status(200);
    browser.get("/").assert_status(200);
    browser.post("/logout", &[]).assert_status(403);
    let left = browser.submit(&page, "/logout", &[]).assert_status(303);
    assert_eq!(left.location(), "/login");
    // Pages that the browser has kept are not shown to the next person.
    assert_eq!(left.header("clear-site-data"), "\"cache\"");
    assert!(browser.cookie("quarry_session").is_none());
    browser.set_cookie("quarry_session", &token);
    browser.get("/").assert_status(302);
    browser.submit(&page, "/logout", &[]).assert_status(303);
}

#[test]
fn password_changed_while_the_clock_was_ahead_ends_no_later_session() {
    let world = World::new();
    let earlier = Browser::logged_in(&world, "bob");
    let ahead = world.app.clock.now() + jiff::SignedDuration::from_hours(48);
    let hash = quarry::domain::accounts::password::hash(
        "bobbobbob",
        &quarry::domain::clock::SystemEntropy,
    )
    .unwrap();
    world.write(move |db| users::set_password(db, user("bob"), &hash, ahead));
    earlier.get("/").assert_status(302);
    let later = Browser::logged_in(&world, "bob");
    later.get("/").assert_status(200);
    later.get("/my/account").assert_status(200);
}

#[test]
fn lock_new_password_and_second_factor_end_all_sessions() {
    let world = World::new();
    let now = world.app.clock.now();
    let browser = Browser::logged_in(&world, "alice");
    world.write(move |db| users::set_password(db, user("alice"), "", now));
    browser.get("/").assert_status(302);
    let browser = Browser::logged_in(&world, "bob");
    world.write(|db| users::set_second_factor(db, user("bob"), Some("totp")));
    browser.get("/").assert_status(302);
    let browser = Browser::logged_in(&world, "carol");
    world.write(|db| users::set_status(db, user("carol"), UserStatus::Locked));
    browser.get("/").assert_status(302);
    world.write(|db| users::set_status(db, user("carol"), UserStatus::Active));
    browser.get("/").assert_status(302);
}

#[test]
fn session_ends_when_idle_or_too_old() {
    let world = World::new();
    let idle = Browser::logged_in(&world, "alice");
    let old = Browser::logged_in(&world, "bob");
    let persistent = Browser::new(&world);
    persistent
        .log_in("carol", &password("carol"), &[("autologin", "1")])
        .assert_status(303);
    let day = 24 * 3600 * 1_000_000_i64;
    world.sql(&format!(
        "UPDATE sessions SET used_on = used_on - {day} WHERE user_id <> 3"
    ));
    world.sql(&format!("UPDATE sessions SET expires_on = created_on, created_on = created_on - {day} WHERE user_id = 3"));
    idle.get("/").assert_status(302);
    old.get("/").assert_status(302);
    persistent.get("/").assert_status(200);
}

#[test]
fn pages_work_while_the_api_is_disabled() {
    let world = World::with_projects();
    world.issue("open").create();
    world.set(Setting::RestApiEnabled, "0");
    let browser = Browser::logged_in(&world, "alice");
    browser.get("/").assert_status(200);
    browser.get("/issues/1").assert_status(200);
    browser.get_json("/issues/1.json").assert_status(401);
    world.set(Setting::LoginRequired, "0");
    Browser::new(&world).get("/").assert_status(200);
}

#[test]
fn session_reads_the_api_and_writes_with_its_token_only() {
    let world = World::with_projects();
    world.issue("open").subject("A").create();
    let browser = Browser::logged_in(&world, "alice");
    browser.get_json("/issues/1.json").assert_status(200);
    let change = json!({"issue": {"subject": "B"}});
    browser
        .put_json("/issues/1.json", None, change.clone())
        .assert_status(403);
    browser
        .put_json("/issues/1.json", Some("wrong"), change.clone())
        .assert_status(403);
    browser
        .get_json("/issues/1.json")
        .assert_json_path("/issue/subject", "A");
    let token = csrf_token(&browser.get("/"));
    browser
        .put_json("/issues/1.json", Some(&token), change)
        .assert_status(200);
    browser
        .get_json("/issues/1.json")
        .assert_json_path("/issue/subject", "B");
}

#[test]
fn form_survives_the_end_of_its_session() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/");
    world.sql("DELETE FROM sessions");
    let text = "two lines\nof <b>text</b> & more";
    let login = browser
        .submit(&page, "/my/account?a=b", &[("notes", text), ("id", "7")])
        .assert_status(401);
    assert!(login.body.contains("what you wrote is kept"), "{login:?}");
    let path = field(&login, "posted_path").unwrap();
    let body = field(&login, "posted_body").unwrap();
    assert_eq!(path, "/my/account?a=b");
    let carried = [
        ("username", "alice"),
        ("password", "wrong"),
        ("posted_path", &path),
        ("posted_body", &body),
    ];
    let again = browser
        .submit(&login, "/login", &carried)
        .assert_status(422);
    assert_eq!(field(&again, "posted_body").as_ref(), Some(&body));
    let carried = [
        ("username", "alice"),
        ("password", "alicealice"),
        ("posted_path", &path),
        ("posted_body", &body),
    ];
    let resumed = browser
        .submit(&again, "/login", &carried)
        .assert_status(200);
    assert!(
        resumed
            .body
            .contains("two lines\nof &#60;b&#62;text&#60;/b&#62; &#38; more</textarea>"),
        "{resumed:?}"
    );
    assert!(
        resumed.body.contains("action=\"/my/account?a=b\""),
        "{resumed:?}"
    );
    assert_eq!(field(&resumed, "id").as_deref(), Some("7"));
    assert_eq!(csrf_token(&resumed), csrf_token(&browser.get("/")));
}

#[test]
fn text_of_a_custom_field_has_its_name_after_the_end_of_a_session_or_its_id_where_it_is_hidden() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let page = browser.get("/");
    let ids = [("Steps", true), ("Salary", false)].map(|(name, visible)| {
        let mut field = CustomField::new(Customized::Issue, name, Format::Text);
        field.visible = visible;
        world.write(move |db| custom_fields::insert(db, &field)).0
    });
    world.sql("DELETE FROM sessions");
    let names = ids.map(|id| format!("issue[custom_field_values][{id}]"));
    let fields = names.each_ref().map(|name| (name.as_str(), "two\nlines"));
    let login = browser
        .submit(&page, "/issues/1", &fields)
        .assert_status(401);
    let body = field(&login, "posted_body").unwrap();
    let carried = [
        ("username", "alice"),
        ("password", "alicealice"),
        ("posted_path", "/issues/1"),
        ("posted_body", &body),
    ];
    let resumed = browser
        .submit(&login, "/login", &carried)
        .assert_status(200);
    let hidden = format!(">Custom field {}</label>", ids[1]);
    for label in [">Steps</label>", &hidden] {
        assert!(resumed.body.contains(label), "{label}: {resumed:?}");
    }
}

#[test]
fn longest_text_survives_the_end_of_its_session_in_every_alphabet() {
    let world = World::with_body_limit(6 * 1024 * 1024);
    world.project("open").member("alice", MANAGER).create();
    for letter in ["x", "\u{8a9e}"] {
        let browser = Browser::logged_in(&world, "alice");
        let page = browser.get("/");
        world.sql("DELETE FROM sessions");
        // The line end counts as two characters.
        let text = format!("two words\n{}", letter.repeat(1024 * 1024 - 11));
        let fields = [
            ("issue[description]", text.as_str()),
            ("issue[subject]", "Long"),
        ];
        let login = browser
            .submit_files(&page, "/projects/open/issues/new", &fields, &[])
            .assert_status(401);
        let form = [
            field(&login, "posted_path").unwrap(),
            field(&login, "posted_body").unwrap(),
        ];
        assert!(
            login
                .body
                .contains("action=\"/login\" enctype=\"multipart/form-data\"")
        );
        let fields = [
            ("username", "alice"),
            ("password", "alicealice"),
            ("posted_path", &form[0]),
            ("posted_body", &form[1]),
        ];
        let resumed = browser
            .submit_files(&login, "/login", &fields, &[])
            .assert_status(200);
        assert!(
            resumed.body.contains(&format!("\n{text}</textarea>")),
            "{letter}"
        );
        let fields = [
            ("issue[description]", text.as_str()),
            ("issue[subject]", "Long"),
        ];
        let created = browser
            .submit_files(&resumed, "/projects/open/issues/new", &fields, &[])
            .assert_status(303);
        assert!(created.location().starts_with("/issues/"), "{created:?}");
    }
}

#[test]
fn form_of_an_earlier_session_must_be_confirmed() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let old = browser.get("/");
    let logout = browser.get("/logout");
    browser.submit(&logout, "/logout", &[]).assert_status(303);
    browser
        .log_in("alice", "alicealice", &[])
        .assert_status(303);
    let confirm = browser
        .submit(&old, "/my/account", &[("notes", "a\nb")])
        .assert_status(403);
    assert!(confirm.body.contains(">\na\nb</textarea>"), "{confirm:?}");
    assert_eq!(csrf_token(&confirm), csrf_token(&browser.get("/")));
}

#[test]
fn form_of_another_site_is_refused() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "alice");
    let evil = Browser::with(world.anonymous().with("Origin", "https://evil.test"));
    evil.set_cookie("quarry_session", &browser.cookie("quarry_session").unwrap());
    let page = evil.post("/logout", &[("x", "y")]).assert_status(403);
    assert!(
        page.body.contains("another site") && !page.body.contains("Send now"),
        "{page:?}"
    );
    browser.get("/").assert_status(200);
}
