//! `PUT` and `POST /projects/:id/archive`, `unarchive`, `close`, `reopen`: 204 without a body (contract part A).

use crate::actions::{Refused, projects};
use crate::app::Asker;
use crate::domain::clock::Clock;
use crate::http::{Ask, Error, Reply};
use crate::store::Write;
use std::sync::Arc;

type Change = fn(&mut Write<'_>, &Asker, &str, &dyn Clock) -> Result<(), Refused>;

/// Archives a project.
pub fn archive(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, asker, reference, _| projects::archive(db, &asker.viewer, reference))
}

/// Brings a project back from the archive.
pub fn unarchive(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, asker, reference, clock| projects::unarchive(db, &asker.viewer, reference, clock))
}

/// Closes a project.
pub fn close(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, asker, reference, _| projects::close(db, &asker.viewer, reference))
}

/// Opens a closed project again.
pub fn reopen(ask: &Ask) -> Result<Reply, Error> {
    change(ask, |db, asker, reference, _| projects::reopen(db, &asker.viewer, reference))
}

fn change(ask: &Ask, change: Change) -> Result<Reply, Error> {
    let (asker, clock, reference) = (Arc::clone(&ask.asker), Arc::clone(&ask.app.clock), ask.place("id").to_owned());
    ask.app.store.write(move |db| change(db, &asker, &reference, clock.as_ref()))?;
    Ok(Reply::nothing())
}
