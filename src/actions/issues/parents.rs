//! Issues and the issues of which they are parts: what follows from the parts, and what can be a part of what (compatibility 6.6).

use crate::actions::ActionError;
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::clock::Clock;
use crate::domain::ids::{IssueId, ProjectId, UserId};
use crate::domain::issue::Issue;
use crate::domain::relation::{Relation, RelationType};
use crate::domain::setting::Setting;
use crate::domain::viewer::Viewer;
use crate::domain::visibility;
use crate::store::journals::{Detail, NewJournal};
use crate::store::subtasks::ChildSummary;
use crate::store::{Read, StoreError, Write, issues, journals, relations, subtasks};
use std::collections::HashSet;
use std::sync::Arc;

/// How far up what follows from parts is worked out, in levels.
const HIGHEST: usize = 1000;

/// Which attributes of an issue follow from its parts and cannot be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Start and due date.
    pub dates: bool,
    /// The priority.
    pub priority: bool,
    /// The done ratio.
    pub done_ratio: bool,
}

impl Derived {
    /// What follows for the issue; nothing when it has no parts.
    pub fn of(db: &Read<'_>, issue: IssueId) -> Result<Derived, StoreError> {
        if !subtasks::has_children(db, issue)? {
            return Ok(Derived::default());
        }
        Ok(Derived::by_settings(db.catalogue()))
    }

    fn by_settings(catalogue: &Catalogue) -> Derived {
        let is_derived = |setting| catalogue.setting(setting) == "derived";
        Derived {
            dates: is_derived(Setting::ParentIssueDates),
            priority: is_derived(Setting::ParentIssuePriority),
            done_ratio: is_derived(Setting::ParentIssueDoneRatio),
        }
    }
}

/// Whether the issue with this number can be the parent: the viewer sees it, it is not the issue itself or below it, parts of it may
/// be in the issue's project, and the whole would not come to wait for its parts or they for it (compatibility 6.8).
pub fn can_be_above(db: &Read<'_>, viewer: &Viewer, parent: IssueId, issue: &Issue) -> Result<bool, StoreError> {
    let Some(found) = issues::find(db, visibility::issues(viewer), parent)? else { return Ok(false) };
    if parent == issue.id || (issue.id.0 != 0 && subtasks::is_ancestor(db, issue.id, parent)?) {
        return Ok(false);
    }
    Ok(may_be_below(db.catalogue(), found.project, issue.project) && !wait_for_each_other(db, parent, issue.id)?)
}

/// Whether the parent or something above it must come before or after the issue or something below it.
fn wait_for_each_other(db: &Read<'_>, parent: IssueId, issue: IssueId) -> Result<bool, StoreError> {
    if issue.0 == 0 {
        return Ok(false);
    }
    let mut upper: Vec<i64> = subtasks::ancestors(db, parent)?.into_iter().map(|id| id.0).collect();
    upper.push(parent.0);
    let mut lower: HashSet<IssueId> = subtasks::descendants(db, issue)?.into_iter().collect();
    lower.insert(issue);
    let orders = |relation: &Relation| matches!(relation.kind, RelationType::Precedes | RelationType::Blocks);
    let mut relations = relations::list(db, &upper)?.into_iter().filter(orders);
    Ok(relations.any(|relation| lower.contains(&relation.from) || lower.contains(&relation.to)))
}

/// Whether issues of the one project may be parts of issues of the other, by the setting `cross_project_subtasks`.
pub fn may_be_below(catalogue: &Catalogue, parent: ProjectId, part: ProjectId) -> bool {
    let below = |upper, lower| catalogue.ancestors(lower).contains(&upper);
    parent == part
        || match catalogue.setting(Setting::CrossProjectSubtasks) {
            "system" => true,
            "tree" => catalogue.root(parent) == catalogue.root(part),
            "hierarchy" => below(parent, part) || below(part, parent),
            "descendants" => below(parent, part),
            _ => false,
        }
}

/// Whether the issue is open and the issue of which it is a part closed.
pub fn is_open_below_closed(db: &Read<'_>, issue: &Issue) -> Result<bool, StoreError> {
    let Some(parent) = issue.parent else { return Ok(false) };
    let is_closed = |id| db.catalogue().status(id).is_some_and(|status| status.is_closed);
    let parent = issues::find_any(db, parent)?;
    Ok(!is_closed(issue.status) && parent.is_some_and(|parent| is_closed(parent.status)))
}

