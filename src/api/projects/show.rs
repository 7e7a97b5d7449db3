//! `GET /projects/:id`: one project, by number or identifier (contract 6).

use super::view::{self, Around, Include};
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The project; 403 where the viewer cannot see it, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let project = db.catalogue().project_by(ask.place("id")).ok_or(Error::NotFound)?.clone();
    ask.viewer().rights(project.id).ok_or(Error::Forbidden)?;
    let around = Around::load(db, &ask.asker, Include::read(ask), vec![project.id.0])?;
    Ok(Reply::object("project", move |w| view::alone(w, &project, &around)))
}
