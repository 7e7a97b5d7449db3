//! `/login/two_factor`: sets up the second factor that the settings require, as a step of the login.

use super::start::{delay_message, finish, next_step, start};
use super::steps::{Carried, again, pending};
use crate::actions::two_factor;
use crate::domain::session::SessionStep;
use crate::http::{Error, Reply, RequestContext};
use crate::wire::Input;
use axum::http::StatusCode;
use std::sync::Arc;

const WRONG_CODE: &str = "This code is not valid. Check the clock of your phone, and try the next code.";

/// `POST /login/two_factor`: switches the second factor on when the code of the app is right, shows the recovery codes, and goes on.
pub fn set_up(request: &RequestContext) -> Result<Reply, Error> {
    let Some(pending) = pending(request, SessionStep::SetUpSecondFactor)? else { return Ok(Reply::see_other("/login".to_owned())) };
    let carried = Carried::from_body(&request.body);
    if let Some(seconds) = request.login_delay() {
        return again(request, StatusCode::TOO_MANY_REQUESTS, carried, delay_message(seconds));
    }
    let code = request.body.get("code").and_then(Input::as_text).unwrap_or_default().into_owned();
    if code.trim().is_empty() {
        return again(request, StatusCode::UNPROCESSABLE_ENTITY, carried, "Enter a code.".to_owned());
    }
    let (user, now, entropy) = (pending.user, request.app.clock.now(), Arc::clone(&request.app.entropy));
    let Some(codes) = request.app.store.write(move |db| two_factor::set_up(db, user, &code, now, entropy.as_ref()))? else {
        request.record_attempt(false);
        return again(request, StatusCode::UNPROCESSABLE_ENTITY, carried, WRONG_CODE.to_owned());
    };
    request.record_attempt(true);
    tracing::info!(
        target: "audit",
        { user.id = user.0, client.address = %request.address(), account.change = "second factor on" },
        "changed the account"
    );
    let (session, token) = start(request, user, next_step(request, user, true)?, pending.is_persistent)?;
    finish(request, &session, &token, &carried.back_url, carried.posted, codes)
}
