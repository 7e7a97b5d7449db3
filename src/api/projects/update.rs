//! `PUT /projects/:id` (contract 6).

use super::show::alone;
use super::{fields, view};
use crate::actions;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Changes a project: 200 with it as it is then.
pub fn update(ask: &Ask) -> Result<Reply, Error> {
    let wanted = fields::read(ask)?;
    let (clock, reference) = (Arc::clone(&ask.app.clock), ask.place("id").to_owned());
    let id = ask.change(move |db, viewer| actions::projects::change(db, viewer, &reference, &wanted, clock.as_ref()))?;
    ask.app.store.read(|db| alone(ask, db, id, view::Include::default()))
}
