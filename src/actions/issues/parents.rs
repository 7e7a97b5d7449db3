//! Parent issues and subtasks: attributes derived from subtasks, and which issue can be a subtask
//! of which (compatibility 6.6).

use super::watching;
use crate::notices;
use crate::prelude::*;
use quarry_domain::access::visibility;
use quarry_domain::administration::enumeration::EnumerationKind;
use quarry_domain::administration::setting::Setting;
use quarry_domain::issues::issue::Issue;
use quarry_domain::issues::journal::{Journal, JournalDetail};
use quarry_domain::issues::relation::RelationType;
use quarry_store::issues;
use quarry_store::issues::subtasks::ChildSummary;
use quarry_store::issues::{relations, subtasks};
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of ancestors whose attributes are derived.
const MAX_LEVELS: usize = 1000;

/// The attributes of an issue that are derived from its subtasks and cannot be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Start and due date.
    pub dates: bool,
    pub priority: bool,
    pub done_ratio: bool,
}

impl Derived {
    /// Returns the derived attributes of the issue; none if it has no subtasks.
    pub fn for_issue(db: &Read<'_>, issue: IssueId) -> Result<Derived, StoreError> {
        if !subtasks::has_children(db, issue)? {
            return Ok(Derived::default());
        }
        Ok(Derived::by_settings(db.catalogue()))
    }

    fn by_settings(catalogue: &Catalogue) -> Derived {
        Derived {
            dates: catalogue.setting(Setting::ParentIssueDates) == "derived",
            priority: catalogue.setting(Setting::ParentIssuePriority) == "derived",
            done_ratio: catalogue.setting(Setting::ParentIssueDoneRatio) == "derived",
        }
    }
}

/// Whether `parent` can be the parent of the issue: the viewer can see it, it is not the issue or a
/// subtask of it, the setting allows it for their projects, and no relation makes one wait for the
/// other (compatibility 6.8).
pub fn can_be_parent(
    db: &Read<'_>,
    viewer: &Viewer,
    parent: IssueId,
    issue: &Issue,
) -> Result<bool, StoreError> {
    let Some(parent_issue) = issues::find(db, visibility::issues(viewer), parent)? else {
        return Ok(false);
    };
    if parent == issue.id || (issue.id.0 != 0 && subtasks::is_ancestor(db, issue.id, parent)?) {
        return Ok(false);
    }
    Ok(
        may_be_subtask(db.catalogue(), parent_issue.project, issue.project)
            && !depend_on_each_other(db, parent, issue.id)?,
    )
}

/// Whether the parent or an ancestor of it precedes, follows, blocks or is blocked by the issue or
/// a subtask of it.
fn depend_on_each_other(
    db: &Read<'_>,
    parent: IssueId,
    issue: IssueId,
) -> Result<bool, StoreError> {
    if issue.0 == 0 {
        return Ok(false);
    }
    let mut upper: Vec<i64> = subtasks::ancestors(db, parent)?
        .into_iter()
        .map(|id| id.0)
        .collect();
    upper.push(parent.0);
    let mut lower: HashSet<IssueId> = subtasks::descendants(db, issue)?.into_iter().collect();
    lower.insert(issue);
    let mut relations = relations::list(db, &upper)?
        .into_iter()
        .filter(|relation| matches!(relation.kind, RelationType::Precedes | RelationType::Blocks));
    Ok(relations.any(|relation| lower.contains(&relation.from) || lower.contains(&relation.to)))
}

/// Whether issues of the project `child` may be subtasks of issues of the project `parent`, by the
/// setting `cross_project_subtasks`.
pub fn may_be_subtask(catalogue: &Catalogue, parent: ProjectId, child: ProjectId) -> bool {
    parent == child
        || match catalogue.setting(Setting::CrossProjectSubtasks) {
            "system" => true,
            "tree" => catalogue.root(parent) == catalogue.root(child),
            "hierarchy" => is_below(catalogue, parent, child) || is_below(catalogue, child, parent),
            "descendants" => is_below(catalogue, parent, child),
            _ => false,
        }
}

fn is_below(catalogue: &Catalogue, ancestor: ProjectId, project: ProjectId) -> bool {
    catalogue.ancestors(project).contains(&ancestor)
}

/// Whether the issue is open and its parent closed.
pub fn is_open_below_closed(db: &Read<'_>, issue: &Issue) -> Result<bool, StoreError> {
    let Some(parent) = issue.parent else {
        return Ok(false);
    };
    let parent = issues::find_any(db, parent)?;
    Ok(!db.catalogue().is_closed(issue.status)
        && parent.is_some_and(|parent| db.catalogue().is_closed(parent.status)))
}

/// Records in the histories of the old and the new parent that the issue was removed or added
/// (compatibility 6.2).
pub fn record_move(
    db: &mut Write<'_>,
    viewer: &Viewer,
    user: UserId,
    issue: IssueId,
    (from, to): (Option<IssueId>, Option<IssueId>),
) -> Result<(), ActionError> {
    if from == to {
        return Ok(());
    }
    let removed = Some(issue.to_string());
    let added = Some(issue.to_string());
    for (parent, old_value, new_value) in [(from, removed, None), (to, None, added)] {
        let Some(parent) = parent else { continue };
        let detail = JournalDetail {
            property: "attr".to_owned(),
            name: "child_id".to_owned(),
            old_value,
            new_value,
        };
        let journal = Journal {
            issue: parent,
            user,
            notes: Some(String::new()),
            created_on: db.now(),
            details: vec![detail],
            ..Journal::default()
        };
        if let Some(parent) = issues::find_any(db, parent)? {
            watching::add_contributor(db, viewer, &parent)?;
        }
        notices::record_journal(db, &journal)?;
    }
    Ok(())
}

