//! A condition on issues that the index does not know and the store tests.

use quarry_domain::access::viewer::Viewer;
use quarry_domain::values::id_set::IdSet;
use quarry_store::issues::sets::{self, IssueSet};
use quarry_store::{Read, StoreError, issues};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Minimum number of asked issues for which all matching issues are read.
const MIN_TO_READ_ALL: usize = 1_000;
/// All matching issues are read when one issue in this many is asked for: a test of one issue costs
/// more than its part of a pass over all.
const READ_ALL_SHARE: usize = 4;

/// A condition on issues that the store tests. A search collects the issues about which it has to
/// know; [`StoreCondition::read`] then tests these together, and the search is run again. So a
/// search with rare words reads few issues, however many there are.
///
/// Copies share what they know. Two conditions are equal only if they are copies.
#[derive(Clone, Debug)]
pub struct StoreCondition(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Issues in any of these match.
    sets: Vec<IssueSet>,
    known: Known,
    /// Issues that a search asked for and that are not known.
    asked: Vec<i64>,
}

#[derive(Debug)]
enum Known {
    /// Whether each of these issues matches; false while it is asked for.
    Some(HashMap<i64, bool>),
    /// All issues that match.
    All(IdSet),
}

impl StoreCondition {
    /// Creates the condition that an issue is in any of these sets.
    pub fn new(sets: Vec<IssueSet>) -> StoreCondition {
        StoreCondition(Arc::new(Mutex::new(State {
            sets,
            known: Known::Some(HashMap::new()),
            asked: Vec::new(),
        })))
    }

    /// Whether an issue matches. One that is not known does not match, and is asked for.
    pub(crate) fn matches(&self, issue: i64) -> bool {
        let state = &mut *self.lock();
        match &mut state.known {
            Known::All(ids) => ids.contains(issue),
            Known::Some(known) => *known.entry(issue).or_insert_with(|| {
                state.asked.push(issue);
                false
            }),
        }
    }

    /// Whether a search has asked for issues that are not known.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.lock().asked.is_empty()
    }

    /// Reads the issues that were asked for: for this viewer, always with the same snapshot of the
    /// store.
    pub(crate) fn read(&self, db: &Read<'_>, viewer: &Viewer) -> Result<(), StoreError> {
        let state = &mut *self.lock();
        let asked = std::mem::take(&mut state.asked);
        let Known::Some(known) = &mut state.known else {
            return Ok(());
        };
        if asked.is_empty() {
            return Ok(());
        }
        let is_worth_reading_all = known.len() > MIN_TO_READ_ALL
            && known.len() > issues::max_id(db)?.unsigned_abs() as usize / READ_ALL_SHARE;
        if is_worth_reading_all {
            let ids = sets::ids_in_any(db, viewer, &state.sets, None)?;
            state.known = Known::All(ids.into_iter().collect());
        } else {
            let ids = sets::ids_in_any(db, viewer, &state.sets, Some(&asked))?;
            known.extend(ids.into_iter().map(|id| (id, true)));
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
            assert!(!condition.is_waiting());
            for (asked, reads_all) in [(1..=10, false), (5..=ISSUES, true), (1..=ISSUES, true)] {
                for id in asked.clone() {
                    copy.matches(id);
                }
                condition.read(db, &viewer)?;
                assert!(!copy.is_waiting());
                assert!(asked.clone().all(|id| copy.matches(id) == (id % 2 == 0)));
                let knows_all = matches!(condition.lock().known, Known::All(_));
                assert_eq!(knows_all, reads_all, "{asked:?}");
            }
            Ok::<_, StoreError>(())
        });
        read.unwrap();
        store.close();
    }
}
