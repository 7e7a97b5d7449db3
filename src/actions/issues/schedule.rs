//! Reschedules issues that follow a rescheduled issue (compatibility 6.6). Two steps are
//! distinguished: an issue *is moved*, which also moves its subtasks; and its dates *change*, which
//! changes the derived dates of its parent and moves the issues that follow it. Each issue takes
//! each step at most once, so cycles terminate.

use crate::notices;
use crate::prelude::*;
use jiff::civil::Date;
use quarry_domain::administration::setting::Setting;
use quarry_domain::administration::workdays::Workdays;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::issues::schedule::{IssueDates, Precedence};
use quarry_domain::values::stable_sort::StableSort;
use quarry_store::issues::schedule;
use std::collections::{HashMap, HashSet, VecDeque};

/// A step for an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// It is moved to a new start date.
    Moved(IssueId),
    /// Its dates change.
    Changed(IssueId),
}

/// The steps and which step causes which.
#[derive(Default)]
struct Graph {
    edges: HashMap<Step, Vec<Step>>,
    seen: HashSet<Step>,
    moved: HashSet<IssueId>,
    parents: HashSet<IssueId>,
}

impl Graph {
    /// Collects the steps that `first` causes.
    fn collect(db: &Read<'_>, first: Step) -> Result<Graph, StoreError> {
        let mut graph = Graph::default();
        let derived = db.catalogue().setting(Setting::ParentIssueDates) == "derived";
        let mut queue = vec![first];
        graph.seen.insert(first);
        while !queue.is_empty() {
            let moved: Vec<IssueId> = queue
                .iter()
                .filter_map(|step| {
                    if let Step::Moved(id) = step {
                        Some(*id)
                    } else {
                        None
                    }
                })
                .collect();
            let changed: Vec<IssueId> = queue
                .iter()
                .filter_map(|step| {
                    if let Step::Changed(id) = step {
                        Some(*id)
                    } else {
                        None
                    }
                })
                .collect();
            queue.clear();
            graph.moved.extend(&moved);
            let mut steps: Vec<(Step, Step)> = Vec::new();
            let children = if derived {
                schedule::children(db, &moved)?
            } else {
                Vec::new()
            };
            graph
                .parents
                .extend(children.iter().filter_map(|child| child.parent));
            steps.extend(
                children
                    .iter()
                    .filter_map(|child| Some((Step::Moved(child.parent?), Step::Moved(child.id)))),
            );
            let leaves = moved.iter().filter(|id| !graph.parents.contains(id));
            steps.extend(leaves.map(|id| (Step::Moved(*id), Step::Changed(*id))));
            let changed_issues = if derived {
                schedule::list(db, &changed)?
            } else {
                Vec::new()
            };
            steps.extend(
                changed_issues.iter().filter_map(|child| {
                    Some((Step::Changed(child.id), Step::Changed(child.parent?)))
                }),
            );
            let successors = schedule::successors(db, &changed)?;
            steps.extend(
                successors
                    .iter()
                    .map(|relation| (Step::Changed(relation.before), Step::Moved(relation.after))),
            );
            for (from, to) in steps {
                graph.edges.entry(from).or_default().push(to);
                if graph.seen.insert(to) {
                    queue.push(to);
                }
            }
        }
        Ok(graph)
    }

    /// Returns the steps in topological order, without those in or after a cycle.
    fn topological_order(&self, first: Step) -> Vec<Step> {
        let mut in_degrees: HashMap<Step, usize> = HashMap::new();
        for to in self.edges.values().flatten() {
            *in_degrees.entry(*to).or_default() += 1;
        }
        let mut ready = VecDeque::from([first]);
        let mut done = HashSet::new();
        let mut order = Vec::new();
        while let Some(step) = ready.pop_front() {
            // The first step can be part of a cycle.
            if !done.insert(step) {
                continue;
            }
            order.push(step);
            for to in self.edges.get(&step).into_iter().flatten() {
                let in_degree = in_degrees.entry(*to).or_default();
                *in_degree = in_degree.saturating_sub(1);
                if *in_degree == 0 {
                    ready.push_back(*to);
                }
            }
        }
        order
    }
}

