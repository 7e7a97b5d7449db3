//! `PUT /projects/:project_id/wiki/:title/rename` (compatibility 13.4).

use super::{address, fields, show};
use crate::actions::wiki;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Renames a page or moves it below another one, without a new text: 200 with its new state.
pub fn rename(request: &RequestContext) -> Result<Reply, Error> {
    let project = address::project(request, &*request.app.store.catalogue()?)?;
    let title = address::title(request)?.to_owned();
    let (change, _) = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let page = request.write_in_project(project, move |db, viewer| {
        wiki::rename(db, viewer, project, &title, &change, clock.as_ref())
    })?;
    request.app.read(|db| show::page_reply(request, db, page))
}
