//! Closing what says the same (compatibility 6.6).

use super::parents;
use crate::actions::ActionError;
use crate::domain::clock::Clock;
use crate::domain::custom_field::Values;
use crate::domain::ids::{IssueId, UserId};
use crate::domain::issue::Issue;
use crate::domain::relation::RelationType;
use crate::domain::setting::Setting;
use crate::store::journals::NewJournal;
use crate::store::{Write, issues, journals, relations};
use std::sync::Arc;

/// How many duplicates, and duplicates of duplicates, one duplicates reaches.
const MOST: usize = 1000;

/// Gives the open issues that duplicate this one, and those that duplicate them, its status, each with an entry in its history.
pub fn close_duplicates(db: &mut Write<'_>, user: UserId, closed: &Issue, clock: &dyn Clock) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    if !catalogue.is_on(Setting::CloseDuplicateIssues) {
        return Ok(());
    }
    let mut known: Vec<IssueId> = vec![closed.id];
    let mut at = 0;
    while at < known.len() && known.len() <= MOST {
        let id = known[at];
        at += 1;
        for relation in relations::list(db, &[id.0])? {
            let duplicate = relation.kind == RelationType::Duplicates && relation.to == id;
            if !duplicate || known.contains(&relation.from) {
                continue;
            }
            known.push(relation.from);
            let Some(before) = issues::find_any(db, relation.from)? else { continue };
            if before.closed_on.is_some() || catalogue.status(before.status).is_some_and(|status| status.is_closed) {
                continue;
            }
            let now = clock.now();
            let after = Issue { status: closed.status, closed_on: Some(now), updated_on: now, ..before.clone() };
            issues::update(db, &after)?;
            let nothing = Values::default();
            let details = super::history::details(&catalogue, (&before, &nothing), (&after, &nothing));
            let entry = NewJournal { issue: after.id, user, notes: Some(""), private: false, created_on: now, details: &details };
            journals::insert(db, &entry)?;
            parents::derive_upward(db, after.parent, parents::Reach::Needed, clock)?;
        }
    }
    Ok(())
}
