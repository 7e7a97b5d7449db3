//! `POST /projects` (contract 6).

use super::show::alone;
use super::{fields, view};
use crate::actions;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Makes a project: 201 with it and its address.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let wanted = fields::read(ask)?;
    let clock = Arc::clone(&ask.app.clock);
    let id = ask.change(move |db, viewer| actions::projects::create(db, viewer, &wanted, clock.as_ref()))?;
    let reply = ask.app.store.read(|db| alone(ask, db, id, view::Include::default()))?;
    Ok(reply.created(format!("{}/projects/{id}", ask.base())))
}
