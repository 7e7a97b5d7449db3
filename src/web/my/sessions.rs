//! `/my/sessions`: ends sessions of the own account.

use crate::actions::sessions;
use crate::domain::ids::SessionId;
use crate::http::{Error, Reply, RequestContext};
use crate::web::form::{audit, field};
use crate::web::frame::Flash;
use crate::web::render::redirect_with;

/// `POST /my/sessions`: ends the session with this id, or all but that of the request
/// (`id=others`).
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let current = request.session().map(|session| session.session.id);
    let message = match field(request, "id").as_str() {
        "others" => {
            let ended = request
                .app
                .store
                .write(move |db| sessions::end_others(db, user, current))?;
            format!(
                "{ended} {} ended.",
                if ended == 1 {
                    "session was"
                } else {
                    "sessions were"
                }
            )
        }
        id => {
            let id = id.parse().map(SessionId).map_err(|_| Error::NotFound)?;
            request
                .app
                .store
                .write(move |db| sessions::end_one(db, user, id))?;
            "The session was ended.".to_owned()
        }
    };
    audit(request, "sessions");
    Ok(redirect_with(
        request,
        "/my/account#sessions".to_owned(),
        &Flash::notice(message),
    ))
}
