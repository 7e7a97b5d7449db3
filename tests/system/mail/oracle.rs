//! A thousand changes by twenty people give exactly the mails that a slow program expects.

use super::{MailServer, send, world};
use crate::mail::server::Received;
use crate::notices::oracle::{Oracle, Told, visible_events};
use quarry::domain::content::activity::EventReference;
use quarry_world::environment;
use quarry_world::{Client, World};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// Number of changes in all rounds.
const CHANGES: u64 = 1_000;
const PEOPLE: i64 = 20;
const ISSUES: i64 = 12;
const CHOICES: [&str; 6] = [
    "all",
    "selected",
    "only_my_events",
    "only_assigned",
    "only_owner",
    "none",
];

/// Somebody who works with issues.
struct Person {
    id: i64,
    login: String,
    key: String,
}

impl Person {
    fn create(world: &World, number: i64) -> Person {
        let login = format!("person{number:02}");
        let user = json!({
            "login": login, "firstname": "P", "lastname": format!("{number}"), "mail": format!("{login}@example.org"),
            "password": "correct horse battery", "mail_notification": CHOICES[number as usize % CHOICES.len()],
        });
        let pref = json!({
            "no_self_notified": number % 4 != 0,
            "notify_about_high_priority_issues": number % 5 == 0,
        });
        let created = world
            .as_user("admin")
            .post("/users.json", json!({"user": user, "pref": pref}))
            .assert_status(201);
        Person {
            id: created.integer("/user/id"),
            key: created
                .json_path("/user/api_key")
                .as_str()
                .unwrap()
                .to_owned(),
            login,
        }
    }

    fn client<'w>(&self, world: &'w World) -> Client<'w> {
        world.anonymous().with("X-Service-API-Key", &self.key)
    }
}

/// A mail as the slow program and the test compare it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ExpectedMail {
    login: String,
    issue: i64,
    /// Number of events in it.
    events: usize,
    /// The word of each note in it, which no other note has.
    words: Vec<String>,
}

struct Run {
    world: World,
    server: MailServer,
    people: Vec<Person>,
    random: StdRng,
    oracle: Oracle,
    /// What waits for mail, by person and issue.
    waiting: BTreeMap<(i64, i64), Vec<Told>>,
    mails: usize,
}

#[test]
fn changes_by_twenty_people_give_exactly_the_expected_mails() {
    let changes = environment::rounds("QUARRY_MAIL_CHANGES", CHANGES);
    let seed = environment::seed();
    let server = MailServer::start();
    let world = world(&server);
    // Nobody but the people of this test has an address.
    world.sql("UPDATE users SET mail = '' WHERE id <= 6");
    let people: Vec<Person> = (0..PEOPLE)
        .map(|number| Person::create(&world, number))
        .collect();
    server.take();
    let mut run = Run {
        world,
        server,
        people,
        random: StdRng::seed_from_u64(seed),
        oracle: Oracle::default(),
        waiting: BTreeMap::new(),
        mails: 0,
    };
    for person in 0..run.people.len() {
        run.join(person);
    }
    for change in 0..changes as usize {
        run.change(change);
        let client = |id| {
            let person = run.people.iter().find(|person| person.id == id)?;
            Some(person.client(&run.world))
        };
        for told in run.oracle.observe(&run.world, &client) {
            if told.is_mailed {
                let waiting = run.waiting.entry((told.user, told.issue)).or_default();
                waiting.push(told.clone());
            }
        }
        match change + 1 {
            number if number % 125 == 0 => run.deliver(true),
            number if number % 25 == 0 => run.deliver(false),
            _ => {}
        }
    }
    println!("{changes} changes by {PEOPLE} people, {} mails", run.mails);
    assert!(run.mails as u64 > changes / 2, "{} mails", run.mails);
}

impl Run {
    /// Makes somebody a member of the project, with a role and a choice at random.
    fn join(&mut self, person: usize) {
        let id = self.people[person].id;
        let role = self.random.random_range(3..6);
        let is_selected = self.random.random_range(0..2);
        let body = json!({"membership": {"user_id": id, "role_ids": [role]}});
        self.world
            .as_user("admin")
            .post("/projects/open/memberships.json", body)
            .assert_status(201);
        self.world.sql(&format!(
            "UPDATE members SET mail_notification = {is_selected} WHERE user_id = {id}; {CATALOGUE}"
        ));
    }

    fn leave(&self, person: usize) {
        let id = self.people[person].id;
        self.world.sql(&format!(
            "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = {id}); \
             DELETE FROM members WHERE user_id = {id}; {CATALOGUE}"
        ));
    }

    fn is_member(&self, person: usize) -> bool {
        let id = self.people[person].id;
        let sql = format!("SELECT COUNT(*) FROM members WHERE user_id = {id}");
        self.world.database().value::<i64>(&sql) > 0
    }

