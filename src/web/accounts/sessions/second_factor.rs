//! `/login/two_factor`: sets up the second factor that the settings require, as a step of the
//! login.

use super::start::{finish, next_step, start};
use super::steps::{Carried, again, code_error, pending};
use crate::form::field;
use crate::prelude::*;
use quarry_actions::accounts::two_factor;
use quarry_domain::accounts::session::SessionStep;
use quarry_http::SecretCheck;

const WRONG_CODE: &str =
    "This code is not valid. Check the clock of your phone, and try the next code.";

/// `POST /login/two_factor`: switches the second factor on when the code of the app is right, shows
/// the recovery codes, and goes on.
pub fn set_up(request: &RequestContext) -> Result<Reply, Error> {
    let Some(pending) = pending(request, SessionStep::SetUpSecondFactor)? else {
        return Ok(Reply::see_other("/login".to_owned()));
    };
    let carried = Carried::from_body(&request.body);
    let code = field(request, "code");
    let user = pending.user;
    let check = request.check_secret(|permit| {
        request.write_login_step(user, move |db| {
            Ok(two_factor::set_up(db, permit, user, &code)?)
        })
    })?;
    let SecretCheck::Right(codes) = check else {
        let (status, message) = code_error(&check, WRONG_CODE);
        return again(request, status, carried, message);
    };
    tracing::info!(
        target: "audit",
        { user.id = user.0, client.address = %request.address(), account.change = "second factor on" },
        "changed the account"
    );
    let started = start(
        request,
        user,
        next_step(request, user, true)?,
        pending.is_persistent,
    )?;
    finish(request, &started, &carried.back_url, carried.posted, codes)
}
