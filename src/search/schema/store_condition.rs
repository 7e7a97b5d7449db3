//! A condition on issues that the index does not know and the store tests.

use quarry_domain::access::viewer::Viewer;
use quarry_domain::values::id_set::IdSet;
use quarry_store::issues::sets::{self, IssueSet};
use quarry_store::{Read, StoreError, issues};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// With fewer tested issues than this, all matching issues are never read at once.
const MIN_TO_READ_ALL: usize = 1_000;
/// All matching issues are read once more than one in this many issues has been tested: a test of one
/// issue costs more than its part of a pass over all.
const READ_ALL_SHARE: usize = 4;

/// A condition on issues that the store tests. A search collects the issues that it needs tested;
/// [`StoreCondition::test_pending`] then tests these together, and the search is run again. So a
/// search with rare words reads few issues, however many there are.
///
/// Copies share what was tested. Two conditions are equal only if they are copies.
#[derive(Clone, Debug)]
pub struct StoreCondition(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Issues in any of these match.
    sets: Vec<IssueSet>,
    tested: Tested,
    /// Issues that a search needs tested.
    pending: Vec<i64>,
}

#[derive(Debug)]
enum Tested {
    /// Whether each of these issues matches; false while it is pending.
    Some(HashMap<i64, bool>),
    /// All issues that match.
    All(IdSet),
}

impl StoreCondition {
    /// Creates the condition that an issue is in any of these sets.
    pub fn new(sets: Vec<IssueSet>) -> StoreCondition {
        StoreCondition(Arc::new(Mutex::new(State {
            sets,
            tested: Tested::Some(HashMap::new()),
            pending: Vec::new(),
        })))
    }

    /// Returns the condition that an issue is in a set of either.
    pub(crate) fn union(&self, other: &StoreCondition) -> StoreCondition {
        let sets = self
            .lock()
            .sets
            .iter()
            .chain(&other.lock().sets)
            .cloned()
            .collect();
        StoreCondition::new(sets)
    }

    /// Whether an issue matches. One that was not tested does not match, and becomes pending.
    pub(crate) fn check_or_defer(&self, issue: i64) -> bool {
        let state = &mut *self.lock();
        match &mut state.tested {
            Tested::All(ids) => ids.contains(issue),
            Tested::Some(tested) => *tested.entry(issue).or_insert_with(|| {
                state.pending.push(issue);
                false
            }),
        }
    }

    /// Whether a search needs issues tested.
    pub(crate) fn has_pending(&self) -> bool {
        !self.lock().pending.is_empty()
    }

    /// Leaves the pending issues untested, as long as no search needs them again.
    pub(crate) fn forget_pending(&self) {
        let state = &mut *self.lock();
        if let Tested::Some(tested) = &mut state.tested {
            for issue in state.pending.drain(..) {
                tested.remove(&issue);
            }
        }
    }

