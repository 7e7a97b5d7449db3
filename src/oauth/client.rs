//! The form that a client sends, and its authentication (RFC 6749, section 2.3).

use super::error::OAuthError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use quarry_actions::accounts::oauth;
use quarry_actions::accounts::oauth::TokenError;
use quarry_domain::accounts::oauth::{Application, Params};
use quarry_domain::administration::audit::Origin;
use quarry_domain::administration::setting::Setting;
use quarry_http::{Error, Guess, RequestContext, SecretCheck, record_refusal};

const FORM: &str = "application/x-www-form-urlencoded";

/// Returns the parameters of the form.
///
/// # Errors
/// As the inner result: `Disabled` when the REST API is disabled; `InvalidRequest` for another
/// body, and for a repeated parameter.
pub fn form(request: &RequestContext) -> Result<Result<Params, OAuthError>, Error> {
    if !request
        .app
        .store
        .catalogue()?
        .is_on(Setting::RestApiEnabled)
    {
        return Ok(Err(OAuthError::Disabled));
    }
    if request.body_media_type() != FORM {
        return Ok(Err(OAuthError::InvalidRequest(
            "the parameters must be sent as application/x-www-form-urlencoded",
        )));
    }
    let params = Params::parse(request.raw_body());
    match params.repeated() {
        Some(_) => Ok(Err(OAuthError::InvalidRequest("a parameter is repeated"))),
        None => Ok(Ok(params)),
    }
}

/// Authenticates the client by HTTP Basic or by the form, and then runs `work`, within the limits
/// on guesses. A wrong secret counts as a failure, and so does an invalid grant, which may be a
/// guess too. Otherwise `work` returns how the attempt counts.
pub fn run_authenticated<T>(
    request: &RequestContext,
    params: &Params,
    work: impl FnOnce(Application) -> Result<Result<(Guess, T), TokenError>, Error>,
) -> Result<Result<T, OAuthError>, Error> {
    let (client_id, secret) = match credentials(request, params) {
        Ok(credentials) => credentials,
        Err(error) => return Ok(Err(error)),
    };
    let check = request.compare_secret(|permit| {
        let client = request
            .app
            .read(|db| oauth::authenticate_client(db, permit, &client_id, secret.as_deref()))?;
        let outcome = match client {
            Ok(application) => work(application)?,
            Err(error) => Err(error),
        };
        Ok(match outcome {
            Ok((guess, value)) => (guess, Ok(value)),
            Err(error @ (TokenError::InvalidClient | TokenError::InvalidGrant)) => {
                (Guess::Wrong, Err(error))
            }
            Err(error) => (Guess::Uncounted, Err(error)),
        })
    })?;
    match check {
        SecretCheck::Right(outcome) => {
            if matches!(
                outcome,
                Err(TokenError::InvalidClient | TokenError::InvalidGrant)
            ) {
                log_failure(request, &client_id);
            }
            Ok(outcome.map_err(OAuthError::from))
        }
        SecretCheck::Delayed(seconds) => Ok(Err(OAuthError::TooManyAttempts(seconds))),
        SecretCheck::Wrong | SecretCheck::Missing => Ok(Err(OAuthError::InvalidClient)),
    }
}

/// Logs a refused attempt without the secret.
fn log_failure(request: &RequestContext, client_id: &str) {
    record_refusal(&request.app, Origin::AccessToken, None, request.address());
    let logged: String = client_id.chars().take(60).collect();
    tracing::warn!(target: "audit", { oauth.client = logged, client.address = %request.address(), login.outcome = "failure" }, "refused an OAuth client or its grant");
}

fn credentials(
    request: &RequestContext,
    params: &Params,
) -> Result<(String, Option<String>), OAuthError> {
    let in_form = (params.get("client_id"), params.get("client_secret"));
    let Some(header) = request.header("authorization") else {
        return match in_form {
            (Some(client_id), secret) => Ok((client_id.to_owned(), secret.map(str::to_owned))),
            (None, _) => Err(OAuthError::InvalidClient),
        };
    };
    let (client_id, secret) = parse_basic(header).ok_or(OAuthError::InvalidClient)?;
    // A client must not use two methods; repeating the client_id is harmless.
    if in_form.1.is_some() || in_form.0.is_some_and(|in_form| in_form != client_id) {
        return Err(OAuthError::InvalidRequest(
            "the client must authenticate in one way: by HTTP Basic or in the form",
        ));
    }
    Ok((client_id, Some(secret).filter(|secret| !secret.is_empty())))
}

/// Parses client id and secret of HTTP Basic. Both are encoded as in a form before they are joined
/// (section 2.3.1).
fn parse_basic(header: &str) -> Option<(String, String)> {
    let (scheme, encoded) = header.split_once(' ')?;
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (client_id, secret) = text
        .split_once(':')
        .filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some((decode(client_id)?, decode(secret)?))
}

/// Decodes a value of a form.
fn decode(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8().ok()?;
    Some(decoded.into_owned())
}
