//! `POST /issues/:id/relations` (compatibility 6.8).

use super::view;
use crate::actions::relations::{self, RelationChange};
use crate::domain::ids::IssueId;
use crate::http::{BodyFields, Error, Reply, RequestContext};
use std::sync::Arc;

/// Creates a relation to another issue: 201 with it as it is stored, and its URL.
pub fn create(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "relation")?;
    let change = RelationChange {
        to: body.text("issue_to_id", "Related issue"),
        kind: body.text("relation_type", "Relation type"),
        delay: body.text("delay", "Delay"),
    };
    body.check()?;
    let clock = Arc::clone(&request.app.clock);
    let relation = request
        .write(move |db, viewer| relations::create(db, viewer, id, &change, clock.as_ref()))?;
    let location = format!("{}/relations/{}", request.base_url(), relation.id);
    Ok(Reply::object("relation", move |w| view::relation(w, relation)).created(location))
}
