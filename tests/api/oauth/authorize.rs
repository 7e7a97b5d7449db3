//! `/oauth/authorize`: the consent of a person.

use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{
    App, REDIRECT, authorize_path, decide, encode, param, proof, request_fields,
};

const SCOPES: &str = "view_project view_issues add_issues";

#[test]
fn consent_page_says_who_asks_for_what() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let page = browser
        .get(&authorize_path(&app, "view_issues add_issues"))
        .assert_status(200);
    for text in [
        "Dashboard",
        "app.example.net",
        "bob Tester",
        "View issues",
        "Create issues",
    ] {
        assert!(page.body.contains(text), "{text} in {page:?}");
    }
    assert!(
        !page.body.contains("View the project"),
        "only what was asked for: {page:?}"
    );
    assert!(
        page.header("content-security-policy")
            .contains("form-action 'self' https://app.example.net;"),
        "{page:?}"
    );
    assert!(
        page.header("content-security-policy")
            .contains("frame-ancestors 'none'"),
        "{page:?}"
    );
    assert_eq!(
        (page.header("x-frame-options"), page.header("cache-control")),
        ("DENY", "no-store")
    );
}

#[test]
fn login_leads_back_to_the_consent_page() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let path = authorize_path(&app, "view_issues");
    let browser = Browser::new(&world);
    let redirect = browser.get(&path).assert_status(302);
    let login = redirect.location().to_owned();
    assert!(
        login.starts_with("/login?back_url=%2Foauth%2Fauthorize%3F"),
        "{login}"
    );
    let page = browser.get(&login).assert_status(200);
    let back_url = quarry_world::browser::form_field(&page, "/login", "back_url").unwrap();
    assert_eq!(back_url, path);
    let fields = [
        ("username", "bob"),
        ("password", "bobbobbob"),
        ("back_url", back_url.as_str()),
    ];
    assert_eq!(
        browser
            .submit(&page, "/login", &fields)
            .assert_status(303)
            .location(),
        path
    );
    assert!(browser.get(&path).assert_status(200).body.contains("Allow"));
}

#[test]
fn approval_and_refusal_return_state_and_issuer() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let path = authorize_path(&app, "view_issues");
    let approved = decide(&browser, &path, "approve").assert_status(303);
    assert!(
        approved
            .location()
            .starts_with(&format!("{REDIRECT}?code=")),
        "{approved:?}"
    );
    let denied = decide(&browser, &path, "deny").assert_status(303);
    assert_eq!(
        param(denied.location(), "error").as_deref(),
        Some("access_denied")
    );
    assert_eq!(param(denied.location(), "code"), None);
    for answer in [approved, denied] {
        assert_eq!(param(answer.location(), "state").as_deref(), Some("xyz"));
        assert_eq!(
            param(answer.location(), "iss").as_deref(),
            Some("http://quarry.test")
        );
    }
}

#[test]
fn errors_are_redirected_only_to_a_registered_address() {
    let world = World::with_projects();
    let app = App::public(&world, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let redirect = encode(REDIRECT);
    let known = format!("client_id={}&redirect_uri={redirect}", app.client_id);
    for (query, error) in [
        (format!("{known}&state=xyz&{}", proof()), "invalid_request"),
        (
            format!("{known}&state=xyz&response_type=token&{}", proof()),
            "unsupported_response_type",
        ),
        (
            format!("{known}&state=xyz&response_type=code"),
            "invalid_request",
        ),
        (
            format!("{known}&state=xyz&response_type=code&scope=fly&{}", proof()),
            "invalid_scope",
        ),
        (
            format!(
                "{known}&state=xyz&response_type=code&scope=delete_issues&{}",
                proof()
            ),
            "invalid_scope",
        ),
        (
            format!(
                "{known}&state=xyz&response_type=code&response_type=code&{}",
                proof()
            ),
            "invalid_request",
        ),
    ] {
        let answer = browser
            .get(&format!("/oauth/authorize?{query}"))
            .assert_status(303);
        assert!(
            answer.location().starts_with(&format!("{REDIRECT}?error=")),
            "{query}: {answer:?}"
        );
        assert_eq!(
            param(answer.location(), "error").as_deref(),
            Some(error),
            "{query}"
        );
        assert_eq!(param(answer.location(), "state").as_deref(), Some("xyz"));
    }
    for query in [
        String::new(),
        "client_id=unknown&redirect_uri=https%3A%2F%2Fevil.example&response_type=code".to_owned(),
        format!(
            "client_id={}&redirect_uri=https%3A%2F%2Fevil.example&response_type=code&{}",
            app.client_id,
            proof()
        ),
        format!(
            "client_id={}&redirect_uri={redirect}%2F..%2Fevil&response_type=code&{}",
            app.client_id,
            proof()
        ),
        format!(
            "{known}&redirect_uri=https%3A%2F%2Fevil.example&response_type=code&{}",
            proof()
        ),
        format!(
            "{known}&client_id={}&response_type=code&{}",
            app.client_id,
            proof()
        ),
    ] {
        let page = browser
            .get(&format!("/oauth/authorize?{query}"))
            .assert_status(400);
        assert_eq!(page.location(), "", "{query}: {page:?}");
    }
}

#[test]
fn only_a_session_can_give_consent() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let path = authorize_path(&app, "view_issues");
    let with_key = Browser::with(world.as_user("bob"));
    assert!(
        with_key
            .get(&path)
            .assert_status(302)
            .location()
            .starts_with("/login")
    );
    let fields = [
        ("client_id", app.client_id.as_str()),
        ("response_type", "code"),
        ("decision", "approve"),
    ];
    let answer = with_key.post("/oauth/authorize", &fields);
    assert!(answer.status == 401 || answer.status == 403, "{answer:?}");
    assert_eq!(answer.location(), "");
    let token = quarry_world::oauth_flow::tokens(&world, "bob", &app, "view_issues");
    let with_token = Browser::with(quarry_world::oauth_flow::with_token(&world, &token.access));
    assert_eq!(with_token.get(&path).status, 403);
    assert_eq!(with_token.post("/oauth/authorize", &fields).status, 403);
}

