//! `GET /relations/:id` (contract 4.8).

use super::view;
use crate::actions::relations;
use crate::domain::ids::RelationId;
use crate::http::{Ask, Error, Reply};
use crate::store::Read;

/// The relation, to whoever may see the issues at both ends.
pub fn show(ask: &Ask, db: &Read<'_>) -> Result<Reply, Error> {
    let id: RelationId = ask.number("id")?;
    let relation = relations::find(db, ask.viewer(), id)?;
    Ok(Reply::object("relation", move |w| view::relation(w, relation)))
}
