//! Changes of the workflow before they are saved: cell by cell, as the matrices show it.

use super::workflow::{Involvement, Rule, Transition};
use crate::catalogue::Catalogue;
use crate::ids::{RoleId, StatusId, TrackerId};
use strum::{EnumString, IntoStaticStr};

/// Who may do a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TransitionKind {
    /// Everybody with the role.
    Everybody,
    /// The author of the issue.
    Author,
    /// The assignee of the issue.
    Assignee,
}

impl TransitionKind {
    /// All kinds.
    pub const ALL: [TransitionKind; 3] = [Self::Everybody, Self::Author, Self::Assignee];

    /// Returns the name in forms.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the transition is of this kind. One for the author or the assignee is of both.
    fn includes(self, transition: &Transition) -> bool {
        match self {
            Self::Everybody => !transition.author && !transition.assignee,
            Self::Author => transition.author,
            Self::Assignee => transition.assignee,
        }
    }

    /// Returns the relation to an issue of the people of this kind and no other.
    pub fn involvement(self) -> Involvement {
        Involvement {
            author: self == Self::Author,
            assignee: self == Self::Assignee,
        }
    }
}

/// A cell of a matrix of transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionCell {
    pub kind: TransitionKind,
    /// The old status; `None` for a new issue.
    pub from: Option<StatusId>,
    pub to: StatusId,
}

/// A cell of the matrix of field rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleCell {
    pub status: StatusId,
    /// The name of a core field, or the id of a custom field.
    pub field: String,
}

/// The workflow of one tracker and one role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleWorkflow {
    /// The permitted transitions, each with the status that it starts from.
    pub transitions: Vec<(Option<StatusId>, Transition)>,
    /// The rules about fields.
    pub rules: Vec<(StatusId, String, Rule)>,
}

impl RoleWorkflow {
    /// Returns the workflow as it is stored.
    pub fn stored(catalogue: &Catalogue, tracker: TrackerId, role: RoleId) -> RoleWorkflow {
        let rules = catalogue.field_rules.rules(tracker, role).into_iter();
        RoleWorkflow {
            transitions: catalogue.workflow.transitions(tracker, role),
            rules: rules
                .map(|(status, field, rule)| (status, field.to_owned(), rule))
                .collect(),
        }
    }

    /// Whether a transition is permitted.
    pub fn permits(&self, cell: TransitionCell) -> bool {
        self.transitions.iter().any(|(from, transition)| {
            *from == cell.from && transition.to == cell.to && cell.kind.includes(transition)
        })
    }

    /// Permits a transition, or no longer.
    pub fn set_transition(&mut self, cell: TransitionCell, is_permitted: bool) {
        if self.permits(cell) == is_permitted {
            return;
        }
        let of_kind = (
            cell.from,
            Transition {
                to: cell.to,
                author: cell.kind == TransitionKind::Author,
                assignee: cell.kind == TransitionKind::Assignee,
            },
        );
        if is_permitted {
            self.transitions.push(of_kind);
            return;
        }
        // Imported transitions can be for the author and the assignee at once.
        let for_both = (
            cell.from,
            Transition {
                to: cell.to,
                author: true,
                assignee: true,
            },
        );
        let was_for_both = self.transitions.contains(&for_both);
        self.transitions
            .retain(|entry| *entry != of_kind && (!was_for_both || *entry != for_both));
        if was_for_both {
            let other = if cell.kind == TransitionKind::Author {
                TransitionKind::Assignee
            } else {
                TransitionKind::Author
            };
            self.set_transition(
                TransitionCell {
                    kind: other,
                    ..cell
                },
                true,
            );
        }
    }

    /// Returns the rule about a field in a status.
    pub fn rule(&self, cell: &RuleCell) -> Option<Rule> {
        let mut rules = self.rules.iter();
        rules
            .find(|(status, field, _)| *status == cell.status && *field == cell.field)
            .map(|(_, _, rule)| *rule)
    }

