//! What begins when something else is done moves with it (compatibility 6.6).
//!
//! Two things are told apart: that an issue *is moved*, which moves its subtasks too, and that its dates *are others*, which
//! makes those of its parent others (they follow from the subtasks) and moves what waits for it. Every issue is looked at once
//! for each, so that no chain is too long and no circle goes on for ever.

use crate::domain::clock::Clock;
use crate::domain::ids::{IssueId, UserId};
use crate::domain::issue::Issue;
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::domain::workdays::Workdays;
use crate::store::journals::{Detail, NewJournal};
use crate::store::schedule::{self, IssueDates, Precedence};
use crate::store::{Read, StoreError, Write, journals};
use jiff::civil::Date;
use std::collections::{HashMap, HashSet, VecDeque};

/// An issue in one of the two roles that it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// It is moved.
    Moved(IssueId),
    /// Its dates are others.
    Changed(IssueId),
}

/// Which step leads to which.
#[derive(Default)]
struct Graph {
    edges: HashMap<Step, Vec<Step>>,
    seen: HashSet<Step>,
    moved: HashSet<IssueId>,
    parents: HashSet<IssueId>,
}

impl Graph {
    /// Everything to which this step leads.
    fn from(db: &Read<'_>, first: Step) -> Result<Graph, StoreError> {
        let mut graph = Graph::default();
        let derived = db.catalogue().setting(Setting::ParentIssueDates) == "derived";
        let mut next = vec![first];
        graph.seen.insert(first);
        while !next.is_empty() {
            let moved: Vec<IssueId> = next.iter().filter_map(|step| if let Step::Moved(id) = step { Some(*id) } else { None }).collect();
            let changed: Vec<IssueId> =
                next.iter().filter_map(|step| if let Step::Changed(id) = step { Some(*id) } else { None }).collect();
            next.clear();
            graph.moved.extend(&moved);
            let mut steps: Vec<(Step, Step)> = Vec::new();
            let below = if derived { schedule::children(db, &moved)? } else { Vec::new() };
            graph.parents.extend(below.iter().filter_map(|child| child.parent));
            steps.extend(below.iter().filter_map(|child| Some((Step::Moved(child.parent?), Step::Moved(child.id)))));
            let leaves = moved.iter().filter(|id| !graph.parents.contains(id));
            steps.extend(leaves.map(|id| (Step::Moved(*id), Step::Changed(*id))));
            let above = if derived { schedule::list(db, &changed)? } else { Vec::new() };
            steps.extend(above.iter().filter_map(|child| Some((Step::Changed(child.id), Step::Changed(child.parent?)))));
            let waiting = schedule::successors(db, &changed)?;
            steps.extend(waiting.iter().map(|wait| (Step::Changed(wait.before), Step::Moved(wait.after))));
            for (from, to) in steps {
                graph.edges.entry(from).or_default().push(to);
                if graph.seen.insert(to) {
                    next.push(to);
                }
            }
        }
        Ok(graph)
    }

    /// The steps, each after all that lead to it. Those of a circle, and what hangs on them, are left out.
    fn in_order(&self, first: Step) -> Vec<Step> {
        let mut waits: HashMap<Step, usize> = HashMap::new();
        for to in self.edges.values().flatten() {
            *waits.entry(*to).or_default() += 1;
        }
        let (mut ready, mut done) = (VecDeque::from([first]), HashSet::new());
        let mut order = Vec::new();
        while let Some(step) = ready.pop_front() {
            // A circle through the first step leads to it again.
            if !done.insert(step) {
                continue;
            }
            order.push(step);
            for to in self.edges.get(&step).into_iter().flatten() {
                let left = waits.entry(*to).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 {
                    ready.push_back(*to);
                }
            }
        }
        order
    }
}

/// Whether moving the one issue would move the other: then the one cannot begin after the other.
pub(in crate::actions) fn moves(db: &Read<'_>, one: IssueId, other: IssueId) -> Result<bool, StoreError> {
    let graph = Graph::from(db, Step::Moved(one))?;
    Ok(graph.seen.contains(&Step::Moved(other)) || graph.seen.contains(&Step::Changed(other)))
}

/// The earliest day on which the issue can begin because of what it, or an issue above it, waits for; `None` when it can begin
/// at any time.
pub fn soonest_start(db: &Read<'_>, issue: &Issue) -> Result<Option<Date>, StoreError> {
    let mut line = vec![issue.id];
    let mut next = issue.parent;
    let derived = db.catalogue().setting(Setting::ParentIssueDates) == "derived";
    while let Some(id) = next.filter(|id| derived && !line.contains(id)) {
        line.push(id);
        next = schedule::list(db, &[id])?.first().and_then(|above| above.parent);
    }
    let waits = schedule::predecessors(db, &line)?;
    let before: Vec<IssueId> = waits.iter().map(|wait| wait.before).collect();
    let dates = schedule::list(db, &before)?.into_iter().map(|planned| (planned.id, planned)).collect();
    Ok(waits.iter().filter_map(|wait| earliest(wait, &dates, &db.catalogue().workdays())).max())
}

/// The day after the end of what comes first, so many working days later; nothing when that has no dates.
fn earliest(wait: &Precedence, dates: &HashMap<IssueId, IssueDates>, workdays: &Workdays) -> Option<Date> {
    let before = dates.get(&wait.before)?;
    let end = before.due.or(before.start)?;
    Some(workdays.on_or_after(workdays.add(end, wait.delay.saturating_add(1))))
}

