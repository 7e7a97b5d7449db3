//! `POST /oauth/revoke`: revokes a token of the client (RFC 7009).

use super::client;
use super::error::OAuthError;
use crate::actions::oauth;
use crate::http::{Error, Reply, RequestContext};

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
        request.app.store.write(move |db| oauth::revoke(db, &application, &token))?;
        tracing::info!(
            target: "audit",
            { client.address = %request.address(), oauth.client = client_id, oauth.grant = "revoked" },
            "revoked a token"
        );
        Ok(Ok(()))
    })?;
    Ok(match outcome {
        Ok(()) => Reply::json("{}".to_owned()),
        Err(error) => error.into_reply(),
    })
}
