//! The attacks of RFC 9700 that apply to a server with authorization codes.

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{
    App, REDIRECT, VERIFIER, authorize_path, code_of, decide, encode, exchange, form, param, proof,
    refresh, tokens, tokens_in, with_token,
};

const SCOPES: &str = "view_project view_issues";

#[test]
fn code_is_valid_once_and_its_reuse_revokes_what_it_gave() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let code = code_of(&world, "bob", &app, SCOPES);
    let stolen = tokens_in(&exchange(&world, &app, &code).assert_status(200));
    with_token(&world, &stolen.access)
        .get("/issues.json")
        .assert_status(200);
    exchange(&world, &app, &code)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
    with_token(&world, &stolen.access)
        .get("/issues.json")
        .assert_status(401);
    refresh(&world, &app, &stolen.refresh)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
}

#[test]
fn reused_refresh_token_revokes_the_family() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let first = tokens(&world, "bob", &app, SCOPES);
    let other = tokens(&world, "bob", &app, SCOPES);
    let second = tokens_in(&refresh(&world, &app, &first.refresh).assert_status(200));
    refresh(&world, &app, &first.refresh)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
    for access in [&first.access, &second.access] {
        with_token(&world, access)
            .get("/issues.json")
            .assert_status(401);
    }
    refresh(&world, &app, &second.refresh).assert_status(400);
    with_token(&world, &other.access)
        .get("/issues.json")
        .assert_status(200);
}

fn assert_invalid_grant(world: &World, app: &App, code: &str, redirect: &str, verifier: &str) {
    let fields = format!(
        "grant_type=authorization_code&code={code}{redirect}{verifier}&{}",
        app.credentials()
    );
    form(world, "/oauth/token", &fields)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
}

#[test]
fn code_is_bound_to_client_redirect_and_verifier() {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "0");
    let app = App::confidential(&world, SCOPES);
    let thief = App::confidential(&world, SCOPES);
    let redirect = format!("&redirect_uri={}", encode(REDIRECT));
    let verifier = format!("&code_verifier={VERIFIER}");
    let code = code_of(&world, "bob", &app, SCOPES);
    assert_invalid_grant(&world, &thief, &code, &redirect, &verifier);
    exchange(&world, &app, &code).assert_status(200);
    let others = [
        (
            "&redirect_uri=https%3A%2F%2Fevil.example",
            verifier.as_str(),
        ),
        ("", &verifier),
        (&redirect, ""),
        (
            &redirect,
            "&code_verifier=another-verifier-of-at-least-43-characters-01234",
        ),
    ];
    for (redirect, verifier) in others {
        let code = code_of(&world, "bob", &app, SCOPES);
        assert_invalid_grant(&world, &app, &code, redirect, verifier);
        exchange(&world, &app, &code).assert_status(400);
    }
}

fn authorization_path(redirect: &str, app: &App, rest: &str) -> String {
    format!(
        "/oauth/authorize?response_type=code&client_id={}&redirect_uri={redirect}{rest}",
        app.client_id
    )
}

#[test]
fn pkce_cannot_be_downgraded() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let public = App::public(&world, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let redirect = encode(REDIRECT);
    for rest in [
        "",
        "&code_challenge=abc",
        "&code_challenge=a-verifier-of-at-least-43-characters-0123456789&code_challenge_method=plain",
    ] {
        let answer = browser
            .get(&authorization_path(&redirect, &public, rest))
            .assert_status(303);
        assert_eq!(
            param(answer.location(), "error").as_deref(),
            Some("invalid_request"),
            "{rest}"
        );
    }
    // An attacker who removes the challenge from the request of a confidential client gets a code
    // that the verifier does not fit.
    let answer = decide(
        &browser,
        &authorization_path(&redirect, &app, ""),
        "approve",
    )
    .assert_status(303);
    let code = param(answer.location(), "code").unwrap();
    exchange(&world, &app, &code)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
}

#[test]
fn public_and_confidential_clients_cannot_be_mixed_up() {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "0");
    let app = App::confidential(&world, SCOPES);
    let public = App::public(&world, SCOPES);
    let tokens_of_app = tokens(&world, "bob", &app, SCOPES);
    let tokens_of_public = tokens(&world, "bob", &public, SCOPES);
    let without_secret = App {
        secret: None,
        ..app.clone()
    };
    let wrong_secret = App {
        secret: Some("wrong".to_owned()),
        ..app.clone()
    };
    let public_with_secret = App {
        secret: app.secret.clone(),
        ..public.clone()
    };
    for client in [&without_secret, &wrong_secret, &public_with_secret] {
        refresh(&world, client, &tokens_of_app.refresh)
            .assert_status(401)
            .assert_json_path("/error", "invalid_client");
    }
    refresh(&world, &public, &tokens_of_app.refresh)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
    refresh(&world, &app, &tokens_of_public.refresh)
        .assert_status(400)
        .assert_json_path("/error", "invalid_grant");
    with_token(&world, &tokens_of_app.access)
        .get("/issues.json")
        .assert_status(200);
    refresh(&world, &app, &tokens_of_app.refresh).assert_status(200);
}

