//! `PUT /projects/:project_id/wiki/:title/protect` (compatibility 13.4).

use super::{address, show};
use crate::actions::wiki;
use crate::http::{BodyFields, Error, Reply, RequestContext};

/// Protects a page, or removes the protection: 200 with its new state.
pub fn protect(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let mut body = BodyFields::from_body(request, "wiki_page")?;
    let is_blank = body.raw("protected").is_none_or(|value| value.is_blank());
    let protected = body.boolean("protected", "Protected").value().copied();
    body.check()?;
    let protected = protected
        .filter(|_| !is_blank)
        .ok_or_else(|| Error::invalid("Protected cannot be blank"))?;
    let page = request.write_in_project(project, move |db, viewer| {
        wiki::protect(db, viewer, project, &title, protected)
    })?;
    request.app.read(|db| show::page_reply(request, db, page))
}
