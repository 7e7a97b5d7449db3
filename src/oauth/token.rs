//! `POST /oauth/token`: exchanges a code or a refresh token for an access token (RFC 6749, sections
//! 4.1.3 and 6).

use super::client;
use super::error::OAuthError;
use axum::http::header;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::oauth::TokenError;
use quarry_domain::accounts::oauth::{
    ACCESS_TOKEN_LIFETIME, Application, NewTokens, Params, Scopes,
};
use quarry_http::{Error, Guess, Reply, RequestContext};
use quarry_wire as wire;

/// The grant that the client exchanges for tokens.
enum TokenRequest {
    AuthorizationCode {
        code: String,
        redirect_uri: Option<String>,
        verifier: Option<String>,
    },
    RefreshToken {
        token: String,
        scopes: Option<Scopes>,
    },
}

impl TokenRequest {
    /// Returns its name in requests.
    fn grant_type(&self) -> &'static str {
        match self {
            TokenRequest::AuthorizationCode { .. } => "authorization_code",
            TokenRequest::RefreshToken { .. } => "refresh_token",
        }
    }
}

/// Returns new tokens: 200, or the error of RFC 6749, section 5.2.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let outcome = client::form(request)?
        .and_then(|params| parse_request(&params).map(|token_request| (params, token_request)));
    let (params, token_request) = match outcome {
        Ok(parsed) => parsed,
        Err(error) => return Ok(error.into_reply()),
    };
    let grant_type = token_request.grant_type();
    let outcome = client::run_authenticated(request, &params, |application| {
        let client_id = application.client_id.clone();
        let issued = issue(request, application, token_request)?;
        if let Ok(tokens) = &issued {
            log_issue(request, &client_id, grant_type, tokens);
        }
        Ok(issued.map(|tokens| (Guess::Right, tokens)))
    })?;
    Ok(match outcome {
        Ok(tokens) => token_reply(&tokens),
        Err(error) => error.into_reply(),
    })
}

fn parse_request(params: &Params) -> Result<TokenRequest, OAuthError> {
    match params.get("grant_type") {
        None => Err(OAuthError::InvalidRequest("grant_type is missing")),
        Some("authorization_code") => {
            let code =
                owned(params, "code").ok_or(OAuthError::InvalidRequest("code is missing"))?;
            Ok(TokenRequest::AuthorizationCode {
                code,
                redirect_uri: owned(params, "redirect_uri"),
                verifier: owned(params, "code_verifier"),
            })
        }
        Some("refresh_token") => {
            let token = owned(params, "refresh_token")
                .ok_or(OAuthError::InvalidRequest("refresh_token is missing"))?;
            let scopes = params
                .get("scope")
                .map(Scopes::parse)
                .transpose()
                .map_err(|_| OAuthError::InvalidScope)?;
            Ok(TokenRequest::RefreshToken { token, scopes })
        }
        Some(_) => Err(OAuthError::UnsupportedGrantType),
    }
}

fn owned(params: &Params, name: &str) -> Option<String> {
    params.get(name).map(str::to_owned)
}

fn issue(
    request: &RequestContext,
    application: Application,
    token_request: TokenRequest,
) -> Result<Result<NewTokens, TokenError>, Error> {
    request.write(move |db, _| match &token_request {
        TokenRequest::AuthorizationCode {
            code,
            redirect_uri,
            verifier,
        } => oauth::exchange(
            db,
            &application,
            code,
            redirect_uri.as_deref(),
            verifier.as_deref(),
        ),
        TokenRequest::RefreshToken { token, scopes } => {
            oauth::refresh(db, &application, token, *scopes)
        }
    })
}

/// Logs that tokens were issued, without the tokens.
fn log_issue(request: &RequestContext, client_id: &str, grant_type: &str, tokens: &NewTokens) {
    let user = tokens.user.0;
    let scopes = tokens.scopes.to_string();
    tracing::info!(
        target: "audit",
        {
            user.id = user,
            client.address = %request.address(),
            oauth.client = client_id,
            oauth.grant = grant_type,
            oauth.scopes = scopes.as_str()
        },
        "issued an access token"
    );
}

fn token_reply(tokens: &NewTokens) -> Reply {
    let body = wire::object_without_root(|w| {
        w.field("access_token", &tokens.access_token);
        w.field("token_type", "Bearer");
        w.field("expires_in", ACCESS_TOKEN_LIFETIME.as_secs());
        w.field("refresh_token", &tokens.refresh_token);
        w.field("scope", tokens.scopes.to_string());
        w.field("created_at", tokens.created_on.as_second());
    });
    Reply::json(body).with_header(header::PRAGMA, "no-cache")
}
