//! `GET /projects/:id`: one project, by number or identifier (contract 6).

use super::view::{self, Around, Include};
use crate::actions;
use crate::domain::ids::ProjectId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The project; 403 where the viewer cannot see it, 404 where there is none.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id = actions::projects::find(db.catalogue(), ask.viewer(), ask.place("id"))?.id;
    alone(ask, db, id, Include::read(ask))
}

/// The project as this snapshot has it, for the asker as the snapshot knows the asker: after a change that may be as a member.
pub fn alone(ask: &Ask, db: &Read<'_>, id: ProjectId, include: Include) -> Result<Reply, Error> {
    let project = db.catalogue().projects.get(&id).ok_or(Error::NotFound)?.clone();
    let asker = ask.app.asker(db.catalogue(), ask.viewer().user);
    let around = Around::load(db, &asker, include, vec![id.0])?;
    Ok(Reply::object("project", move |w| view::alone(w, &project, &around)))
}