#[test]
fn consent_form_needs_the_token_of_its_session() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let browser = Browser::logged_in(&world, "bob");
    let mine = browser
        .get(&authorize_path(&app, SCOPES))
        .assert_status(200);
    let foreign = Browser::logged_in(&world, "carol")
        .get(&authorize_path(&app, SCOPES))
        .assert_status(200);
    let challenge = proof();
    let challenge = challenge.split(['=', '&']).nth(1).unwrap();
    let fields = [
        ("client_id", app.client_id.as_str()),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
        ("decision", "approve"),
    ];
    assert_eq!(
        browser
            .post("/oauth/authorize", &fields)
            .assert_status(403)
            .location(),
        ""
    );
    assert_eq!(
        browser
            .submit(&foreign, "/oauth/authorize", &fields)
            .assert_status(403)
            .location(),
        ""
    );
    browser
        .submit(&mine, "/oauth/authorize", &fields)
        .assert_status(303);
    let other_site = Browser::with(
        world
            .anonymous()
            .with("Sec-Fetch-Site", "cross-site")
            .with("Origin", "https://evil.example"),
    );
    assert_eq!(
        other_site
            .post("/oauth/authorize", &fields)
            .assert_status(403)
            .location(),
        ""
    );
}

fn approval_fields(
    scope: &'static str,
    redirect: &'static str,
) -> Vec<(&'static str, &'static str)> {
    vec![
        ("redirect_uri", redirect),
        ("response_type", "code"),
        ("scope", scope),
        ("decision", "approve"),
    ]
}

#[test]
fn form_cannot_widen_what_the_application_is_registered_for() {
    let world = World::with_projects();
    let app = App::confidential(&world, "view_issues");
    let browser = Browser::logged_in(&world, "bob");
    let page = browser
        .get(&authorize_path(&app, "view_issues"))
        .assert_status(200);
    let mut wider = approval_fields("view_issues delete_issues", REDIRECT);
    wider.push(("client_id", &app.client_id));
    let answer = browser
        .submit(&page, "/oauth/authorize", &wider)
        .assert_status(303);
    assert_eq!(
        param(answer.location(), "error").as_deref(),
        Some("invalid_scope")
    );
    let mut elsewhere = approval_fields("view_issues", "https://evil.example/");
    elsewhere.push(("client_id", &app.client_id));
    assert_eq!(
        browser
            .submit(&page, "/oauth/authorize", &elsewhere)
            .assert_status(400)
            .location(),
        ""
    );
}

#[test]
fn token_in_the_query_string_does_not_count() {
    let world = World::with_projects();
    world.set(Setting::LoginRequired, "1");
    let app = App::confidential(&world, SCOPES);
    let tokens = tokens(&world, "bob", &app, SCOPES);
    for name in ["access_token", "key"] {
        world
            .anonymous()
            .get(&format!("/issues.json?{name}={}", tokens.access))
            .assert_status(401);
    }
    world
        .anonymous()
        .with("X-Service-API-Key", &tokens.access)
        .get("/issues.json")
        .assert_status(401);
}

#[test]
fn guesses_are_delayed() {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "3");
    let app = App::confidential(&world, SCOPES);
    let wrong = App {
        secret: Some("wrong".to_owned()),
        ..app.clone()
    };
    for _ in 0..3 {
        refresh(&world, &wrong, "x").assert_status(401);
    }
    let delayed = refresh(&world, &wrong, "x").assert_status(429);
    assert!(!delayed.header("retry-after").is_empty(), "{delayed:?}");
    assert_eq!(delayed.json()["error"], "temporarily_unavailable");
}

#[test]
fn public_clients_do_not_reset_the_count_of_wrong_secrets() {
    let world = World::with_projects();
    world.set(Setting::FailedLoginsPerAccount, "3");
    let app = App::confidential(&world, SCOPES);
    let public = App::public(&world, SCOPES);
    let wrong = App {
        secret: Some("wrong".to_owned()),
        ..app.clone()
    };
    for _ in 0..3 {
        refresh(&world, &wrong, "x").assert_status(401);
        form(
            &world,
            "/oauth/revoke",
            &format!("token=unknown&{}", public.credentials()),
        );
    }
    refresh(&world, &wrong, "x").assert_status(429);
}

#[test]
fn secrets_codes_and_tokens_are_stored_as_digests_only() {
    let world = World::with_projects();
    let app = App::confidential(&world, SCOPES);
    let code = code_of(&world, "bob", &app, SCOPES);
    let tokens = tokens_in(&exchange(&world, &app, &code).assert_status(200));
    let mut bytes = Vec::new();
    for name in ["quarry.sqlite3", "quarry.sqlite3-wal"] {
        bytes.extend(std::fs::read(world.app.config.data.join(name)).unwrap_or_default());
    }
    let database = world.database();
    for table in database.tables() {
        for row in database.rows(&format!("SELECT * FROM {table}")) {
            bytes.extend(format!("{:?}", row.columns()).into_bytes());
        }
    }
    assert!(
        memchr::memmem::find(&bytes, app.client_id.as_bytes()).is_some(),
        "the bytes are those of this world"
    );
    for secret in [
        app.secret.as_deref().unwrap(),
        &code,
        &tokens.access,
        &tokens.refresh,
    ] {
        assert!(
            memchr::memmem::find(&bytes, secret.as_bytes()).is_none(),
            "a secret is stored as it is"
        );
    }
}