/// Whether moving `issue` would move `affected`. Then `issue` cannot follow `affected`.
pub(crate) fn would_move(
    db: &Read<'_>,
    issue: IssueId,
    affected: IssueId,
) -> Result<bool, StoreError> {
    let graph = Graph::collect(db, Step::Moved(issue))?;
    Ok(
        graph.seen.contains(&Step::Moved(affected))
            || graph.seen.contains(&Step::Changed(affected)),
    )
}

/// Returns the earliest start date that the predecessors of the issue and its ancestors allow;
/// `None` without a restriction.
pub fn soonest_start(db: &Read<'_>, issue: &Issue) -> Result<Option<Date>, StoreError> {
    let mut line = vec![issue.id];
    let mut parent = issue.parent;
    let derived = db.catalogue().setting(Setting::ParentIssueDates) == "derived";
    while let Some(id) = parent.filter(|id| derived && !line.contains(id)) {
        line.push(id);
        parent = schedule::list(db, &[id])?
            .first()
            .and_then(|issue| issue.parent);
    }
    let predecessors = schedule::predecessors(db, &line)?;
    let ids: Vec<IssueId> = predecessors
        .iter()
        .map(|relation| relation.before)
        .collect();
    let dates = schedule::list(db, &ids)?
        .into_iter()
        .map(|planned| (planned.id, planned))
        .collect();
    Ok(predecessors
        .iter()
        .filter_map(|relation| earliest_start(relation, &dates, &db.catalogue().workdays()))
        .max())
}

/// Returns the first working day after the end of the predecessor and the delay; `None` if it has
/// no dates.
fn earliest_start(
    relation: &Precedence,
    dates: &HashMap<IssueId, IssueDates>,
    workdays: &Workdays,
) -> Option<Date> {
    let predecessor = dates.get(&relation.before)?;
    let end = predecessor.due.or(predecessor.start)?;
    Some(workdays.on_or_after(workdays.add(end, relation.delay.saturating_add(1))))
}

/// Moves the successors of the issue to their earliest start, then their successors, and so on, and
/// records that in their histories. Call it when the dates of an issue have changed, or when it has
/// a new successor. Returns the ids of the moved issues.
pub fn reschedule_successors(
    db: &mut Write<'_>,
    viewer: &Viewer,
    issue: IssueId,
) -> Result<Vec<IssueId>, StoreError> {
    let Some(user) = viewer.author_id(db.catalogue()) else {
        return Ok(Vec::new());
    };
    let first = Step::Changed(issue);
    let graph = Graph::collect(db, first)?;
    if graph.moved.is_empty() {
        return Ok(Vec::new());
    }
    let before = load_dates(db, &graph)?;
    let after = compute_dates(db, &graph, &graph.topological_order(first), issue, &before)?;
    let mut moved: Vec<&IssueDates> = after
        .values()
        .filter(|planned| before.get(&planned.id) != Some(planned))
        .collect();
    moved.stable_sort_by_key(|planned| planned.id);
    for planned in &moved {
        schedule::update(db, planned)?;
        // Values derived from subtasks are not in the history (compatibility 6.2).
        if let Some(old) = before
            .get(&planned.id)
            .filter(|old| graph.moved.contains(&old.id) && !graph.parents.contains(&old.id))
        {
            record(db, user, old, planned)?;
        }
    }
    Ok(moved.iter().map(|planned| planned.id).collect())
}

/// Loads the dates of the issues in the graph, their predecessors and their subtasks.
fn load_dates(db: &Read<'_>, graph: &Graph) -> Result<HashMap<IssueId, IssueDates>, StoreError> {
    let ids: HashSet<IssueId> = graph
        .seen
        .iter()
        .map(|step| match step {
            Step::Moved(id) | Step::Changed(id) => *id,
        })
        .collect();
    let ids: Vec<IssueId> = ids.into_iter().collect();
    let predecessors: Vec<IssueId> = schedule::predecessors(db, &ids)?
        .iter()
        .map(|relation| relation.before)
        .collect();
    let dates = [
        schedule::list(db, &ids)?,
        schedule::list(db, &predecessors)?,
        schedule::children(db, &ids)?,
    ];
    Ok(dates
        .into_iter()
        .flatten()
        .map(|planned| (planned.id, planned))
        .collect())
}

