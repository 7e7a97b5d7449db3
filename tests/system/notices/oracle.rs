//! A slow program that says who is told of an event, written independently of the service: it reads
//! the tables after each event, and asks the REST API as each user what they may see.

use quarry::domain::content::activity::EventReference;
use quarry::domain::content::activity::EventType;
use quarry_world::{Client, Database, World};
use std::collections::HashSet;

/// Somebody who is told of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    pub user: i64,
    pub event: EventReference,
    pub issue: i64,
    /// Whether it is in the inbox.
    pub has_entry: bool,
    pub is_mailed: bool,
    /// Whether the mail does not wait for further changes.
    pub is_urgent: bool,
}

/// What happened to an issue.
struct Event {
    reference: EventReference,
    issue: i64,
    actor: i64,
    /// The assignee before, or 0.
    former: i64,
    is_assignment: bool,
    text: String,
}

/// What everybody was told.
#[derive(Default)]
pub struct Oracle {
    told: Vec<Told>,
    last_issue: i64,
    last_journal: i64,
}

impl Oracle {
    /// Records who is told of the events since the last call. Returns the new entries. `client`
    /// returns a client of the user with an id, if the test has one.
    pub fn observe<'w>(
        &mut self,
        world: &'w World,
        client: &dyn Fn(i64) -> Option<Client<'w>>,
    ) -> &[Told] {
        let database = world.database();
        let start = self.told.len();
        for event in self.new_events(&database) {
            self.tell(&database, &event, client);
        }
        &self.told[start..]
    }

    fn new_events(&mut self, database: &Database) -> Vec<Event> {
        let mut events = Vec::new();
        let sql = format!(
            "SELECT id, author_id, COALESCE(description, ''), COALESCE(assigned_to_id, 0) FROM issues WHERE id > {} ORDER BY id",
            self.last_issue
        );
        for row in database.rows(&sql) {
            self.last_issue = row.get(0);
            events.push(Event {
                reference: EventReference::new(EventType::Issue, self.last_issue),
                issue: self.last_issue,
                actor: row.get(1),
                former: 0,
                is_assignment: row.get::<i64>(3) > 0,
                text: row.get(2),
            });
        }
        let detail = "(SELECT MAX(COALESCE(d.{}, '')) FROM journal_details d WHERE d.journal_id = j.id AND d.name = 'assigned_to_id')";
        let sql = format!(
            "SELECT j.id, j.issue_id, j.user_id, COALESCE(j.notes, ''), COALESCE({}, ''), COALESCE({}, '') FROM journals j WHERE j.id > {} ORDER BY j.id",
            detail.replace("{}", "old_value"),
            detail.replace("{}", "new_value"),
            self.last_journal
        );
        for row in database.rows(&sql) {
            self.last_journal = row.get(0);
            events.push(Event {
                reference: EventReference::new(EventType::IssueChange, self.last_journal),
                issue: row.get(1),
                actor: row.get(2),
                former: row.get::<String>(4).parse().unwrap_or(0),
                is_assignment: !row.get::<String>(5).is_empty(),
                text: row.get(3),
            });
        }
        events
    }

    fn tell<'w>(
        &mut self,
        database: &Database,
        event: &Event,
        client: &dyn Fn(i64) -> Option<Client<'w>>,
    ) {
        let Event { issue, actor, .. } = event;
        let flag = |condition: &str| format!("CASE WHEN {condition} THEN 1 ELSE 0 END");
        let preference =
            |text: &str| flag(&format!("COALESCE(u.preferences_json, '') LIKE '{text}'"));
        let member = "EXISTS (SELECT 1 FROM members m WHERE m.project_id = i.project_id AND m.user_id = u.id";
        let columns = [
            flag(&format!(
                "EXISTS (SELECT 1 FROM watchers w WHERE w.watchable_type = 'Issue' AND w.watchable_id = {issue} AND w.user_id = u.id)"
            )),
            flag("i.author_id = u.id"),
            flag("i.assigned_to_id = u.id"),
            flag(&format!("{member})")),
            flag(&format!("{member} AND m.mail_notification = 1)")),
            flag(
                "i.priority_id IN (SELECT e.id FROM enumerations e JOIN enumerations d ON d.type = e.type AND d.is_default = 1 WHERE e.position > d.position)",
            ),
            preference("%notify_about_high_priority_issues\":\"1%"),
            preference("%no_self_notified\":\"0%"),
        ];
        let sql = format!(
            "SELECT u.id, u.login, u.mail_notification, {} FROM users u, issues i \
             WHERE i.id = {issue} AND u.type = 'User' AND u.status = 1 ORDER BY u.id",
            columns.join(", ")
        );
        for row in database.rows(&sql) {
            let [
                user,
                is_watching,
                is_author,
                is_assigned,
                is_member,
                has_selected,
                is_high,
                follows_high,
                mails_own,
            ] = [0, 3, 4, 5, 6, 7, 8, 9, 10].map(|column| row.get::<i64>(column));
            let login: String = row.get(1);
            let choice: String = row.get(2);
            let is_own = user == *actor;
            // Who may not see the event at that moment is not mentioned, nor told as a member.
            let sees = || {
                client(user).is_some_and(|client| {
                    visible_events(&client, *issue).contains(&event.reference)
                })
            };
            let is_mentioned = mentions(&event.text, &login) && sees();
            let is_assigned = is_assigned == 1 && choice != "only_owner";
            let was_assigned = event.former == user && choice != "only_owner";
            let is_told = is_watching == 1
                || is_mentioned
                || is_author == 1 && choice != "only_assigned"
                || is_assigned
                || was_assigned
                || (choice == "all" && is_member == 1
                    || choice == "selected" && has_selected == 1
                    || choice != "none" && is_high + follows_high + is_member == 3)
                    && sees();
            if is_told && (!is_own || mails_own == 1) {
                self.told.push(Told {
                    user,
                    event: event.reference,
                    issue: *issue,
                    has_entry: !is_own,
                    is_mailed: choice != "none",
                    is_urgent: !is_own && (is_mentioned || is_assigned && event.is_assignment),
                });
            }
        }
    }

    /// Returns what a user was told and may see now, as an inbox has it.
    pub fn expected(&self, user: i64, client: &Client<'_>) -> Vec<EventReference> {
        let mut visible: HashSet<EventReference> = HashSet::new();
        for id in 1..=self.last_issue {
            visible.extend(visible_events(client, id));
        }
        let told = self.told.iter().filter(|told| told.user == user);
        let mut expected: Vec<EventReference> = told
            .filter(|told| told.has_entry)
            .map(|told| told.event)
            .filter(|event| visible.contains(event))
            .collect();
        expected.sort_by_key(|event| (event.event_type, event.id, event.version));
        expected
    }
}

/// Whether a text has the login after an at sign, and not as the beginning of a longer one.
fn mentions(text: &str, login: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| word.strip_prefix('@') == Some(login))
}

/// Returns the events of an issue that a user may see, by the REST API.
pub fn visible_events(client: &Client<'_>, issue: i64) -> Vec<EventReference> {
    let response = client.get(&format!("/issues/{issue}.json?include=journals"));
    if response.status != 200 {
        return Vec::new();
    }
    let journals = response.integers("/issue/journals", "id");
    let changes = journals
        .into_iter()
        .map(|id| EventReference::new(EventType::IssueChange, id));
    std::iter::once(EventReference::new(EventType::Issue, issue))
        .chain(changes)
        .collect()
}
