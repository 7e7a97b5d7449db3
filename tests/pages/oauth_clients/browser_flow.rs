//! The crate oauth2, and people who log in and consent in Chromium.

use super::listener::Listener;
use super::{register, transport};
use crate::chromium::driver::{Chromium, start};
use crate::chromium::{Served, serve};
use crate::web::two_factor::{code_at, with_key};
use oauth2::basic::{BasicClient, BasicTokenResponse};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RevocationUrl, Scope, StandardRevocableToken,
    TokenResponse, TokenUrl,
};
use quarry::domain::clock::{Clock, SystemClock};
use quarry::store::accounts::users;
use quarry_world::complete_world::complete_world;
use quarry_world::user;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointSet, EndpointSet>;

/// An application that asks for a consent.
struct Application {
    client: Client,
    listener: Listener,
    /// Where it sends the browser, without scheme and host.
    path: String,
    state: CsrfToken,
    verifier: PkceCodeVerifier,
}

impl Application {
    fn new(served: &Served, client_id: &str, secret: Option<&str>, scopes: &[&str]) -> Application {
        let base = format!("http://{}", served.service.address);
        let listener = Listener::start();
        let mut client = BasicClient::new(ClientId::new(client_id.to_owned()))
            .set_auth_uri(AuthUrl::new(format!("{base}/oauth/authorize")).unwrap())
            .set_token_uri(TokenUrl::new(format!("{base}/oauth/token")).unwrap())
            // The crate insists on https here; the transport leaves it out.
            .set_revocation_url(
                RevocationUrl::new(format!("https://{}/oauth/revoke", served.service.address))
                    .unwrap(),
            )
            .set_redirect_uri(RedirectUrl::new(listener.redirect_uri.clone()).unwrap());
        if let Some(secret) = secret {
            client = client.set_client_secret(ClientSecret::new(secret.to_owned()));
        }
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let scopes = scopes.iter().map(|scope| Scope::new((*scope).to_owned()));
        let (url, state) = client
            .authorize_url(CsrfToken::new_random)
            .add_scopes(scopes)
            .set_pkce_challenge(challenge)
            .url();
        let path = url[url::Position::BeforePath..].to_owned();
        Application {
            client,
            listener,
            path,
            state,
            verifier,
        }
    }

    /// Waits for the redirect and returns its parameters, after the checks that a client makes.
    #[track_caller]
    fn redirected(&self, served: &Served) -> BTreeMap<String, String> {
        let params = self.listener.wait();
        assert_eq!(params["state"], *self.state.secret());
        assert_eq!(params["iss"], format!("http://{}", served.service.address));
        params
    }
}

/// Asserts that nothing went wrong in the browser but the redirect to another address, which is
/// wanted.
#[track_caller]
fn assert_no_faults(chromium: &Chromium, listener: &Listener) {
    let redirect = format!("a request to {}", listener.redirect_uri);
    let faults: Vec<String> = chromium
        .faults(&[])
        .into_iter()
        .filter(|fault| !fault.starts_with(&redirect))
        .collect();
    assert_eq!(faults, Vec::<String>::new());
}

fn call(served: &Served, path: &str, token: &str) -> (u16, Value) {
    let (status, body) = served
        .service
        .get(path, &[&format!("Authorization: Bearer {token}")]);
    (status, serde_json::from_str(&body).unwrap_or_default())
}

