//! `DELETE /relations/:id` (contract 4.8).

use crate::actions::relations;
use crate::domain::ids::RelationId;
use crate::http::{Ask, Error, Reply};
use std::sync::Arc;

/// Takes a relation away: 204.
pub fn delete(ask: &Ask) -> Result<Reply, Error> {
    let id: RelationId = ask.number("id")?;
    let clock = Arc::clone(&ask.app.clock);
    ask.change(move |db, viewer| relations::remove(db, viewer, id, clock.as_ref()))?;
    Ok(Reply::nothing())
}
