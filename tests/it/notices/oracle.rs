//! A slow program that says who is told of an event, written independently of the service: it reads
//! the tables after each event, and asks the REST API as each user what they may see.

use crate::world::{World, user};
use quarry::domain::content::activity::EventReference;
use quarry::domain::content::activity::EventType;
use std::collections::HashSet;

/// The users whose inboxes are compared.
pub const USERS: [&str; 5] = ["admin", "alice", "bob", "carol", "dave"];

/// What everybody was told.
#[derive(Default)]
pub struct Oracle {
    told: HashSet<(&'static str, EventReference)>,
    last_issue: i64,
    last_journal: i64,
}

impl Oracle {
    /// Records who is told of the events since the last call.
    pub fn observe(&mut self, world: &World) {
        let database = world.database();
        let sql = format!(
            "SELECT id, author_id, COALESCE(description, '') FROM issues WHERE id > {} ORDER BY id",
            self.last_issue
        );
        for row in database.rows(&sql) {
            let id: i64 = row.get(0);
            self.last_issue = id;
            let event = EventReference::new(EventType::Issue, id);
            self.tell(world, event, id, row.get(1), None, &row.get::<String>(2));
        }
        let sql = format!(
            "SELECT j.id, j.issue_id, j.user_id, COALESCE(j.notes, ''), \
             COALESCE((SELECT MAX(d.old_value) FROM journal_details d WHERE d.journal_id = j.id AND d.name = 'assigned_to_id'), '') \
             FROM journals j WHERE j.id > {} ORDER BY j.id",
            self.last_journal
        );
        for row in database.rows(&sql) {
            let id: i64 = row.get(0);
            self.last_journal = id;
            let event = EventReference::new(EventType::IssueChange, id);
            let former: Option<i64> = row.get::<String>(4).parse().ok();
            self.tell(
                world,
                event,
                row.get(1),
                row.get(2),
                former,
                &row.get::<String>(3),
            );
        }
    }

    fn tell(
        &mut self,
        world: &World,
        event: EventReference,
        issue: i64,
        actor: i64,
        former: Option<i64>,
        text: &str,
    ) {
        let database = world.database();
        let count = |sql: String| database.value::<i64>(&sql) > 0;
        for login in USERS {
            let id = user(login).0;
            if id == actor {
                continue;
            }
            let choice: String = database.value(&format!(
                "SELECT mail_notification FROM users WHERE id = {id}"
            ));
            let of_issue = |condition: String| {
                count(format!(
                    "SELECT COUNT(*) FROM issues WHERE id = {issue} AND {condition}"
                ))
            };
            let is_member = |more: &str| {
                count(format!(
                    "SELECT COUNT(*) FROM members m JOIN issues i ON i.project_id = m.project_id WHERE i.id = {issue} AND m.user_id = {id}{more}"
                ))
            };
            let is_watching = count(format!(
                "SELECT COUNT(*) FROM watchers WHERE watchable_type = 'Issue' AND watchable_id = {issue} AND user_id = {id}"
            ));
            let is_mentioned = text.contains(&format!("@{login}"));
            let is_author = of_issue(format!("author_id = {id}"));
            let is_assigned = of_issue(format!("assigned_to_id = {id}")) || former == Some(id);
            let wants_urgent = count(format!(
                "SELECT COUNT(*) FROM users WHERE id = {id} AND preferences_json LIKE '%notify_about_high_priority_issues\":\"1%'"
            ));
            let is_urgent = of_issue(
                "priority_id IN (SELECT e.id FROM enumerations e JOIN enumerations d ON d.type = e.type AND d.is_default = 1 WHERE e.position > d.position)".to_owned(),
            );
            let is_told = is_watching
                || is_mentioned
                || is_author && choice != "only_assigned"
                || is_assigned && choice != "only_owner"
                || choice == "all" && is_member("")
                || choice == "selected" && is_member(" AND m.mail_notification = 1")
                || choice != "none" && wants_urgent && is_urgent && is_member("");
            if is_told {
                self.told.insert((login, event));
            }
        }
    }

    /// Returns what a user was told and may see now, as an inbox has it.
    pub fn expected(&self, world: &World, login: &str) -> Vec<EventReference> {
        let mut visible: HashSet<EventReference> = HashSet::new();
        let client = world.as_user(login);
        for id in 1..=self.last_issue {
            let response = client.get(&format!("/issues/{id}.json?include=journals"));
            if response.status != 200 {
                continue;
            }
            visible.insert(EventReference::new(EventType::Issue, id));
            for journal in response.integers("/issue/journals", "id") {
                visible.insert(EventReference::new(EventType::IssueChange, journal));
            }
        }
        let told = self.told.iter().filter(|(told, _)| *told == login);
        let mut expected: Vec<EventReference> = told
            .map(|(_, event)| *event)
            .filter(|event| visible.contains(event))
            .collect();
        expected.sort_by_key(|event| (event.event_type, event.id, event.version));
        expected
    }
}
