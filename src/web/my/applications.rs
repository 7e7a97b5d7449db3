//! `/my/applications`: takes back what the user has allowed applications.

use crate::actions::oauth;
use crate::domain::ids::ApplicationId;
use crate::http::{Error, Reply, RequestContext};
use crate::web::form::{audit, field};
use crate::web::frame::Flash;
use crate::web::render::redirect_with;

/// `POST /my/applications`: revokes everything that the application with this id was allowed.
pub fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let user = request.require_user()?;
    let id = field(request, "id")
        .parse()
        .map(ApplicationId)
        .map_err(|_| Error::NotFound)?;
    request
        .app
        .store
        .write(move |db| oauth::revoke_application(db, user, id))?;
    audit(request, "applications");
    Ok(redirect_with(
        request,
        "/my/account#applications".to_owned(),
        &Flash::notice("The application has no access any more."),
    ))
}