    /// Changes the rule about a field in a status.
    pub fn set_rule(&mut self, cell: &RuleCell, rule: Option<Rule>) {
        if self.rule(cell) == rule {
            return;
        }
        self.rules
            .retain(|(status, field, _)| *status != cell.status || *field != cell.field);
        self.rules
            .extend(rule.map(|rule| (cell.status, cell.field.clone(), rule)));
    }

    /// Returns the statuses that may follow `from`.
    pub fn next_statuses(&self, from: StatusId, involvement: Involvement) -> Vec<StatusId> {
        let transitions = self.transitions.iter().filter(|(start, transition)| {
            *start == Some(from) && transition.to != from && transition.is_permitted(involvement)
        });
        transitions.map(|(_, transition)| transition.to).collect()
    }

    /// Returns the transitions that only this workflow has.
    pub fn transitions_without(&self, other: &RoleWorkflow) -> Vec<TransitionCell> {
        let mut cells: Vec<TransitionCell> = self
            .transitions
            .iter()
            .flat_map(|(from, transition)| {
                TransitionKind::ALL
                    .into_iter()
                    .filter(|kind| kind.includes(transition))
                    .map(|kind| TransitionCell {
                        kind,
                        from: *from,
                        to: transition.to,
                    })
            })
            .filter(|cell| !other.permits(*cell))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// The workflow of a tracker and a role before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedWorkflow {
    pub tracker: TrackerId,
    pub role: RoleId,
    pub before: RoleWorkflow,
    pub after: RoleWorkflow,
}

impl PlannedWorkflow {
    /// Whether something changes.
    pub fn is_changed(&self) -> bool {
        self.transitions_changed() || !self.changed_rules().is_empty()
    }

    /// Whether transitions change.
    pub fn transitions_changed(&self) -> bool {
        let lost = self.before.transitions_without(&self.after);
        !lost.is_empty() || !self.after.transitions_without(&self.before).is_empty()
    }

    /// Returns the cells whose rule changes, with the new one.
    pub fn changed_rules(&self) -> Vec<(RuleCell, Option<Rule>)> {
        let rules = self.before.rules.iter().chain(&self.after.rules);
        let mut cells: Vec<RuleCell> = rules
            .map(|(status, field, _)| RuleCell {
                status: *status,
                field: field.clone(),
            })
            .filter(|cell| self.before.rule(cell) != self.after.rule(cell))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let changed = cells.into_iter();
        changed
            .map(|cell| {
                let rule = self.after.rule(&cell);
                (cell, rule)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(kind: TransitionKind) -> TransitionCell {
        TransitionCell {
            kind,
            from: Some(StatusId(1)),
            to: StatusId(2),
        }
    }

    #[test]
    fn kinds_of_a_transition_are_set_on_their_own() {
        let mut workflow = RoleWorkflow::default();
        for kind in TransitionKind::ALL {
            workflow.set_transition(cell(kind), true);
        }
        assert_eq!(workflow.transitions.len(), 3);
        workflow.set_transition(cell(TransitionKind::Author), false);
        let permitted = TransitionKind::ALL.map(|kind| workflow.permits(cell(kind)));
        assert_eq!(permitted, [true, false, true]);
    }

    #[test]
    fn transition_of_author_and_assignee_stays_for_the_other_one() {
        let both = Transition {
            to: StatusId(2),
            author: true,
            assignee: true,
        };
        let mut workflow = RoleWorkflow {
            transitions: vec![(Some(StatusId(1)), both)],
            rules: Vec::new(),
        };
        let before = workflow.clone();
        workflow.set_transition(cell(TransitionKind::Author), false);
        assert!(workflow.permits(cell(TransitionKind::Assignee)));
        assert_eq!(
            before.transitions_without(&workflow),
            [cell(TransitionKind::Author)]
        );
    }

    #[test]
    fn rules_are_replaced_and_removed() {
        let mut workflow = RoleWorkflow::default();
        let subject = RuleCell {
            status: StatusId(1),
            field: "subject".to_owned(),
        };
        for rule in [Some(Rule::ReadOnly), Some(Rule::Required), None] {
            workflow.set_rule(&subject, rule);
            assert_eq!(workflow.rule(&subject), rule);
        }
        assert!(workflow.rules.is_empty());
    }
}
