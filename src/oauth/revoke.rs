//! `POST /oauth/revoke`: revokes a token of the client (RFC 7009).

use super::client;
use super::error::OAuthError;
use quarry_actions::accounts::oauth;
use quarry_http::{Error, Guess, Reply, RequestContext};

/// Revokes the token: 200, also when it is unknown (section 2.2).
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let params = match client::form(request)? {
        Ok(params) => params,
        Err(error) => return Ok(error.into_reply()),
    };
    let Some(token) = params.get("token").map(str::to_owned) else {
        return Ok(OAuthError::InvalidRequest("token is missing").into_reply());
    };
    let outcome = client::run_authenticated(request, &params, |application| {
        let client_id = application.client_id.clone();
        let is_revoked = request.write(move |db, _| oauth::revoke(db, &application, &token))?;
        if is_revoked {
            tracing::info!(
                target: "audit",
                { client.address = %request.address(), oauth.client = client_id, oauth.grant = "revoked" },
                "revoked a token"
            );
        }
        // A client without a secret proves nothing by an unknown token.
        let guess = if is_revoked {
            Guess::Right
        } else {
            Guess::Uncounted
        };
        Ok(Ok((guess, ())))
    })?;
    Ok(match outcome {
        Ok(()) => Reply::json("{}".to_owned()),
        Err(error) => error.into_reply(),
    })
}
