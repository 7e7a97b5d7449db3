//! `/my/api_key`: shows or resets the API key. It asks for the password, because the key is enough
//! for everything for which pages ask for it.

use super::account;
use crate::actions::accounts;
use crate::http::{Error, Reply, RequestContext};
use crate::store::users;
use crate::web::form::{audit, check_password, field};
use axum::http::StatusCode;
use std::sync::Arc;

/// `POST /my/api_key`: shows the key (`do=show`), or replaces and shows it (`do=reset`).
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id = request.require_user()?;
    if let Some(error) = check_password(request)? {
        return Ok(account::show_key(request, None, Some(error))?
            .with_status(StatusCode::UNPROCESSABLE_ENTITY));
    }
    let key = match field(request, "do").as_str() {
        "reset" => {
            let entropy = Arc::clone(&request.app.entropy);
            let key = request
                .app
                .store
                .write(move |db| accounts::reset_key(db, id, entropy.as_ref()))?;
            audit(request, "api key");
            Some(key)
        }
        "show" => request.app.read(|db| users::api_key(db, id))?,
        _ => None,
    };
    account::show_key(request, key, None)
}
