//! How a relation looks outside (contract 4.1, 4.8).

use crate::domain::ids::IssueId;
use crate::domain::relation::Relation;
use crate::wire::Fields;

/// The relations of one issue, by type as that issue sees it.
pub fn of_issue(issue: IssueId, relations: &[Relation]) -> Vec<Relation> {
    let mut own: Vec<Relation> = relations.iter().filter(|relation| relation.from == issue || relation.to == issue).copied().collect();
    own.sort_by_key(|relation| (relation.seen_from(issue), relation.id));
    own
}

/// The fields of a relation as a resource of its own.
pub fn relation(w: &mut Fields, relation: Relation) {
    w.field("id", relation.id.0);
    w.field("issue_id", relation.from.0);
    w.field("issue_to_id", relation.to.0);
    w.field("relation_type", relation.kind.name());
    w.field("delay", relation.delay);
}

/// The same within an issue, where XML has them as attributes.
pub fn attributes(w: &mut Fields, relation: Relation) {
    w.attribute("id", relation.id.0);
    w.attribute("issue_id", relation.from.0);
    w.attribute("issue_to_id", relation.to.0);
    w.attribute("relation_type", relation.kind.name());
    w.attribute("delay", relation.delay);
}
