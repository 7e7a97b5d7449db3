//! Permitted status transitions and field rules by tracker and role (compatibility 6.6).

use crate::ids::{RoleId, StatusId, TrackerId};
use crate::values::stable_sort::StableSort;
use std::collections::{HashMap, HashSet};
use strum::{EnumString, IntoStaticStr};

/// A permitted transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The new status.
    pub to: StatusId,
    /// Whether only the author of the issue may do it.
    pub author: bool,
    /// Whether only the assignee may do it.
    pub assignee: bool,
}

impl Transition {
    /// Whether users with this relation to the issue may do it.
    pub fn is_permitted(&self, involvement: Involvement) -> bool {
        (!self.author && !self.assignee)
            || (self.author && involvement.author)
            || (self.assignee && involvement.assignee)
    }
}

/// The relation of the viewer to the issue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Involvement {
    /// Whether the viewer is its author.
    pub author: bool,
    /// Whether it is assigned to the viewer or one of the viewer's groups.
    pub assignee: bool,
}

/// The permitted transitions of all trackers and roles.
#[derive(Clone, Debug, Default)]
pub struct Workflow(HashMap<(TrackerId, RoleId, Option<StatusId>), Vec<Transition>>);

impl Workflow {
    /// Adds a transition. `from` is `None` for a new issue.
    pub fn add(
        &mut self,
        tracker: TrackerId,
        role: RoleId,
        from: Option<StatusId>,
        transition: Transition,
    ) {
        self.0
            .entry((tracker, role, from))
            .or_default()
            .push(transition);
    }

    /// Returns the transitions of the tracker and role with the status that each starts from,
    /// sorted by ids; those of a new issue first.
    pub fn transitions(
        &self,
        tracker: TrackerId,
        role: RoleId,
    ) -> Vec<(Option<StatusId>, Transition)> {
        let entries = self.0.iter().filter(|((entry_tracker, entry_role, _), _)| {
            (*entry_tracker, *entry_role) == (tracker, role)
        });
        let mut transitions: Vec<(Option<StatusId>, Transition)> = entries
            .flat_map(|((_, _, from), transitions)| {
                transitions.iter().map(|transition| (*from, *transition))
            })
            .collect();
        transitions.stable_sort_by_key(|(from, transition)| {
            (*from, transition.to, transition.author, transition.assignee)
        });
        transitions
    }

    /// Returns the statuses that occur in transitions of the tracker.
    pub fn statuses(&self, tracker: TrackerId) -> HashSet<StatusId> {
        let transitions = self
            .0
            .iter()
            .filter(|((from_tracker, _, _), _)| *from_tracker == tracker);
        transitions
            .flat_map(|((_, _, from), transitions)| {
                from.iter()
                    .copied()
                    .chain(transitions.iter().map(|transition| transition.to))
            })
            .collect()
    }

    /// Returns the statuses that may follow `from` for a user with these roles.
    pub fn next_statuses(
        &self,
        tracker: TrackerId,
        roles: &[RoleId],
        from: Option<StatusId>,
        involvement: Involvement,
    ) -> Vec<StatusId> {
        let mut statuses = Vec::new();
        for role in roles {
            for transition in self.0.get(&(tracker, *role, from)).into_iter().flatten() {
                if transition.is_permitted(involvement) && !statuses.contains(&transition.to) {
                    statuses.push(transition.to);
                }
            }
        }
        statuses
    }
}

/// The rule for a field in a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Rule {
    /// The field cannot be changed.
    ReadOnly,
    /// The field must have a value.
    Required,
}

impl Rule {
    /// Returns the stored name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The fields that can be read-only though no tracker can disable them. They always have a value,
/// so they cannot be required.
pub const READ_ONLY_FIELDS: [&str; 4] = ["project_id", "tracker_id", "subject", "is_private"];

/// The field rules by tracker, role and status. Custom fields are named by their id.
#[derive(Clone, Debug, Default)]
pub struct FieldRules(HashMap<(TrackerId, RoleId, StatusId), HashMap<String, Rule>>);

impl FieldRules {
    /// Adds a rule.
    pub fn add(
        &mut self,
        tracker: TrackerId,
        role: RoleId,
        status: StatusId,
        field: String,
        rule: Rule,
    ) {
        self.0
            .entry((tracker, role, status))
            .or_default()
            .insert(field, rule);
    }

