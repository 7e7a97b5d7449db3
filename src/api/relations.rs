//! The resource `/relations`, and the relations of an issue (compatibility 6.8).

use crate::prelude::*;
use quarry_actions::issues;
use quarry_actions::issues::relations;
use quarry_actions::issues::relations::RelationChange;
use quarry_domain::ids::{IssueId, RelationId};
use quarry_domain::issues::relation;
use quarry_domain::issues::relation::Relation;
use quarry_store as store;

/// Returns the routes.
pub fn routes() -> Routes {
    Routes::new()
        .route(
            "/issues/{id}/relations",
            get(read_handler(list)).post(write_handler(create)),
        )
        .route(
            "/relations/{id}",
            get(read_handler(show)).delete(write_handler(delete)),
        )
}

/// `GET /issues/:id/relations` (compatibility 6.8).
///
/// Returns the relations of an issue to issues that the viewer can see.
fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let issue = issues::find(db, request.viewer(), id)?;
    let relations = relation::of_issue(
        issue.id,
        &store::issues::relations::list_visible(db, request.viewer(), &[issue.id.0])?,
    );
    Ok(Reply::list(
        "relations",
        "relation",
        relations,
        write_relation,
        Vec::new(),
    ))
}

/// `GET /relations/:id` (compatibility 6.8).
///
/// Returns the relation, to viewers who can see both issues.
fn show(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let id: RelationId = request.id_param("id")?;
    let relation = relations::find(db, request.viewer(), id)?;
    Ok(Reply::object("relation", move |w| {
        write_relation(w, relation)
    }))
}

/// `POST /issues/:id/relations` (compatibility 6.8).
///
/// Creates a relation to another issue: 201 with it as it is stored, and its URL.
fn create(request: &RequestContext) -> Result<Reply, Error> {
    let id: IssueId = request.id_param("id")?;
    let mut body = BodyFields::from_body(request, "relation")?;
    let change = RelationChange {
        to: body.text("issue_to_id", "Related issue"),
        kind: body.text("relation_type", "Relation type"),
        delay: body.text("delay", "Delay"),
    };
    body.check()?;
    let relation = request.write(move |db, viewer| relations::create(db, viewer, id, &change))?;
    let location = format!("{}/relations/{}", request.base_url(), relation.id);
    Ok(Reply::object("relation", move |w| write_relation(w, relation)).created(location))
}

/// `DELETE /relations/:id` (compatibility 6.8).
///
/// Deletes a relation: 204.
fn delete(request: &RequestContext) -> Result<Reply, Error> {
    let id: RelationId = request.id_param("id")?;
    request.write(move |db, viewer| relations::delete(db, viewer, id))?;
    Ok(Reply::no_content())
}

/// Writes a relation with its values as fields.
pub fn write_relation(w: &mut Fields, relation: Relation) {
    w.field("id", relation.id.0);
    w.field("issue_id", relation.from.0);
    w.field("issue_to_id", relation.to.0);
    w.field("relation_type", relation.kind.name());
    w.field("delay", relation.delay);
}

/// Writes a relation of an issue, with its values as attributes.
pub fn write_relation_of_issue(w: &mut Fields, relation: Relation) {
    w.attribute("id", relation.id.0);
    w.attribute("issue_id", relation.from.0);
    w.attribute("issue_to_id", relation.to.0);
    w.attribute("relation_type", relation.kind.name());
    w.attribute("delay", relation.delay);
}