    /// Tests the pending issues: for this viewer, always in the same snapshot of the store.
    pub(crate) fn test_pending(&self, db: &Read<'_>, viewer: &Viewer) -> Result<(), StoreError> {
        let state = &mut *self.lock();
        let pending = std::mem::take(&mut state.pending);
        let Tested::Some(tested) = &mut state.tested else {
            return Ok(());
        };
        if pending.is_empty() {
            return Ok(());
        }
        let is_worth_reading_all = tested.len() > MIN_TO_READ_ALL
            && tested.len() > issues::max_id(db)?.unsigned_abs() as usize / READ_ALL_SHARE;
        if is_worth_reading_all {
            let ids = sets::ids_in_any(db, viewer, &state.sets, None)?;
            state.tested = Tested::All(ids.into_iter().collect());
        } else {
            let ids = sets::ids_in_any(db, viewer, &state.sets, Some(&pending))?;
            tested.extend(ids.into_iter().map(|id| (id, true)));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for StoreCondition {
    fn eq(&self, other: &StoreCondition) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StoreCondition {}

impl Hash for StoreCondition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use jiff::civil::date;
    use quarry_domain::accounts::user::User;
    use quarry_domain::administration::enumeration::{Enumeration, EnumerationKind};
    use quarry_domain::administration::issue_status::IssueStatus;
    use quarry_domain::administration::tracker::Tracker;
    use quarry_domain::ids::{ProjectId, UserId};
    use quarry_domain::issues::issue::Issue;
    use quarry_domain::projects::module::{Module, ModuleSet};
    use quarry_domain::projects::project::Project;
    use quarry_domain::query::filter::Predicate;
    use quarry_domain::query::issues::{Condition, Field};
    use quarry_store::accounts::users;
    use quarry_store::administration::{enumerations, issue_statuses, trackers};
    use quarry_store::{Store, Write, projects};

    const ISSUES: i64 = 3 * MIN_TO_READ_ALL as i64;

    /// Inserts an administrator and issues of which those with an even id have a due date.
    fn insert_world(db: &mut Write<'_>) -> Result<(), StoreError> {
        let admin = User {
            id: UserId(1),
            login: "admin".to_owned(),
            admin: true,
            ..User::default()
        };
        users::insert(db, &admin, "")?;
        let project = Project {
            id: ProjectId(1),
            name: "World".to_owned(),
            identifier: "world".to_owned(),
            modules: Module::ALL.iter().copied().collect::<ModuleSet>(),
            ..Project::default()
        };
        projects::insert(db, &project)?;
        let status = IssueStatus {
            name: "New".to_owned(),
            ..IssueStatus::default()
        };
        let status = issue_statuses::insert(db, &status)?;
        let tracker = Tracker {
            name: "Bug".to_owned(),
            default_status: status,
            ..Tracker::default()
        };
        let tracker = trackers::insert(db, &tracker)?;
        let priority = Enumeration {
            kind: EnumerationKind::IssuePriority,
            name: "Normal".to_owned(),
            ..Enumeration::default()
        };
        let priority = enumerations::insert(db, &priority)?;
        (1..=ISSUES).try_for_each(|id| {
            let issue = Issue {
                project: ProjectId(1),
                tracker,
                status,
                priority,
                author: UserId(1),
                subject: id.to_string(),
                due_date: (id % 2 == 0).then_some(date(2026, 1, 1)),
                created_on: Timestamp::UNIX_EPOCH,
                ..Issue::default()
            };
            issues::insert(db, &issue).map(drop)
        })
    }

    #[test]
    fn few_issues_are_tested_by_their_ids_and_many_with_all_others() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.write(insert_world).unwrap();
        let has_due_date = Condition {
            field: Field::DueDate,
            predicate: Predicate::NotEmpty,
        };
        let read = store.read(|db| {
            let viewer = Viewer::new(db.catalogue(), Some(UserId(1)));
            let sets = vec![IssueSet::Matching(vec![has_due_date])];
            let condition = StoreCondition::new(sets);
            let copy = condition.clone();
            assert!(!condition.has_pending());
            // What was forgotten is tested when it is needed again.
            copy.check_or_defer(2);
            copy.forget_pending();
            assert!(!condition.has_pending());
            for (asked, reads_all) in [(1..=10, false), (5..=ISSUES, true), (1..=ISSUES, true)] {
                for id in asked.clone() {
                    copy.check_or_defer(id);
                }
                condition.test_pending(db, &viewer)?;
                assert!(!copy.has_pending());
                assert!(
                    asked
                        .clone()
                        .all(|id| copy.check_or_defer(id) == (id % 2 == 0))
                );
                let knows_all = matches!(condition.lock().tested, Tested::All(_));
                assert_eq!(knows_all, reads_all, "{asked:?}");
            }
            Ok::<_, StoreError>(())
        });
        read.unwrap();
        store.close();
    }
}
