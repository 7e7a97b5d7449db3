//! Closes duplicates of a closed issue (compatibility 6.6).

use super::{parents, watching};
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Values;
use crate::domain::ids::{IssueId, UserId};
use crate::domain::issue::Issue;
use crate::domain::relation::RelationType;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::store::journals::NewJournal;
use crate::store::{Write, issues, journals, relations};
use std::sync::Arc;

/// Maximum number of direct and indirect duplicates that are closed.
const MAX_DUPLICATES: usize = 1000;

/// Sets the status of the closed issue on its open duplicates and on their duplicates, and records
/// that in their histories.
pub fn close_duplicates(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    closed: &Issue,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    if !catalogue.is_on(Setting::CloseDuplicateIssues) {
        return Ok(());
    }
    let mut visited: Vec<IssueId> = vec![closed.id];
    let mut index = 0;
    while index < visited.len() && visited.len() <= MAX_DUPLICATES {
        let id = visited[index];
        index += 1;
        for relation in relations::list(db, &[id.0])? {
            let is_duplicate = relation.kind == RelationType::Duplicates && relation.to == id;
            if !is_duplicate || visited.contains(&relation.from) {
                continue;
            }
            visited.push(relation.from);
            let Some(before) = issues::find_any(db, relation.from)? else {
                continue;
            };
            if catalogue
                .status(before.status)
                .is_some_and(|status| status.is_closed)
            {
                continue;
            }
            let now = clock.now();
            let after = Issue {
                status: closed.status,
                closed_on: Some(now),
                updated_on: now,
                ..before.clone()
            };
            issues::update(db, &after)?;
            let no_values = Values::default();
            let details =
                super::history::details(&catalogue, (&before, &no_values), (&after, &no_values));
            let entry = NewJournal {
                issue: after.id,
                user,
                notes: Some(""),
                private: false,
                created_on: now,
                details: &details,
            };
            journals::insert(db, &entry)?;
            watching::add_contributor(db, viewer, &after)?;
            parents::derive_upward(db, after.parent, parents::Extent::UntilUnchanged, clock)?;
        }
    }
    Ok(())
}
