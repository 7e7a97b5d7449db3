//! What can be done with relations between issues.

mod create;
mod delete;
mod find;

pub use create::{RelationChange, create};
pub use delete::delete;
pub use find::find;

use crate::domain::clock::Clock;
use crate::domain::ids::{IssueId, UserId};
use crate::domain::relation::Relation;
use crate::store::journals::{Detail, NewJournal};
use crate::store::{StoreError, Write, journals};

/// Writes into the history of all these issues that the relations are there, or are gone (compatibility 6.2). The one issue that is
/// an end of all of them gets one entry.
fn note(
    db: &mut Write<'_>,
    user: UserId,
    issue: IssueId,
    relations: &[Relation],
    is_there: bool,
    clock: &dyn Clock,
) -> Result<(), StoreError> {
    let detail = |relation: &Relation, issue: IssueId| {
        let other = |there: bool| (there == is_there).then(|| relation.other_end(issue).to_string());
        Detail { property: "relation", name: relation.type_from(issue).name().into(), old_value: other(false), new_value: other(true) }
    };
    let own = (issue, relations.iter().map(|relation| detail(relation, issue)).collect());
    let others = relations.iter().map(|relation| relation.other_end(issue));
    let others = others.zip(relations).map(|(other, relation)| (other, vec![detail(relation, other)]));
    let entries: Vec<(IssueId, Vec<Detail>)> = std::iter::once(own).chain(others).collect();
    for (issue, details) in entries {
        let entry = NewJournal { issue, user, notes: Some(""), private: false, created_on: clock.now(), details: &details };
        journals::insert(db, &entry)?;
    }
    Ok(())
}