/// Returns the new dates of all issues, after the steps in `order`.
fn compute_dates(
    db: &Read<'_>,
    graph: &Graph,
    order: &[Step],
    first: IssueId,
    before: &HashMap<IssueId, IssueDates>,
) -> Result<HashMap<IssueId, IssueDates>, StoreError> {
    let moved: Vec<IssueId> = graph.moved.iter().copied().collect();
    let mut predecessors: HashMap<IssueId, Vec<Precedence>> = HashMap::new();
    for relation in schedule::predecessors(db, &moved)? {
        predecessors
            .entry(relation.after)
            .or_default()
            .push(relation);
    }
    let mut children: HashMap<IssueId, Vec<IssueId>> = HashMap::new();
    for planned in before.values() {
        children
            .entry(planned.parent.unwrap_or(IssueId(0)))
            .or_default()
            .push(planned.id);
    }
    let workdays = db.catalogue().workdays();
    let mut after = before.clone();
    // The earliest start that an issue inherits from its parent, and the old start of the parent.
    let mut inherited_starts: HashMap<IssueId, (Date, Option<Date>)> = HashMap::new();
    for step in order {
        match *step {
            Step::Moved(id) => {
                let own = predecessors
                    .get(&id)
                    .into_iter()
                    .flatten()
                    .filter_map(|relation| earliest_start(relation, &after, &workdays))
                    .max();
                let inherited = inherited_starts.get(&id).copied();
                let Some(old) = after.get(&id).copied() else {
                    continue;
                };
                let start = own.max(inherited.map(|inherited| inherited.0));
                if graph.parents.contains(&id) {
                    if let Some(start) = start {
                        let children = graph.edges.get(step).into_iter().flatten();
                        inherited_starts.extend(children.filter_map(|step| {
                            if let Step::Moved(child) = step {
                                Some((*child, (start, old.start)))
                            } else {
                                None
                            }
                        }));
                    }
                } else if let Some(start) = start.filter(|_| {
                    own.is_some()
                        || inherited.is_some_and(|inherited| moves_with_parent(&old, inherited))
                }) {
                    after.insert(id, start_on(&old, start, &workdays));
                }
            }
            // The dates of the first issue have been set already.
            Step::Changed(id) if id != first => {
                let ids = children.get(&id).into_iter().flatten();
                let subtasks: Vec<IssueDates> =
                    ids.filter_map(|child| after.get(child).copied()).collect();
                if let Some(parent) = after.get_mut(&id).filter(|_| !subtasks.is_empty()) {
                    parent.start = subtasks.iter().filter_map(|child| child.start).min();
                    parent.due = subtasks.iter().filter_map(|child| child.due).max();
                }
            }
            Step::Changed(_) => {}
        }
    }
    Ok(after)
}

/// Whether a subtask moves with its parent: it starts before the new start of the parent, or
/// started together with it.
fn moves_with_parent(child: &IssueDates, (new_start, old_start): (Date, Option<Date>)) -> bool {
    child
        .start
        .is_some_and(|start| start < new_start || Some(start) == old_start)
}

/// Returns the dates with a new start and the same number of working days.
fn start_on(old: &IssueDates, new_start: Date, workdays: &Workdays) -> IssueDates {
    let due = match (old.start, old.due) {
        (Some(start), Some(due)) => {
            Some(workdays.add(new_start, workdays.count_between(start, due)))
        }
        (None, Some(due)) => Some(due.max(new_start)),
        (_, None) => None,
    };
    IssueDates {
        start: Some(new_start),
        due,
        ..*old
    }
}

fn record(
    db: &mut Write<'_>,
    user: UserId,
    old: &IssueDates,
    new: &IssueDates,
) -> Result<(), StoreError> {
    let dates = [
        ("due_date", old.due, new.due),
        ("start_date", old.start, new.start),
    ];
    let changed = dates.into_iter().filter(|(_, old, new)| old != new);
    let details = changed
        .map(|(name, old, new)| JournalDetail {
            property: "attr".to_owned(),
            name: name.to_owned(),
            old_value: to_text(old),
            new_value: to_text(new),
        })
        .collect();
    let journal = Journal {
        issue: new.id,
        user,
        notes: Some(String::new()),
        created_on: db.now(),
        details,
        ..Journal::default()
    };
    notices::record_journal(db, &journal).map(drop)
}

fn to_text(date: Option<Date>) -> Option<String> {
    date.map(|date| date.to_string())
}
