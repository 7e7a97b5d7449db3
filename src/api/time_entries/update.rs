//! `PUT /time_entries/:id` (compatibility 9).

use super::fields;
use super::view::{self, ViewContext};
use crate::actions::time_entries;
use crate::domain::ids::TimeEntryId;
use crate::http::{Error, Reply, RequestContext};
use std::sync::Arc;

/// Updates a time entry: 200 with its new state.
pub fn update(request: &RequestContext) -> Result<Reply, Error> {
    let id: TimeEntryId = request.id_param("id")?;
    let change = fields::parse(request)?;
    let clock = Arc::clone(&request.app.clock);
    let entry = request
        .write(move |db, viewer| time_entries::update(db, viewer, id, &change, clock.as_ref()))?;
    let view_context = request
        .app
        .read(|db| ViewContext::load(db, &request.viewer_context, std::slice::from_ref(&entry)))?;
    Ok(Reply::object("time_entry", move |w| {
        view::time_entry(w, &entry, &view_context)
    }))
}
