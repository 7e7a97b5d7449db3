//! Which status may follow which, for whom (compatibility 6.6).

use super::ids::{RoleId, StatusId, TrackerId};
use std::collections::{HashMap, HashSet};

/// One permitted step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it leads.
    pub to: StatusId,
    /// Only for the author of the issue.
    pub author: bool,
    /// Only for its assignee.
    pub assignee: bool,
}

/// The relation of the viewer to the issue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Involvement {
    /// The viewer is its author.
    pub author: bool,
    /// It is assigned to the viewer or one of the viewer's groups.
    pub assignee: bool,
}

/// The permitted steps of all trackers and roles.
#[derive(Clone, Debug, Default)]
pub struct Workflow(HashMap<(TrackerId, RoleId, Option<StatusId>), Vec<Transition>>);

impl Workflow {
    /// Adds a step. `from` is `None` for a new issue.
    pub fn add(&mut self, tracker: TrackerId, role: RoleId, from: Option<StatusId>, transition: Transition) {
        self.0.entry((tracker, role, from)).or_default().push(transition);
    }

    /// Every status that a step of this tracker leads from or to.
    pub fn statuses(&self, tracker: TrackerId) -> HashSet<StatusId> {
        let transitions = self.0.iter().filter(|((from_tracker, _, _), _)| *from_tracker == tracker);
        transitions
            .flat_map(|((_, _, from), transitions)| from.iter().copied().chain(transitions.iter().map(|transition| transition.to)))
            .collect()
    }

    /// The statuses that may follow `from` for somebody with these roles.
    pub fn next_statuses(&self, tracker: TrackerId, roles: &[RoleId], from: Option<StatusId>, involvement: Involvement) -> Vec<StatusId> {
        let mut found = Vec::new();
        for role in roles {
            for transition in self.0.get(&(tracker, *role, from)).into_iter().flatten() {
                let fits = (!transition.author && !transition.assignee)
                    || (transition.author && involvement.author)
                    || (transition.assignee && involvement.assignee);
                if fits && !found.contains(&transition.to) {
                    found.push(transition.to);
                }
            }
        }
        found
    }
}

/// What the workflow says of a field in a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It cannot be changed.
    ReadOnly,
    /// It must have a value.
    Required,
}

/// The rules about fields, by tracker, role and status. Fields have the names of their columns, custom ones their number.
#[derive(Clone, Debug, Default)]
pub struct FieldRules(HashMap<(TrackerId, RoleId, StatusId), HashMap<String, Rule>>);

impl FieldRules {
    /// Adds a rule.
    pub fn add(&mut self, tracker: TrackerId, role: RoleId, status: StatusId, field: String, rule: Rule) {
        self.0.entry((tracker, role, status)).or_default().insert(field, rule);
    }

    /// What holds for somebody with these roles: only what each of them says. Where one says read-only and another required, it
    /// is required.
    pub fn for_roles(&self, tracker: TrackerId, roles: &[RoleId], status: StatusId) -> HashMap<&str, Rule> {
        let mut held: HashMap<&str, (usize, Rule)> = HashMap::new();
        for role in roles {
            for (field, rule) in self.0.get(&(tracker, *role, status)).into_iter().flatten() {
                let entry = held.entry(field).or_insert((0, *rule));
                entry.0 += 1;
                if *rule == Rule::Required {
                    entry.1 = Rule::Required;
                }
            }
        }
        held.into_iter().filter(|(_, (times, _))| *times == roles.len()).map(|(field, (_, rule))| (field, rule)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_about_a_field_holds_when_every_role_has_it() {
        let mut rules = FieldRules::default();
        let (tracker, status) = (TrackerId(1), StatusId(1));
        rules.add(tracker, RoleId(3), status, "subject".to_owned(), Rule::ReadOnly);
        rules.add(tracker, RoleId(4), status, "subject".to_owned(), Rule::Required);
        rules.add(tracker, RoleId(4), status, "7".to_owned(), Rule::Required);
        assert_eq!(rules.for_roles(tracker, &[RoleId(3), RoleId(4)], status), HashMap::from([("subject", Rule::Required)]));
        assert_eq!(rules.for_roles(tracker, &[RoleId(3)], status), HashMap::from([("subject", Rule::ReadOnly)]));
        assert!(rules.for_roles(tracker, &[RoleId(3), RoleId(5)], status).is_empty());
    }

    #[test]
    fn steps_join_over_roles_and_respect_who_asks() {
        let mut workflow = Workflow::default();
        let (tracker, new) = (TrackerId(1), Some(StatusId(1)));
        workflow.add(tracker, RoleId(3), new, Transition { to: StatusId(2), author: false, assignee: false });
        workflow.add(tracker, RoleId(4), new, Transition { to: StatusId(5), author: true, assignee: false });
        let roles = [RoleId(3), RoleId(4)];
        assert_eq!(workflow.next_statuses(tracker, &roles, new, Involvement::default()), [StatusId(2)]);
        assert_eq!(workflow.next_statuses(tracker, &roles, new, Involvement { author: true, assignee: false }), [StatusId(2), StatusId(5)]);
        assert_eq!(workflow.next_statuses(tracker, &roles[..1], None, Involvement::default()), []);
    }
}
