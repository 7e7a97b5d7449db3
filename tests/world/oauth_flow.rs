//! What the tests of OAuth share: an application, and the steps of the flow.

use crate::browser::Browser;
use crate::{Client, Response, World};
use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use quarry::actions::accounts::oauth;
use quarry::actions::accounts::users::Actor;
use quarry::domain::accounts::oauth::ApplicationChange;
use sha2::{Digest, Sha256};

/// The redirect URI of the application.
pub const REDIRECT: &str = "https://app.example.net/callback";
/// A PKCE verifier.
pub const VERIFIER: &str = "a-verifier-of-at-least-43-characters-0123456789";

/// A registered application.
#[derive(Clone, Debug)]
pub struct App {
    pub client_id: String,
    pub secret: Option<String>,
}

impl App {
    /// Registers a confidential application with these scopes.
    pub fn confidential(world: &World, scopes: &str) -> App {
        App::register(world, scopes, true, &[REDIRECT])
    }

    /// Registers a public application with these scopes.
    pub fn public(world: &World, scopes: &str) -> App {
        App::register(world, scopes, false, &[REDIRECT])
    }

    /// Registers an application.
    pub fn register(world: &World, scopes: &str, is_confidential: bool, uris: &[&str]) -> App {
        let change = ApplicationChange {
            name: "Dashboard".to_owned(),
            redirect_uris: uris.iter().map(|uri| (*uri).to_owned()).collect(),
            scopes: scopes.split(' ').map(str::to_owned).collect(),
            is_confidential,
        };
        let created = world
            .app
            .store
            .write(move |db| oauth::create(db, Actor::Operator, &change));
        let (application, secret) = created.unwrap();
        App {
            client_id: application.client_id,
            secret,
        }
    }

    /// Returns the fields by which the client authenticates in a form.
    pub fn credentials(&self) -> String {
        match &self.secret {
            Some(secret) => format!("client_id={}&client_secret={secret}", self.client_id),
            None => format!("client_id={}", self.client_id),
        }
    }
}

/// Tokens as they were sent.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
}

/// Returns the path of an authorization request with a redirect URI, PKCE and a state.
pub fn authorize_path(app: &App, scope: &str) -> String {
    format!(
        "/oauth/authorize?response_type=code&client_id={}&redirect_uri={}&scope={}&state=xyz&{}",
        app.client_id,
        encode(REDIRECT),
        encode(scope),
        proof()
    )
}

/// Returns the parameters for PKCE that belong to [`VERIFIER`].
pub fn proof() -> String {
    format!(
        "code_challenge={}&code_challenge_method=S256",
        URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
    )
}

/// Returns the request of the application, which the form of a consent page repeats.
pub fn request_fields(page: &Response) -> Vec<(&'static str, String)> {
    let names = [
        "client_id",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
    ];
    names
        .into_iter()
        .filter_map(|name| Some((name, crate::browser::field(page, name)?)))
        .collect()
}

/// Opens the consent page and sends its form with this decision.
pub fn decide(browser: &Browser<'_>, path: &str, decision: &str) -> Response {
    let page = browser.get(path).assert_status(200);
    let fields = request_fields(&page);
    let mut fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    fields.push(("decision", decision));
    // Only consents to the scope `admin` ask for it.
    fields.push(("password", "adminadmin"));
    browser.submit(&page, "/oauth/authorize", &fields)
}

/// Lets the user allow the application these scopes, and returns the code.
pub fn code_of(world: &World, login: &str, app: &App, scope: &str) -> String {
    let answer = decide(
        &Browser::logged_in(world, login),
        &authorize_path(app, scope),
        "approve",
    )
    .assert_status(303);
    param(answer.location(), "code").unwrap_or_else(|| panic!("no code in {answer:?}"))
}

/// Sends a form to an endpoint for applications.
pub fn form(world: &World, path: &str, fields: &str) -> Response {
    send_form(&world.anonymous(), path, fields)
}

/// Sends a form with the headers of the client.
pub fn send_form(client: &Client<'_>, path: &str, fields: &str) -> Response {
    client.send(
        Method::POST,
        path,
        Some("application/x-www-form-urlencoded"),
        fields.as_bytes().to_vec(),
    )
}

/// Exchanges a code.
pub fn exchange(world: &World, app: &App, code: &str) -> Response {
    let redirect = encode(REDIRECT);
    let fields = format!(
        "grant_type=authorization_code&code={code}&redirect_uri={redirect}&code_verifier={VERIFIER}&{}",
        app.credentials()
    );
    form(world, "/oauth/token", &fields)
}

/// Uses a refresh token.
pub fn refresh(world: &World, app: &App, token: &str) -> Response {
    form(
        world,
        "/oauth/token",
        &format!(
            "grant_type=refresh_token&refresh_token={token}&{}",
            app.credentials()
        ),
    )
}

fn text(response: &Response, name: &str) -> String {
    response.json()[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {response:?}"))
        .to_owned()
}

/// Returns the tokens of a response.
pub fn tokens_in(response: &Response) -> Tokens {
    Tokens {
        access: text(response, "access_token"),
        refresh: text(response, "refresh_token"),
    }
}

/// Goes through the whole flow.
pub fn tokens(world: &World, login: &str, app: &App, scope: &str) -> Tokens {
    let code = code_of(world, login, app, scope);
    tokens_in(&exchange(world, app, &code).assert_status(200))
}

/// Returns a client that sends an access token.
pub fn with_token<'w>(world: &'w World, token: &str) -> Client<'w> {
    world
        .anonymous()
        .with("Authorization", &format!("Bearer {token}"))
}

/// Returns a header of HTTP Basic.
pub fn basic(login: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{login}:{password}")))
}

/// Returns a parameter of the query string of a URL.
pub fn param(url: &str, name: &str) -> Option<String> {
    let url = url::Url::parse(url).unwrap();
    url.query_pairs()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

/// Encodes a value of a query string.
pub fn encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
