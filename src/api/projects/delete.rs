//! `DELETE /projects/:id` (spec, "Projects").

use crate::actions;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Deletes a project with everything in it: 200 without a body, when all of it is gone.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let (clock, reference) = (Arc::clone(&ask.app.clock), ask.place("id").to_owned());
    let unfinished = ask.change(move |db, viewer| actions::projects::remove(db, viewer, &reference, clock.as_ref()))?;
    actions::projects::finish_removing(&ask.app.store, unfinished, || false)?;
    Ok(Reply::done())
}
