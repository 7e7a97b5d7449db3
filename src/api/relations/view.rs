//! JSON and XML of relations (compatibility 6.1 and 6.8).

use crate::domain::ids::IssueId;
use crate::domain::relation::Relation;
use crate::wire::Fields;

/// Returns the relations of an issue, by type as seen from that issue.
pub fn of_issue(issue: IssueId, relations: &[Relation]) -> Vec<Relation> {
    let mut own: Vec<Relation> = relations
        .iter()
        .filter(|relation| relation.from == issue || relation.to == issue)
        .copied()
        .collect();
    own.sort_by_key(|relation| (relation.type_from(issue), relation.id));
    own
}

/// Writes a relation with its values as fields.
pub fn relation(w: &mut Fields, relation: Relation) {
    w.field("id", relation.id.0);
    w.field("issue_id", relation.from.0);
    w.field("issue_to_id", relation.to.0);
    w.field("relation_type", relation.kind.name());
    w.field("delay", relation.delay);
}

/// Writes a relation of an issue, with its values as attributes.
pub fn relation_of_issue(w: &mut Fields, relation: Relation) {
    w.attribute("id", relation.id.0);
    w.attribute("issue_id", relation.from.0);
    w.attribute("issue_to_id", relation.to.0);
    w.attribute("relation_type", relation.kind.name());
    w.attribute("delay", relation.delay);
}