    /// Returns the rules of the tracker and role, sorted by status and field.
    pub fn rules(&self, tracker: TrackerId, role: RoleId) -> Vec<(StatusId, &str, Rule)> {
        let entries = self.0.iter().filter(|((entry_tracker, entry_role, _), _)| {
            (*entry_tracker, *entry_role) == (tracker, role)
        });
        let mut rules: Vec<(StatusId, &str, Rule)> = entries
            .flat_map(|((_, _, status), rules)| {
                rules
                    .iter()
                    .map(|(field, rule)| (*status, field.as_str(), *rule))
            })
            .collect();
        rules.stable_sort_by_key(|(status, field, _)| (*status, *field));
        rules
    }

    /// Returns the rules for a user with these roles. A field has a rule only if every role has
    /// one; it is required if one role requires it.
    pub fn for_roles(
        &self,
        tracker: TrackerId,
        roles: &[RoleId],
        status: StatusId,
    ) -> HashMap<&str, Rule> {
        let mut rules: HashMap<&str, (usize, Rule)> = HashMap::new();
        for role in roles {
            for (field, rule) in self.0.get(&(tracker, *role, status)).into_iter().flatten() {
                let entry = rules.entry(field).or_insert((0, *rule));
                entry.0 += 1;
                if *rule == Rule::Required {
                    entry.1 = Rule::Required;
                }
            }
        }
        rules
            .into_iter()
            .filter(|(_, (count, _))| *count == roles.len())
            .map(|(field, (_, rule))| (field, rule))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_has_a_rule_if_every_role_has_one() {
        let mut rules = FieldRules::default();
        let tracker = TrackerId(1);
        let status = StatusId(1);
        rules.add(
            tracker,
            RoleId(3),
            status,
            "subject".to_owned(),
            Rule::ReadOnly,
        );
        rules.add(
            tracker,
            RoleId(4),
            status,
            "subject".to_owned(),
            Rule::Required,
        );
        rules.add(tracker, RoleId(4), status, "7".to_owned(), Rule::Required);
        assert_eq!(
            rules.for_roles(tracker, &[RoleId(3), RoleId(4)], status),
            HashMap::from([("subject", Rule::Required)])
        );
        assert_eq!(
            rules.for_roles(tracker, &[RoleId(3)], status),
            HashMap::from([("subject", Rule::ReadOnly)])
        );
        assert!(
            rules
                .for_roles(tracker, &[RoleId(3), RoleId(5)], status)
                .is_empty()
        );
    }

    #[test]
    fn transitions_of_all_roles_apply_and_depend_on_the_involvement() {
        let mut workflow = Workflow::default();
        let tracker = TrackerId(1);
        let new = Some(StatusId(1));
        workflow.add(
            tracker,
            RoleId(3),
            new,
            Transition {
                to: StatusId(2),
                author: false,
                assignee: false,
            },
        );
        workflow.add(
            tracker,
            RoleId(4),
            new,
            Transition {
                to: StatusId(5),
                author: true,
                assignee: false,
            },
        );
        let roles = [RoleId(3), RoleId(4)];
        assert_eq!(
            workflow.next_statuses(tracker, &roles, new, Involvement::default()),
            [StatusId(2)]
        );
        assert_eq!(
            workflow.next_statuses(
                tracker,
                &roles,
                new,
                Involvement {
                    author: true,
                    assignee: false
                }
            ),
            [StatusId(2), StatusId(5)]
        );
        assert_eq!(
            workflow.next_statuses(tracker, &roles[..1], None, Involvement::default()),
            []
        );
    }
}
