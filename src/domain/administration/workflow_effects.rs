//! What a change of the workflow means for the issues that exist.

use super::workflow::Rule;
use super::workflow_plan::{PlannedWorkflow, RoleWorkflow, TransitionKind};
use crate::catalogue::Catalogue;
use crate::ids::{RoleId, StatusId, TrackerId};
use std::collections::HashMap;

/// What can be done with issues after a change, and could not before, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Open issues can no longer be closed in one step.
    NotClosable,
    /// Open issues can be closed in one step.
    Closable,
    /// The status can no longer be changed.
    Stuck,
    /// The status can be changed.
    Movable,
    /// The rule about a field is another one.
    Field(String, Option<Rule>),
}

/// An effect on the issues of one tracker, for people with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub kind: EffectKind,
    pub role: RoleId,
    pub tracker: TrackerId,
    /// Which of them.
    pub people: TransitionKind,
    /// The statuses of the issues.
    pub statuses: Vec<StatusId>,
    /// Number of issues.
    pub issues: i64,
}

/// Returns the effects of the changes, those on issues that exist. `counts` are the numbers of
/// issues of each tracker and status.
pub fn effects(
    catalogue: &Catalogue,
    plans: &[PlannedWorkflow],
    counts: &HashMap<(TrackerId, StatusId), i64>,
) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::new();
    for plan in plans {
        let mut add = |kind, people, status| {
            let issues = counts.get(&(plan.tracker, status)).copied().unwrap_or(0);
            if issues == 0 {
                return;
            }
            let known = effects.iter_mut().find(|effect| {
                (&effect.kind, effect.people) == (&kind, people)
                    && (effect.role, effect.tracker) == (plan.role, plan.tracker)
            });
            match known {
                Some(effect) => {
                    effect.statuses.push(status);
                    effect.issues += issues;
                }
                None => effects.push(Effect {
                    kind,
                    role: plan.role,
                    tracker: plan.tracker,
                    people,
                    statuses: vec![status],
                    issues,
                }),
            }
        };
        for status in &catalogue.statuses {
            let steps = |workflow: &RoleWorkflow, people: TransitionKind| {
                let next = workflow.next_statuses(status.id, people.involvement());
                let closes = next.iter().any(|next| catalogue.is_closed(*next));
                (!next.is_empty(), closes && !status.is_closed)
            };
            let of_everybody = (
                steps(&plan.before, TransitionKind::Everybody),
                steps(&plan.after, TransitionKind::Everybody),
            );
            for people in TransitionKind::ALL {
                let before = steps(&plan.before, people);
                let after = steps(&plan.after, people);
                // Authors and assignees are mentioned where they differ from the others.
                if people != TransitionKind::Everybody && (before, after) == of_everybody {
                    continue;
                }
                match (before.1, after.1) {
                    (true, false) => add(EffectKind::NotClosable, people, status.id),
                    (false, true) => add(EffectKind::Closable, people, status.id),
                    _ => {}
                }
                match (before.0, after.0) {
                    (true, false) => add(EffectKind::Stuck, people, status.id),
                    (false, true) => add(EffectKind::Movable, people, status.id),
                    _ => {}
                }
            }
        }
        for (cell, rule) in plan.changed_rules() {
            let kind = EffectKind::Field(cell.field, rule);
            add(kind, TransitionKind::Everybody, cell.status);
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::super::issue_status::IssueStatus;
    use super::super::workflow_plan::TransitionCell;
    use super::*;

    #[test]
    fn lost_way_to_a_closed_status_is_an_effect_on_open_issues() {
        let status = |id, is_closed| IssueStatus {
            id: StatusId(id),
            is_closed,
            ..IssueStatus::default()
        };
        let catalogue = Catalogue {
            statuses: vec![status(1, false), status(2, false), status(5, true)],
            ..Catalogue::default()
        };
        let mut before = RoleWorkflow::default();
        let step = |kind, from, to| TransitionCell {
            kind,
            from: Some(StatusId(from)),
            to: StatusId(to),
        };
        for (from, to) in [(1, 2), (1, 5), (2, 5)] {
            before.set_transition(step(TransitionKind::Everybody, from, to), true);
        }
        let mut after = before.clone();
        after.set_transition(step(TransitionKind::Everybody, 1, 5), false);
        after.set_transition(step(TransitionKind::Everybody, 2, 5), false);
        after.set_transition(step(TransitionKind::Author, 1, 5), true);
        let plan = PlannedWorkflow {
            tracker: TrackerId(1),
            role: RoleId(4),
            before,
            after,
        };
        let counts = HashMap::from([
            ((TrackerId(1), StatusId(1)), 20),
            ((TrackerId(1), StatusId(2)), 3),
            ((TrackerId(2), StatusId(2)), 7),
        ]);
        let effects = effects(&catalogue, &[plan], &counts);
        let found: Vec<_> = effects
            .iter()
            .map(|effect| (&effect.kind, effect.people, effect.issues))
            .collect();
        assert_eq!(
            found,
            [
                (&EffectKind::NotClosable, TransitionKind::Everybody, 23),
                (&EffectKind::Stuck, TransitionKind::Everybody, 3),
            ]
        );
    }
}
