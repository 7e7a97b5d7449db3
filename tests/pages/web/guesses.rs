//! Guesses of passwords and codes in forms, however they are sent.

use super::two_factor::{code, with_key};
use axum::http::Method;
use quarry::domain::administration::setting::Setting;
use quarry::store::accounts::{two_factor, users};
use quarry_world::browser::{Browser, csrf_token, password};
use quarry_world::{Client, Response, World, user};

const FORM: &str = "application/x-www-form-urlencoded";
/// Addresses of pages that accept forms, with and without a secret.
const FORMS: [&str; 12] = [
    "/login",
    "/login/code",
    "/login/password",
    "/login/two_factor",
    "/logout",
    "/my/account",
    "/my/password",
    "/my/two_factor",
    "/my/two_factor/code",
    "/issues/new",
    "/preview",
    "/settings",
];

/// Returns a world that allows two failures, in which alice has a second factor.
fn world_with_second_factor() -> World {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "2");
    with_key(&world, "alice");
    world.write(|db| {
        users::set_second_factor(db, user("alice"), Some("totp"))?;
        two_factor::set_recovery_codes(db, user("alice"), &["0123456789ab".to_owned()])
    });
    world
}

#[test]
fn pages_accept_only_forms() {
    let world = World::with_projects();
    let browser = Browser::logged_in(&world, "admin");
    let token = csrf_token(&browser.get("/my/account"));
    let json = format!(
        "{{\"authenticity_token\":\"{token}\",\"text\":\"x\",\"password\":\"x\",\"code\":\"1\"}}"
    );
    let xml = format!("<form><authenticity_token>{token}</authenticity_token></form>");
    let form = format!("authenticity_token={token}");
    for path in FORMS {
        for (content_type, body) in [
            ("application/json", &json),
            ("text/json; charset=utf-8", &json),
            ("application/xml", &xml),
            ("text/plain", &form),
            ("application/octet-stream", &form),
            ("", &form),
        ] {
            let refused = browser
                .post_body(path, content_type, body.clone().into_bytes())
                .assert_status(415);
            assert!(
                refused.body.contains("Pages accept only forms"),
                "{path} {content_type:?}: {refused:?}"
            );
        }
    }
    let client = world.anonymous().with("Accept", "text/html");
    let with_length = client.clone().with("Content-Length", "14");
    with_length
        .send(Method::POST, "/login", None, b"username=alice".to_vec())
        .assert_status(415);
    client
        .send(Method::POST, "/login", None, Vec::new())
        .assert_status(422);
}

#[test]
fn codes_in_other_formats_are_neither_compared_nor_counted() {
    let world = world_with_second_factor();
    let browser = Browser::new(&world);
    let step = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    let token = csrf_token(&step);
    for code in ["000000", &code(0)] {
        for _ in 0..3 {
            let json = serde_json::json!({ "authenticity_token": token, "code": code }).to_string();
            browser
                .post_body("/login/code", "application/json", json.into_bytes())
                .assert_status(415);
        }
    }
    browser
        .submit(&step, "/login/code", &[("code", &code(0))])
        .assert_status(303);
}

/// Sends a wrong secret three times. The third attempt must be limited, and then the right secret
/// must not be compared.
fn assert_limited(what: &str, send: impl Fn(bool) -> Response) {
    for _ in 0..2 {
        let wrong = send(false).assert_status(422);
        assert!(
            !wrong.body.contains("too many failed attempts"),
            "{what}: {wrong:?}"
        );
    }
    for is_right in [false, true] {
        let delayed = send(is_right);
        assert!(matches!(delayed.status, 422 | 429), "{what}: {delayed:?}");
        assert!(
            delayed.body.contains("too many failed attempts"),
            "{what}: {delayed:?}"
        );
    }
}

#[test]
fn further_fields_do_not_change_which_account_login_failures_count_for() {
    for further in [
        vec![],
        vec![("code", "x")],
        vec![("client_id", "x"), ("client_secret", "y")],
        vec![("new_password", "x")],
    ] {
        let world = World::new();
        world.set(Setting::FailedLoginsPerAccount, "2");
        let browser = Browser::new(&world);
        assert_limited(&format!("{further:?}"), |is_right| {
            let password = if is_right { "alicealice" } else { "wrong" };
            browser.log_in("alice", password, &further)
        });
    }
}