#[test]
fn administration_scope_is_granted_by_administrators_only() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues admin");
    let page = Browser::logged_in(&world, "bob")
        .get(&authorize_path(&app, "view_issues admin"))
        .assert_status(200);
    assert!(
        !page.body.contains("everything that administrators can do"),
        "{page:?}"
    );
    let page = Browser::logged_in(&world, "admin")
        .get(&authorize_path(&app, "view_issues admin"))
        .assert_status(200);
    assert!(
        page.body.contains("everything that administrators can do"),
        "{page:?}"
    );
    let answer = Browser::logged_in(&world, "bob")
        .get(&authorize_path(&app, "admin"))
        .assert_status(303);
    assert_eq!(
        param(answer.location(), "error").as_deref(),
        Some("invalid_scope")
    );
}

fn authorization_path(app: &App, uri: &str) -> String {
    format!(
        "/oauth/authorize?response_type=code&client_id={}&redirect_uri={}&{}",
        app.client_id,
        encode(uri),
        proof()
    )
}

#[test]
fn port_of_a_loopback_redirect_is_free() {
    let world = World::with_projects();
    let app = App::register(&world, "view_issues", false, &["http://127.0.0.1/callback"]);
    let browser = Browser::logged_in(&world, "bob");
    let answer = decide(
        &browser,
        &authorization_path(&app, "http://127.0.0.1:49152/callback"),
        "approve",
    )
    .assert_status(303);
    assert!(
        answer
            .location()
            .starts_with("http://127.0.0.1:49152/callback?code="),
        "{answer:?}"
    );
    let page = browser
        .get(&authorization_path(&app, "http://127.0.0.1:49152/callback"))
        .assert_status(200);
    assert!(
        page.header("content-security-policy")
            .contains("form-action 'self' http://127.0.0.1:49152;"),
        "{page:?}"
    );
    for uri in [
        "http://localhost:49152/callback",
        "http://127.0.0.1:49152/other",
        "http://127.0.0.2:49152/callback",
    ] {
        assert_eq!(
            browser.get(&authorization_path(&app, uri)).status,
            400,
            "{uri}"
        );
    }
}

#[test]
fn administration_scope_needs_the_password() {
    let world = World::with_projects();
    world.set(
        quarry::domain::administration::setting::Setting::FailedLoginsPerAccount,
        "2",
    );
    let app = App::confidential(&world, "view_issues admin");
    let browser = Browser::logged_in(&world, "admin");
    let path = authorize_path(&app, "view_issues admin");
    let page = browser
        .get(&path)
        .assert_status(200)
        .assert_contains("Your password");
    let hidden = request_fields(&page);
    let send = |password: &str| {
        let mut fields: Vec<(&str, &str)> = hidden
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        fields.extend([("decision", "approve"), ("password", password)]);
        browser.submit(&page, "/oauth/authorize", &fields)
    };
    send("")
        .assert_status(422)
        .assert_contains("Enter your password.");
    send("wrong")
        .assert_status(422)
        .assert_contains("This is not your password.");
    assert!(param(send("adminadmin").assert_status(303).location(), "code").is_some());
    assert!(
        !browser
            .get(&authorize_path(&app, "view_issues"))
            .assert_status(200)
            .body
            .contains("Your password")
    );
}
