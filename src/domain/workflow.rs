//! Which status may follow which, for whom (contract 4.6).

use super::ids::{RoleId, StatusId, TrackerId};
use std::collections::{HashMap, HashSet};

/// One permitted step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it leads.
    pub to: StatusId,
    /// Only for the author of the issue.
    pub author: bool,
    /// Only for its assignee.
    pub assignee: bool,
}

/// How the asker stands to the issue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    /// The asker wrote it.
    pub author: bool,
    /// It is assigned to the asker or one of the asker's groups.
    pub assignee: bool,
}

/// The permitted steps of all trackers and roles.
#[derive(Clone, Debug, Default)]
pub struct Workflow(HashMap<(TrackerId, RoleId, Option<StatusId>), Vec<Step>>);

impl Workflow {
    /// Adds a step. `from` is `None` for a new issue.
    pub fn add(&mut self, tracker: TrackerId, role: RoleId, from: Option<StatusId>, step: Step) {
        self.0.entry((tracker, role, from)).or_default().push(step);
    }

    /// Every status that a step of this tracker leads from or to.
    pub fn statuses(&self, tracker: TrackerId) -> HashSet<StatusId> {
        let steps = self.0.iter().filter(|((of, _, _), _)| *of == tracker);
        steps.flat_map(|((_, _, from), steps)| from.iter().copied().chain(steps.iter().map(|step| step.to))).collect()
    }

    /// The statuses that may follow `from` for somebody with these roles.
    pub fn next(&self, tracker: TrackerId, roles: &[RoleId], from: Option<StatusId>, standing: Standing) -> Vec<StatusId> {
        let mut found = Vec::new();
        for role in roles {
            for step in self.0.get(&(tracker, *role, from)).into_iter().flatten() {
                let fits = (!step.author && !step.assignee) || (step.author && standing.author) || (step.assignee && standing.assignee);
                if fits && !found.contains(&step.to) {
                    found.push(step.to);
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
    pub fn of(&self, tracker: TrackerId, roles: &[RoleId], status: StatusId) -> HashMap<&str, Rule> {
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
        assert_eq!(rules.of(tracker, &[RoleId(3), RoleId(4)], status), HashMap::from([("subject", Rule::Required)]));
        assert_eq!(rules.of(tracker, &[RoleId(3)], status), HashMap::from([("subject", Rule::ReadOnly)]));
        assert!(rules.of(tracker, &[RoleId(3), RoleId(5)], status).is_empty());
    }

    #[test]
    fn steps_join_over_roles_and_respect_who_asks() {
        let mut workflow = Workflow::default();
        let (tracker, new) = (TrackerId(1), Some(StatusId(1)));
        workflow.add(tracker, RoleId(3), new, Step { to: StatusId(2), author: false, assignee: false });
        workflow.add(tracker, RoleId(4), new, Step { to: StatusId(5), author: true, assignee: false });
        let roles = [RoleId(3), RoleId(4)];
        assert_eq!(workflow.next(tracker, &roles, new, Standing::default()), [StatusId(2)]);
        assert_eq!(workflow.next(tracker, &roles, new, Standing { author: true, assignee: false }), [StatusId(2), StatusId(5)]);
        assert_eq!(workflow.next(tracker, &roles[..1], None, Standing::default()), []);
    }
}
