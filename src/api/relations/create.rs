//! `POST /issues/:id/relations` (contract 4.8).

use super::view;
use crate::actions::relations::{self, RelationChange};
use crate::domain::ids::IssueId;
use crate::http::{Ask, Error, Reply, Said};
use std::sync::Arc;

/// Relates an issue to another: 201 with the relation as it is kept, and its address.
pub fn create(ask: &Ask) -> Result<Reply, Error> {
    let id: IssueId = ask.number("id")?;
    let mut said = Said::of(ask, "relation")?;
    let wanted = RelationChange {
        to: said.text("issue_to_id", "Related issue"),
        kind: said.text("relation_type", "Relation type"),
        delay: said.text("delay", "Delay"),
    };
    said.finish()?;
    let clock = Arc::clone(&ask.app.clock);
    let relation = ask.change(move |db, viewer| relations::create(db, viewer, id, &wanted, clock.as_ref()))?;
    let location = format!("{}/relations/{}", ask.base(), relation.id);
    Ok(Reply::object("relation", move |w| view::relation(w, relation)).created(location))
}