/// Deletes the relations of the issue and its subtasks to issues that are now above them, without
/// an entry in the histories (compatibility 6.5).
pub fn delete_invalid_relations(db: &mut Write<'_>, issue: IssueId) -> Result<(), StoreError> {
    let upper: HashSet<IssueId> = subtasks::ancestors(db, issue)?.into_iter().collect();
    if upper.is_empty() {
        return Ok(());
    }
    let mut lower: Vec<i64> = subtasks::descendants(db, issue)?
        .into_iter()
        .map(|id| id.0)
        .collect();
    lower.push(issue.0);
    for relation in relations::list(db, &lower)? {
        if upper.contains(&relation.from) || upper.contains(&relation.to) {
            relations::delete(db, relation.id)?;
        }
    }
    Ok(())
}

/// How many ancestors to derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of them, because hours or the tree may have changed.
    All,
    /// Up to the first whose attributes stay the same.
    UntilUnchanged,
}

/// Derives the attributes of this issue and its ancestors from their subtasks, without an entry in
/// their histories (compatibility 6.2).
pub fn derive_upward(
    db: &mut Write<'_>,
    start: Option<IssueId>,
    extent: Extent,
) -> Result<(), ActionError> {
    let catalogue = Arc::clone(db.catalogue());
    let derived = Derived::by_settings(&catalogue);
    if derived == Derived::default() {
        return Ok(());
    }
    let mut current = start;
    let mut child_hours = None;
    for _ in 0..MAX_LEVELS {
        let Some(id) = current else { return Ok(()) };
        let Some(before) = issues::find_any(db, id)? else {
            return Ok(());
        };
        let children = subtasks::child_summaries(db, id, child_hours)?;
        let after = derive(&catalogue, derived, &before, &children);
        if after != before {
            issues::update(
                db,
                &Issue {
                    updated_on: db.now(),
                    ..after
                },
            )?;
        } else if extent == Extent::UntilUnchanged {
            return Ok(());
        }
        // The sum of this subtree is not computed again for the next ancestor.
        let hours = children
            .iter()
            .filter_map(|child| child.estimated)
            .chain(before.estimated_hours);
        child_hours = Some((id, hours.reduce(|sum, hours| sum + hours)));
        current = before.parent;
    }
    Ok(())
}

/// Returns the issue with the attributes derived from its subtasks.
fn derive(
    catalogue: &Catalogue,
    derived: Derived,
    issue: &Issue,
    children: &[ChildSummary],
) -> Issue {
    let mut after = issue.clone();
    if children.is_empty() {
        return after;
    }
    if derived.priority {
        let open = children
            .iter()
            .filter(|child| !catalogue.is_closed(child.status));
        let highest = open
            .filter_map(|child| catalogue.enumeration(child.priority))
            .max_by_key(|priority| priority.position);
        let priority =
            highest.or_else(|| catalogue.default_enumeration(EnumerationKind::IssuePriority));
        after.priority = priority.map_or(issue.priority, |priority| priority.id);
    }
    if derived.dates {
        after.start_date = children.iter().filter_map(|child| child.start_date).min();
        after.due_date = children.iter().filter_map(|child| child.due_date).max();
    }
    let by_status = catalogue.setting(Setting::IssueDoneRatio) == "issue_status"
        && catalogue
            .status(issue.status)
            .is_some_and(|status| status.default_done_ratio.is_some());
    if derived.done_ratio && !by_status {
        after.done_ratio = average(children, |child| catalogue.is_closed(child.status));
    }
    after
}

/// Returns the average done ratio of the subtasks, weighted by their estimated hours including
/// their own subtasks, rounded down. A subtask without an estimate has the average weight of the
/// others; a closed one counts as 100 %.
fn average(children: &[ChildSummary], is_closed: impl Fn(&ChildSummary) -> bool) -> i64 {
    let estimates: Vec<f64> = children
        .iter()
        .filter_map(|child| child.estimated)
        .filter(|hours| *hours > 0.0)
        .collect();
    let default_weight = if estimates.is_empty() {
        1.0
    } else {
        estimates.iter().sum::<f64>() / estimates.len() as f64
    };
    let weight = |child: &ChildSummary| {
        child
            .estimated
            .filter(|hours| *hours > 0.0)
            .unwrap_or(default_weight)
    };
    let done: f64 = children
        .iter()
        .map(|child| {
            weight(child)
                * if is_closed(child) {
                    100.0
                } else {
                    child.done_ratio as f64
                }
        })
        .sum();
    let total: f64 = children.iter().map(weight).sum();
    // Compensates for rounding errors of the sums.
    (done / total + 1e-9).floor().clamp(0.0, 100.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(estimated: Option<f64>, done_ratio: i64) -> ChildSummary {
        ChildSummary {
            status: 1.into(),
            priority: 1.into(),
            start_date: None,
            due_date: None,
            done_ratio,
            estimated,
        }
    }

    #[test]
    fn done_ratio_is_weighted_and_rounded_down() {
        assert_eq!(
            average(&[child(Some(4.0), 100), child(Some(2.0), 0)], never_closed),
            66
        );
        assert_eq!(
            average(
                &[child(None, 50), child(None, 0), child(None, 0)],
                never_closed
            ),
            16
        );
        assert_eq!(
            average(&[child(Some(10.0), 100), child(None, 0)], never_closed),
            50
        );
        assert_eq!(
            average(&[child(None, 0), child(None, 0)], |child| child
                .estimated
                .is_none()),
            100
        );
    }

    fn never_closed(_: &ChildSummary) -> bool {
        false
    }
}
