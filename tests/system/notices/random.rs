//! Inboxes in random worlds, in which rights change between an event and its delivery, are compared
//! with a slow program.

use super::oracle::Oracle;
use super::{count_unread, events};
use quarry_world::environment;
use quarry_world::{World, user};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// The users whose inboxes are compared.
const USERS: [&str; 5] = ["admin", "alice", "bob", "carol", "dave"];
/// Number of worlds in all rounds; more with `QUARRY_NOTICE_WORLDS`.
const WORLDS: u64 = 6;
/// Number of steps in a world.
const STEPS: usize = 60;
/// The choices of what to be told of.
const CHOICES: [&str; 7] = [
    "",
    "all",
    "selected",
    "only_my_events",
    "only_assigned",
    "only_owner",
    "none",
];

#[test]
fn inboxes_have_exactly_what_their_users_were_told_and_may_see() {
    let worlds = environment::rounds("QUARRY_NOTICE_WORLDS", WORLDS);
    let first = environment::seed();
    let mut shown = 0;
    // Enough for the bound below, and others on each day.
    for seed in (0..WORLDS).chain(first..first + worlds) {
        let world = World::with_projects();
        let mut random = StdRng::seed_from_u64(seed);
        let mut oracle = Oracle::default();
        for step in 0..STEPS {
            let change = run_step(&world, &mut random, oracle_last(&world));
            oracle.observe(&world, &|id| {
                let mut logins = USERS.into_iter();
                let login = logins.find(|login| user(login).0 == id)?;
                Some(world.as_user(login))
            });
            if step % 15 != 14 {
                continue;
            }
            for login in USERS {
                let expected = oracle.expected(user(login).0, &world.as_user(login));
                assert_eq!(
                    events(&world, login),
                    expected,
                    "seed {seed}, step {step}, {login}, after {change}"
                );
                assert_eq!(count_unread(&world, login) > 0, !expected.is_empty());
                shown += expected.len();
            }
        }
    }
    println!(
        "{} worlds, {shown} events in inboxes compared",
        WORLDS + worlds
    );
    assert!(shown > 100, "{shown} events");
}

/// Returns the id of the last issue.
fn oracle_last(world: &World) -> i64 {
    world
        .database()
        .value("SELECT COALESCE(MAX(id), 0) FROM issues")
}

/// Makes a random change, and returns what it was.
fn run_step(world: &World, random: &mut StdRng, last_issue: i64) -> String {
    let login = USERS[random.random_range(0..USERS.len())];
    let other = USERS[random.random_range(1..USERS.len())];
    let project = ["open", "secret"][random.random_range(0..2)];
    let issue = random.random_range(0..=last_issue).max(1);
    let is_on = random.random_bool(0.5);
    let admin = world.as_user("admin");
    let actor = world.as_user(login);
    let edit = |fields: Value| {
        let path = format!("/issues/{issue}.json");
        let response = actor.put(&path, json!({"issue": fields}).to_string());
        format!("{login} put {path} {fields}: {}", response.status)
    };
    match random.random_range(0..14) {
        0..=2 => {
            let fields = json!({
                "project_id": project, "subject": "An issue", "is_private": is_on,
                "description": format!("For @{other}"),
                "assigned_to_id": user(other).0, "priority_id": random.random_range(1..6),
            });
            let response = actor.post("/issues.json", json!({"issue": fields}).to_string());
            format!("{login} created {fields}: {}", response.status)
        }
        3..=6 => edit(json!({"notes": format!("A note for @{other}"), "private_notes": is_on})),
        7 => edit(json!({"assigned_to_id": user(other).0, "notes": "", "is_private": is_on})),
        8 | 9 => {
            let path = format!("/issues/{issue}/watchers.json");
            let response = admin.post(&path, json!({"user_id": user(other).0}).to_string());
            format!("{other} watches {issue}: {}", response.status)
        }
        10 => {
            let choice = CHOICES[random.random_range(0..CHOICES.len())];
            let path = format!("/users/{}.json", user(other).0);
            let body = json!({
                "user": {"mail_notification": choice},
                "pref": {"notify_about_high_priority_issues": is_on},
            });
            let response = admin.put(&path, body.to_string());
            format!("{other} chose {choice}, {is_on}: {}", response.status)
        }
        11 => {
            let role = random.random_range(3..6);
            let member = json!({"membership": {"user_id": user(other).0, "role_ids": [role]}});
            let path = format!("/projects/{project}/memberships.json");
            let response = admin.post(&path, member.to_string());
            world.sql(&format!(
                "UPDATE members SET mail_notification = {} WHERE user_id = {}; {CATALOGUE}",
                i64::from(is_on),
                user(other).0
            ));
            format!(
                "{other} became a member of {project}, {is_on}: {}",
                response.status
            )
        }
        12 => {
            let id = user(other).0;
            world.sql(&format!(
                "DELETE FROM member_roles WHERE member_id IN (SELECT id FROM members WHERE user_id = {id}); \
                 DELETE FROM members WHERE user_id = {id}; {CATALOGUE}"
            ));
            format!("{other} left all projects")
        }
        _ => {
            let visibility = ["all", "default", "own"][random.random_range(0..3)];
            let role = random.random_range(3..6);
            let path = format!("/roles/{role}.json");
            let body = json!({"role": {"issues_visibility": visibility}});
            let response = admin.put(&path, body.to_string());
            format!("role {role} sees {visibility}: {}", response.status)
        }
    }
}

/// Makes the service load its catalogue again.
const CATALOGUE: &str = "UPDATE counters SET value = value + 1 WHERE name = 'catalogue'";