/// Says in the history of both parents that the issue came or went (compatibility 6.2).
pub fn record_move(
    db: &mut Write<'_>,
    user: UserId,
    issue: IssueId,
    from: Option<IssueId>,
    to: Option<IssueId>,
    clock: &dyn Clock,
) -> Result<(), ActionError> {
    if from == to {
        return Ok(());
    }
    let (gone, come) = (Some(issue.to_string()), Some(issue.to_string()));
    for (parent, old_value, new_value) in [(from, gone, None), (to, None, come)] {
        let Some(parent) = parent else { continue };
        let detail = Detail { property: "attr", name: "child_id".into(), old_value, new_value };
        let (created_on, details) = (clock.now(), [detail]);
        journals::insert(db, &NewJournal { issue: parent, user, notes: Some(""), private: false, created_on, details: &details })?;
    }
    Ok(())
}

/// How far up it is to be worked out what follows from parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the top: hours may be others, or what is below whom.
    Top,
    /// To the first issue for which nothing else follows than before.
    Needed,
}

/// Derives the attributes of this issue and its ancestors from their subtasks, without an entry in their histories (compatibility 6.2).
pub fn derive_upward(db: &mut Write<'_>, start: Option<IssueId>, reach: Reach, clock: &dyn Clock) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let derived = Derived::by_settings(&catalogue);
    if derived == Derived::default() {
        return Ok(());
    }
    let (mut next, mut known) = (start, None);
    for _ in 0..HIGHEST {
        let Some(id) = next else { return Ok(()) };
        let Some(before) = issues::find_any(db, id)? else { return Ok(()) };
        let parts = subtasks::child_summaries(db, id, known)?;
        let after = followed(&catalogue, derived, &before, &parts);
        let same = after == before;
        if !same {
            issues::update(db, &Issue { updated_on: clock.now(), ..after })?;
        } else if reach == Reach::Needed {
            return Ok(());
        }
        // Read once, whatever is above.
        let hours = parts.iter().filter_map(|part| part.estimated).chain(before.estimated_hours);
        known = Some((id, hours.reduce(|one, other| one + other)));
        next = before.parent;
    }
    Ok(())
}

/// The issue with what follows from its parts.
fn followed(catalogue: &Catalogue, derived: Derived, issue: &Issue, parts: &[ChildSummary]) -> Issue {
    let mut after = issue.clone();
    if parts.is_empty() {
        return after;
    }
    let is_closed = |part: &ChildSummary| catalogue.status(part.status).is_some_and(|status| status.is_closed);
    if derived.priority {
        let open = parts.iter().filter(|part| !is_closed(part));
        let highest = open.filter_map(|part| catalogue.enumeration(part.priority)).max_by_key(|priority| priority.position);
        let found = highest.or_else(|| catalogue.default_enumeration(EnumerationKind::IssuePriority));
        after.priority = found.map_or(issue.priority, |priority| priority.id);
    }
    if derived.dates {
        after.start_date = parts.iter().filter_map(|part| part.start_date).min();
        after.due_date = parts.iter().filter_map(|part| part.due_date).max();
    }
    let by_status = catalogue.setting(Setting::IssueDoneRatio) == "issue_status"
        && catalogue.status(issue.status).is_some_and(|status| status.default_done_ratio.is_some());
    if derived.done_ratio && !by_status {
        after.done_ratio = average(parts, is_closed);
    }
    after
}

/// The done ratio of an issue with these parts: their average, weighted by estimated hours with everything below them. A part
/// without an estimate weighs as the average of the others; a closed one counts as done. Rounded down.
fn average(parts: &[ChildSummary], is_closed: impl Fn(&ChildSummary) -> bool) -> i64 {
    let estimates: Vec<f64> = parts.iter().filter_map(|part| part.estimated).filter(|hours| *hours > 0.0).collect();
    let usual = if estimates.is_empty() { 1.0 } else { estimates.iter().sum::<f64>() / estimates.len() as f64 };
    let weight = |part: &ChildSummary| part.estimated.filter(|hours| *hours > 0.0).unwrap_or(usual);
    let done: f64 = parts.iter().map(|part| weight(part) * if is_closed(part) { 100.0 } else { part.done_ratio as f64 }).sum();
    let all: f64 = parts.iter().map(weight).sum();
    // A sum of fractions may fall short of a whole number by less than any estimate says.
    (done / all + 1e-9).floor().clamp(0.0, 100.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(estimated: Option<f64>, done_ratio: i64) -> ChildSummary {
        ChildSummary { status: 1.into(), priority: 1.into(), start_date: None, due_date: None, done_ratio, estimated }
    }

    #[test]
    fn the_done_ratio_is_weighted_and_rounded_down() {
        let open = |_: &ChildSummary| false;
        assert_eq!(average(&[part(Some(4.0), 100), part(Some(2.0), 0)], open), 66);
        assert_eq!(average(&[part(None, 50), part(None, 0), part(None, 0)], open), 16);
        assert_eq!(average(&[part(Some(10.0), 100), part(None, 0)], open), 50);
        assert_eq!(average(&[part(None, 0), part(None, 0)], |part| part.estimated.is_none()), 100);
    }
}