#[test]
fn login_in_other_spellings_counts_for_the_same_account() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "2");
    let browser = Browser::new(&world);
    browser.log_in("Alice", "wrong", &[]).assert_status(422);
    browser.log_in(" alice ", "wrong", &[]).assert_status(422);
    browser
        .log_in("ALICE", "alicealice", &[])
        .assert_status(429);
}

#[test]
fn further_fields_do_not_change_which_account_wrong_codes_count_for() {
    for further in [
        vec![],
        vec![("password", "alicealice"), ("username", "bob")],
    ] {
        let world = world_with_second_factor();
        let browser = Browser::new(&world);
        let step = browser
            .log_in("alice", "alicealice", &[])
            .assert_status(200);
        let right = code(0);
        assert_limited(&format!("{further:?}"), |is_right| {
            let code = if is_right { right.as_str() } else { "000000" };
            browser.submit(
                &step,
                "/login/code",
                &[&[("code", code)], further.as_slice()].concat(),
            )
        });
    }
}

#[test]
fn recovery_codes_share_the_limit_of_codes() {
    let world = world_with_second_factor();
    let browser = Browser::new(&world);
    let step = browser
        .log_in("alice", "alicealice", &[])
        .assert_status(200);
    assert_limited("recovery code", |is_right| {
        let code = if is_right {
            "0123456789ab"
        } else {
            "ffffffffffff"
        };
        browser.submit(&step, "/login/code", &[("code", code)])
    });
}

/// A field of a form and its value.
type Field = (&'static str, &'static str);

/// The forms that ask for the user's own password: who sends them, their paths, and fields that are
/// valid up to its check.
fn forms_with_own_password() -> Vec<(&'static str, &'static str, Vec<Field>)> {
    let account = vec![
        ("firstname", "A"),
        ("lastname", "B"),
        ("mail", "new@example.net"),
    ];
    let password = vec![
        ("new_password", "another password"),
        ("new_password_confirmation", "another password"),
    ];
    let user = vec![
        ("login", "eve"),
        ("firstname", "E"),
        ("lastname", "V"),
        ("mail", "eve@example.net"),
        ("admin", "1"),
        ("generate", "1"),
    ];
    vec![
        ("alice", "/my/account", account),
        ("alice", "/my/password", password.clone()),
        ("alice", "/my/two_factor", vec![("do", "start")]),
        ("admin", "/users/2/password", password),
        ("admin", "/users/2/delete", vec![]),
        (
            "admin",
            "/users/new",
            [
                user,
                vec![
                    ("new_password", "evil password"),
                    ("new_password_confirmation", "evil password"),
                ],
            ]
            .concat(),
        ),
        (
            "admin",
            "/settings?tab=authentication",
            vec![("twofa", "2")],
        ),
        (
            "admin",
            "/oauth/applications/new",
            vec![
                ("name", "App"),
                ("redirect_uri", "https://app.example.net/"),
                ("scopes[]", "view_issues"),
            ],
        ),
    ]
}

#[test]
fn guesses_of_the_own_password_are_limited_in_every_form_that_asks_for_it() {
    for (login, path, fields) in forms_with_own_password() {
        for further in [vec![], vec![("code", "x")], vec![("username", "bob")]] {
            let world = World::with_projects();
            world.set(Setting::FailedLoginsPerAccount, "2");
            let browser = Browser::logged_in(&world, login);
            let page = browser.get("/my/account");
            let right = password(login);
            assert_limited(&format!("{path} {further:?}"), |is_right| {
                let password = [("password", if is_right { right.as_str() } else { "wrong" })];
                browser.submit(
                    &page,
                    path,
                    &[fields.as_slice(), further.as_slice(), &password].concat(),
                )
            });
        }
    }
}

#[test]
fn guesses_of_the_own_password_are_limited_without_a_session() {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "2");
    let with_key: Client<'_> = world.as_user("alice").with("Accept", "text/html");
    assert_limited("API key", |is_right| {
        let password = if is_right { "alicealice" } else { "wrong" };
        let body = format!("do=start&password={password}");
        with_key.send(
            Method::POST,
            "/my/two_factor",
            Some(FORM),
            body.into_bytes(),
        )
    });
}