#[test]
fn person_logs_in_with_a_second_factor_and_allows_an_application() {
    let world = complete_world();
    with_key(&world, "alice");
    world.write(|db| users::set_second_factor(db, user("alice"), Some("totp")));
    let (client_id, secret) = register(
        &world,
        "Wall of issues",
        "view_project view_issues add_issues",
        true,
    );
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    let application = Application::new(
        &served,
        &client_id,
        secret.as_deref(),
        &["view_project", "view_issues"],
    );

    chromium.open(&application.path);
    assert!(
        chromium.path().starts_with("/login?back_url="),
        "{}",
        chromium.path()
    );
    chromium.type_into("main input[name=username]", "alice");
    chromium.type_into("main input[name=password]", "alicealice");
    chromium.click("main form button");
    chromium.type_into(
        "main input[name=code]",
        &code_at(SystemClock.now().as_second()),
    );
    chromium.click("main form button");
    chromium.wait_for_path(&application.path);
    assert_eq!(
        chromium.text("h1"),
        "Allow Wall of issues to use your account?"
    );
    let text = chromium.text("main");
    assert!(
        text.contains("View issues") && text.contains("alice") && !text.contains("Add issues"),
        "{text}"
    );
    assert_no_faults(&chromium, &application.listener);
    chromium.click("main button[value=approve]");
    let params = application.redirected(&served);
    chromium.wait_until(
        "the browser is back at the application",
        "document.title === 'Done'",
    );
    assert_no_faults(&chromium, &application.listener);

    let exchange = application
        .client
        .exchange_code(AuthorizationCode::new(params["code"].clone()));
    let tokens: BasicTokenResponse = exchange
        .set_pkce_verifier(application.verifier)
        .request(&transport::send)
        .unwrap();
    assert_eq!(tokens.expires_in().unwrap().as_secs(), 7200);
    let scopes: Vec<&str> = tokens
        .scopes()
        .unwrap()
        .iter()
        .map(|scope| scope.as_str())
        .collect();
    assert_eq!(scopes, ["view_project", "view_issues"]);
    let access = tokens.access_token().secret();
    let (status, me) = call(&served, "/users/current.json", access);
    assert_eq!((status, &me["user"]["login"]), (200, &json!("alice")));
    let (status, issue) = call(&served, "/issues/1.json", access);
    assert_eq!(
        (status, &issue["issue"]["project"]["name"]),
        (200, &json!("Secret project"))
    );
    // alice may read the news, but has not allowed it to the application.
    assert_eq!(call(&served, "/projects/secret/news.json", access).0, 403);

    let refreshed = application
        .client
        .exchange_refresh_token(tokens.refresh_token().unwrap())
        .request(&transport::send)
        .unwrap();
    let access = refreshed.access_token().secret();
    assert_ne!(access, tokens.access_token().secret());
    assert_eq!(call(&served, "/issues/1.json", access).0, 200);

    chromium.open("/my/account");
    let text = chromium.text("#applications");
    assert!(
        text.contains("Wall of issues") && text.contains("View issues"),
        "{text}"
    );

    let token = StandardRevocableToken::RefreshToken(refreshed.refresh_token().unwrap().clone());
    application
        .client
        .revoke_token(token)
        .unwrap()
        .request(&transport::send)
        .unwrap();
    assert_eq!(call(&served, "/issues/1.json", access).0, 401);
    let refused = application
        .client
        .exchange_refresh_token(refreshed.refresh_token().unwrap())
        .request(&transport::send);
    assert!(
        format!("{refused:?}").contains("invalid_grant"),
        "{refused:?}"
    );
    chromium.open("/my/account");
    let text = chromium.text("#applications");
    assert!(!text.contains("Wall of issues"), "{text}");
    assert_no_faults(&chromium, &application.listener);
}

#[test]
fn person_refuses_and_the_application_learns_it() {
    let world = complete_world();
    let (client_id, _) = register(&world, "Pocket", "view_issues", false);
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    let application = Application::new(&served, &client_id, None, &["view_issues"]);
    chromium.open(&application.path);
    assert_eq!(chromium.text("h1"), "Allow Pocket to use your account?");
    chromium.click("main button[value=deny]");
    let params = application.redirected(&served);
    assert_eq!(
        (params["error"].as_str(), params.get("code")),
        ("access_denied", None)
    );
    chromium.wait_until(
        "the browser is back at the application",
        "document.title === 'Done'",
    );
    assert_no_faults(&chromium, &application.listener);
    chromium.open("/my/account");
    let text = chromium.text("#applications");
    assert!(!text.contains("Pocket"), "{text}");
}

#[test]
fn form_of_the_consent_leads_to_no_other_address() {
    let world = complete_world();
    let (client_id, _) = register(&world, "Pocket", "view_issues", false);
    let served = serve(world);
    let Some(chromium) = start(&served.service.address) else {
        return;
    };
    chromium.log_in("alice", "alicealice");
    let application = Application::new(&served, &client_id, None, &["view_issues"]);
    let thief = Listener::start();
    chromium.open(&application.path);
    chromium.script(&format!(
        "document.querySelector('main form').action = '{}'",
        thief.redirect_uri
    ));
    chromium.click("main button[value=approve]");
    chromium.wait_until(
        "the browser refuses to send the form",
        "window.violations.join().includes('form-action')",
    );
    assert_eq!(chromium.path(), application.path);
    assert!(thief.is_unused() && application.listener.is_unused());
}
