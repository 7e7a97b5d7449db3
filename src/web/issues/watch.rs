//! `POST /issues/:id/watch`: starts or stops watching an issue.

use crate::actions::watchers;
use crate::domain::ids::IssueId;
use crate::http::{Error, Reply, RequestContext};
use crate::web::access;
use crate::web::components::form_field::typed;
use crate::web::frame::Flash;
use crate::web::render::redirect_with;

/// Makes the viewer a watcher (`do=watch`), or one no longer (`do=unwatch`).
pub fn watch(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let is_on = match typed(&request.body, "do").as_deref() {
        Some("watch") => true,
        Some("unwatch") => false,
        _ => return Err(Error::BadRequest("do must be watch or unwatch".to_owned())),
    };
    access::found(request, request.write(move |db, viewer| watchers::set_watching(db, viewer, id, is_on)))?;
    let message = if is_on { "You watch this issue." } else { "You do not watch this issue any more." };
    Ok(redirect_with(request, format!("/issues/{id}"), &Flash::notice(message)))
}