    /// Makes a random change; its text has a word of its own.
    fn change(&mut self, number: usize) {
        let person = self.random.random_range(0..self.people.len());
        let other = self.random.random_range(0..self.people.len());
        let issue = self.random.random_range(1..=ISSUES);
        let is_on = self.random.random_bool(0.3);
        let actor = self.people[person].client(&self.world);
        let text = if self.random.random_bool(0.4) {
            format!("word{number}x for @{} again", self.people[other].login)
        } else {
            format!("word{number}x")
        };
        let edit = |fields: Value| {
            let path = format!("/issues/{issue}.json");
            // Who may not see or edit the issue is refused.
            drop(actor.put(&path, json!({"issue": fields})));
        };
        let other_id = self.people[other].id;
        match self.random.random_range(0..20) {
            _ if (number as i64) < ISSUES => {
                let fields = json!({
                    "project_id": "open", "subject": "An issue", "description": text, "is_private": is_on,
                    "priority_id": self.random.random_range(1..6),
                });
                let path = "/issues.json";
                let created = actor.post(path, json!({"issue": fields}));
                if created.status != 201 {
                    let admin = self.world.as_user("admin");
                    admin
                        .post(path, json!({"issue": fields}))
                        .assert_status(201);
                }
            }
            0..=9 => edit(json!({"notes": text, "private_notes": is_on})),
            10..=13 => {
                edit(json!({"notes": text, "assigned_to_id": other_id, "is_private": is_on}))
            }
            14 => edit(json!({"notes": text, "status_id": 1 + number % 5})),
            15 | 16 => {
                let path = format!("/issues/{issue}/watchers.json");
                let admin = self.world.as_user("admin");
                drop(admin.post(&path, json!({"user_id": other_id})));
            }
            17 => {
                let choice = CHOICES[self.random.random_range(0..CHOICES.len())];
                let admin = self.world.as_user("admin");
                let body = json!({"user": {"mail_notification": choice}});
                let path = format!("/users/{other_id}.json");
                admin.put(&path, body).assert_status(200);
            }
            _ if self.is_member(other) => self.leave(other),
            _ => self.join(other),
        }
    }

    /// Sends what is due, or everything, and compares the mails with those expected.
    fn deliver(&mut self, everything: bool) {
        let mut expected = Vec::new();
        for ((user, issue), told) in std::mem::take(&mut self.waiting) {
            if everything || told.iter().any(|told| told.is_urgent) {
                expected.extend(self.expected_mail(user, issue, &told));
            } else {
                self.waiting.insert((user, issue), told);
            }
        }
        expected.sort();
        if everything {
            self.world
                .sql("UPDATE notices SET mail_on = created_on WHERE mail_on IS NOT NULL");
        }
        let report = send(&self.world);
        let mut sent: Vec<ExpectedMail> = self.server.take().iter().map(read).collect();
        sent.sort();
        let missing: Vec<_> = expected
            .iter()
            .filter(|mail| !sent.contains(mail))
            .collect();
        let surplus: Vec<_> = sent
            .iter()
            .filter(|mail| !expected.contains(mail))
            .collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "missing {missing:?}, surplus {surplus:?}"
        );
        assert_eq!(sent.len(), expected.len(), "a mail was sent twice");
        assert_eq!(report.sent, sent.len());
        self.mails += sent.len();
    }

    fn expected_mail(&self, user: i64, issue: i64, told: &[Told]) -> Option<ExpectedMail> {
        let person = self.people.iter().find(|person| person.id == user)?;
        let choice = format!("SELECT mail_notification FROM users WHERE id = {user}");
        if self.world.database().value::<String>(&choice) == "none" {
            return None;
        }
        let visible = visible_events(&person.client(&self.world), issue);
        let visible: HashSet<EventReference> = visible.into_iter().collect();
        let shown: Vec<&Told> = told
            .iter()
            .filter(|told| visible.contains(&told.event))
            .collect();
        let mut words: Vec<String> = shown.iter().filter_map(|told| self.word(told)).collect();
        words.sort();
        (!shown.is_empty()).then(|| ExpectedMail {
            login: person.login.clone(),
            issue,
            events: shown.len(),
            words,
        })
    }

    /// Returns the word of the text of an event.
    fn word(&self, told: &Told) -> Option<String> {
        let table = match told.event.event_type {
            quarry::domain::content::activity::EventType::Issue => "SELECT description FROM issues",
            _ => "SELECT COALESCE(notes, '') FROM journals",
        };
        let sql = format!("{table} WHERE id = {}", told.event.id);
        words(&self.world.database().value::<String>(&sql)).pop()
    }
}

/// Returns what a mail says: to whom, of which issue, how many events, which words.
fn read(mail: &Received) -> ExpectedMail {
    assert_eq!(mail.to.len(), 1);
    let text = mail.data.replace("=\r\n", "");
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    let plain = body.split("Content-Type: text/html").next().unwrap();
    let login = mail.header("X-Quarry-Recipient").unwrap().to_owned();
    assert!(
        mail.to[0].contains(&format!("<{login}@example.org>")),
        "{:?}",
        mail.to
    );
    ExpectedMail {
        login,
        issue: mail.header("X-Redmine-Issue-Id").unwrap().parse().unwrap(),
        events: plain.matches(", 2026-11-20 12:00 UTC").count(),
        words: words(plain),
    }
}

/// Returns the words that tell texts apart, sorted.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut words: Vec<String> = words
        .filter(|word| word.starts_with("word") && word.ends_with('x'))
        .map(str::to_owned)
        .collect();
    words.sort();
    words
}

/// Makes the service load its catalogue again.
const CATALOGUE: &str = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'";
