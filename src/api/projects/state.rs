//! `PUT` and `POST /projects/:id/archive`, `unarchive`, `close`, `reopen`: 204 without a body (contract part A).

use crate::actions::{Refused, projects};
use crate::domain::clock::Clock;
use crate::domain::viewer::Viewer;
use crate::http::{Ask, Error, Reply};
use crate::store::Write;
use std::sync::Arc;

type Change = fn(&mut Write<'_>, &Viewer, &str, &dyn Clock) -> Result<(), Refused>;

/// Archives a project.
pub fn archive(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, viewer, reference, _| projects::archive(db, viewer, reference))
}

/// Brings a project back from the archive.
pub fn unarchive(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, viewer, reference, clock| projects::unarchive(db, viewer, reference, clock))
}

/// Closes a project.
pub fn close(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, viewer, reference, _| projects::close(db, viewer, reference))
}

/// Opens a closed project again.
pub fn reopen(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, viewer, reference, _| projects::reopen(db, viewer, reference))
}

fn change(ask: &Ask, change: Change) -> Result<Reply, Error> {
    let (clock, reference) = (Arc::clone(&ask.app.clock), ask.place("id").to_owned());
    ask.change(move |db, viewer| change(db, viewer, &reference, clock.as_ref()))?;
    Ok(Reply::nothing())
}
