//! Which status may follow which, for whom (contract 4.6).

use super::ids::{RoleId, StatusId, TrackerId};
use std::collections::HashMap;

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

#[cfg(test)]
mod tests {
    use super::*;

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
