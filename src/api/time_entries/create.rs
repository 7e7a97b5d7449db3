//! `POST /time_entries`, `POST /projects/:id/time_entries`, `POST /issues/:id/time_entries` (contract 7).

use super::fields;
use super::view::{self, Around};
use crate::actions::time_entries::{self, Place};
use crate::domain::ids::IssueId;
use crate::domain::viewer::Viewer;
use crate::http::{Ask, Error, Reply};
use crate::store::Write;
use std::sync::Arc;

/// Logs time, in the project of the path or in that which the body names: 201 with the time entry and its address.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let place = match ask.place("id") {
        "" => Place::Anywhere,
        reference => Place::Project(ask.app.store.catalogue()?.project_by(reference).ok_or(Error::NotFound)?.id),
    };
    add(ask, place)
}

/// Logs time on the issue of the path.
pub fn create_on_issue(ask: &Ask) -> Result<Reply, Error> {
    let issue: IssueId = ask.number("id")?;
    add(ask, Place::Issue(issue))
}

fn add(ask: &Ask, place: Place) -> Result<Reply, Error> {
    let wanted = fields::read(ask)?;
    let clock = Arc::clone(&ask.app.clock);
    let create = move |db: &mut Write<'_>, viewer: &Viewer| time_entries::create(db, viewer, place, &wanted, clock.as_ref());
    let entry = match place {
        Place::Project(project) => ask.change_in(project, create),
        Place::Anywhere | Place::Issue(_) => ask.change(create),
    }?;
    let around = ask.app.store.read(|db| Around::load(db, &ask.asker, std::slice::from_ref(&entry)))?;
    let location = format!("{}/time_entries/{}", ask.base(), entry.id);
    Ok(Reply::object("time_entry", move |w| view::time_entry(w, &entry, &around)).created(location))
}