/// Moves what waits for the issue to where it can begin, what waits for that, and so on; each with its entry in the history.
/// To be called when the dates of an issue are others, or something new waits for it. What was moved, by number.
pub fn follow(db: &mut Write<'_>, viewer: &Viewer, issue: IssueId, clock: &dyn Clock) -> Result<Vec<IssueId>, StoreError> {
    let Some(user) = viewer.author_id(db.catalogue()) else { return Ok(Vec::new()) };
    let first = Step::Changed(issue);
    let graph = Graph::from(db, first)?;
    if graph.moved.is_empty() {
        return Ok(Vec::new());
    }
    let before = dates(db, &graph)?;
    let after = planned(db, &graph, &graph.in_order(first), issue, &before)?;
    let mut moved: Vec<&IssueDates> = after.values().filter(|planned| before.get(&planned.id) != Some(planned)).collect();
    moved.sort_by_key(|planned| planned.id);
    for planned in &moved {
        schedule::update(db, planned, clock.now())?;
        // Values derived from subtasks are not in the history (compatibility 6.2).
        if let Some(old) = before.get(&planned.id).filter(|old| graph.moved.contains(&old.id) && !graph.parents.contains(&old.id)) {
            note(db, user, old, planned, clock)?;
        }
    }
    Ok(moved.iter().map(|planned| planned.id).collect())
}

/// The dates of everything that has to do with the steps: what is moved or changed, what that waits for, and what is below.
fn dates(db: &Read<'_>, graph: &Graph) -> Result<HashMap<IssueId, IssueDates>, StoreError> {
    let ids: HashSet<IssueId> = graph
        .seen
        .iter()
        .map(|step| match step {
            Step::Moved(id) | Step::Changed(id) => *id,
        })
        .collect();
    let ids: Vec<IssueId> = ids.into_iter().collect();
    let waits: Vec<IssueId> = schedule::predecessors(db, &ids)?.iter().map(|wait| wait.before).collect();
    let known = [schedule::list(db, &ids)?, schedule::list(db, &waits)?, schedule::children(db, &ids)?];
    Ok(known.into_iter().flatten().map(|planned| (planned.id, planned)).collect())
}

/// The dates as they are to be.
fn planned(
    db: &Read<'_>,
    graph: &Graph,
    order: &[Step],
    first: IssueId,
    before: &HashMap<IssueId, IssueDates>,
) -> Result<HashMap<IssueId, IssueDates>, StoreError> {
    let moved: Vec<IssueId> = graph.moved.iter().copied().collect();
    let mut waits: HashMap<IssueId, Vec<Precedence>> = HashMap::new();
    for wait in schedule::predecessors(db, &moved)? {
        waits.entry(wait.after).or_default().push(wait);
    }
    let mut children: HashMap<IssueId, Vec<IssueId>> = HashMap::new();
    for planned in before.values() {
        children.entry(planned.parent.unwrap_or(IssueId(0))).or_default().push(planned.id);
    }
    let workdays = db.catalogue().workdays();
    let mut after = before.clone();
    // The day before which an issue cannot begin because of an issue above it, and since when that one began.
    let mut above: HashMap<IssueId, (Date, Option<Date>)> = HashMap::new();
    for step in order {
        match *step {
            Step::Moved(id) => {
                let own = waits.get(&id).into_iter().flatten().filter_map(|wait| earliest(wait, &after, &workdays)).max();
                let inherited = above.get(&id).copied();
                let Some(now) = after.get(&id).copied() else { continue };
                let day = own.max(inherited.map(|bound| bound.0));
                if graph.parents.contains(&id) {
                    if let Some(day) = day {
                        let below = graph.edges.get(step).into_iter().flatten();
                        above.extend(
                            below.filter_map(|step| if let Step::Moved(child) = step { Some((*child, (day, now.start))) } else { None }),
                        );
                    }
                } else if let Some(day) = day.filter(|_| own.is_some() || inherited.is_some_and(|bound| gives_way(&now, bound))) {
                    after.insert(id, begun(&now, day, &workdays));
                }
            }
            // The issue with which it begins has the dates that it was given.
            Step::Changed(id) if id != first => {
                let below = children.get(&id).into_iter().flatten();
                let below: Vec<IssueDates> = below.filter_map(|child| after.get(child).copied()).collect();
                if let Some(parent) = after.get_mut(&id).filter(|_| !below.is_empty()) {
                    parent.start = below.iter().filter_map(|child| child.start).min();
                    parent.due = below.iter().filter_map(|child| child.due).max();
                }
            }
            Step::Changed(_) => {}
        }
    }
    Ok(after)
}

/// Whether a subtask moves with its parent: it began with it, or too early.
fn gives_way(now: &IssueDates, (day, began): (Date, Option<Date>)) -> bool {
    now.start.is_some_and(|start| start < day || Some(start) == began)
}

/// The issue, begun on this day and taking as many working days as before.
fn begun(now: &IssueDates, day: Date, workdays: &Workdays) -> IssueDates {
    let due = match (now.start, now.due) {
        (Some(start), Some(due)) => Some(workdays.add(day, workdays.count_between(start, due))),
        (None, Some(due)) => Some(due.max(day)),
        (_, None) => None,
    };
    IssueDates { start: Some(day), due, ..*now }
}

fn note(db: &mut Write<'_>, user: UserId, old: &IssueDates, new: &IssueDates, clock: &dyn Clock) -> Result<(), StoreError> {
    let dates = [("due_date", old.due, new.due), ("start_date", old.start, new.start)];
    let text = |date: Option<Date>| date.map(|date| date.to_string());
    let changed = dates.into_iter().filter(|(_, old, new)| old != new);
    let details: Vec<Detail> = changed
        .map(|(name, old, new)| Detail { property: "attr", name: name.into(), old_value: text(old), new_value: text(new) })
        .collect();
    let entry = NewJournal { issue: new.id, user, notes: Some(""), private: false, created_on: clock.now(), details: &details };
    journals::insert(db, &entry).map(drop)
}
