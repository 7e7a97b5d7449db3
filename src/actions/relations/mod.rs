//! Relations between issues.

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

/// Records added or deleted relations of `issue` in the histories of all issues (compatibility
/// 6.2). `issue` gets one journal for all of them.
fn record(
    db: &mut Write<'_>,
    user: UserId,
    issue: IssueId,
    relations: &[Relation],
    added: bool,
    clock: &dyn Clock,
) -> Result<(), StoreError> {
    let detail = |relation: &Relation, issue: IssueId| {
        let other_id = |new: bool| (new == added).then(|| relation.other_end(issue).to_string());
        Detail {
            property: "relation",
            name: relation.type_from(issue).name().into(),
            old_value: other_id(false),
            new_value: other_id(true),
        }
    };
    let own = (
        issue,
        relations
            .iter()
            .map(|relation| detail(relation, issue))
            .collect(),
    );
    let others = relations.iter().map(|relation| relation.other_end(issue));
    let others = others
        .zip(relations)
        .map(|(other, relation)| (other, vec![detail(relation, other)]));
    let entries: Vec<(IssueId, Vec<Detail>)> = std::iter::once(own).chain(others).collect();
    for (issue, details) in entries {
        let entry = NewJournal {
            issue,
            user,
            notes: Some(""),
            private: false,
            created_on: clock.now(),
            details: &details,
        };
        journals::insert(db, &entry)?;
    }
    Ok(())
}
