//! What text areas offer while somebody types `@` or `#`.

use quarry_world::browser::Browser;
use quarry_world::{REPORTER, World, percent_encode};
use std::time::Instant;

fn complete(browser: &Browser<'_>, record: &str, trigger: &str, typed: &str) -> Vec<String> {
    let trigger = percent_encode(trigger);
    let typed = percent_encode(typed);
    let path = format!("/completions?{record}&trigger={trigger}&q={typed}");
    let response = browser.get(&path).assert_status(200);
    response.texts("/items", "text")
}

#[test]
fn participants_come_first_then_members_then_others_who_see_the_issue() {
    let world = World::with_projects();
    let id = world.issue("open").author("carol").create();
    let note = serde_json::json!({ "issue": { "notes": "Hello" } });
    let bob = world.as_user("bob");
    bob.put(&format!("/issues/{id}.json"), note)
        .assert_status(200);
    let alice = Browser::logged_in(&world, "alice");
    let issue = format!("issue={id}");
    let names = complete(&alice, &issue, "@", "");
    assert_eq!(names, ["@bob", "@carol", "@alice"]);
    // A word of the name, the login, and no matter the case.
    assert_eq!(complete(&alice, &issue, "@", "BO"), ["@bob"]);
    assert_eq!(
        complete(&alice, &issue, "@", "test")[..2],
        ["@bob", "@carol"]
    );
    assert_eq!(complete(&alice, &issue, "@", "ob"), [""; 0]);
}

#[test]
fn users_who_cannot_see_the_record_are_not_offered() {
    let world = World::with_projects();
    let id = world.issue("secret").create();
    let admin = Browser::logged_in(&world, "admin");
    let path = format!("/completions?issue={id}&trigger=@&q=");
    let response = admin.get(&format!("{path}b")).assert_status(200);
    assert_eq!(response.texts("/items", "details"), [""; 0]);
    let alice = admin.get(&format!("{path}a")).assert_status(200);
    assert_eq!(alice.texts("/items", "details")[0], "alice");
    assert_eq!(complete(&admin, "project=secret", "@", "bob"), [""; 0]);
}

#[test]
fn full_name_in_quotes_is_completed_and_becomes_a_link() {
    let world = World::with_projects();
    let id = world
        .issue("open")
        .description("Ask @\"BOB Tester\", not @\"Nobody\"")
        .create();
    let alice = Browser::logged_in(&world, "alice");
    assert_eq!(
        complete(&alice, "project=open", "@", "\"bob T"),
        ["@\"bob Tester\""]
    );
    let page = alice.get(&format!("/issues/{id}")).assert_status(200);
    page.assert_contains("Ask <a href=\"/users/3\" class=\"user\">bob Tester</a>, not @");
}

#[test]
fn hidden_locked_and_anonymous_users_are_not_offered() {
    let world = World::with_projects();
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let carol = Browser::logged_in(&world, "carol");
    assert_eq!(complete(&carol, "project=open", "@", "dav"), [""; 0]);
    assert_eq!(complete(&carol, "project=open", "@", "bob"), ["@bob"]);
    world.sql("UPDATE users SET status = 3 WHERE login = 'bob'");
    assert_eq!(complete(&carol, "project=open", "@", "bob"), [""; 0]);
    assert_eq!(complete(&carol, "project=open", "@", "anon"), [""; 0]);
}

#[test]
fn anonymous_learns_no_logins_but_visible_issues() {
    let world = World::with_projects();
    world.set(
        quarry::domain::administration::setting::Setting::LoginRequired,
        "0",
    );
    let id = world.issue("open").subject("Leaking pump").create();
    let hidden = world.issue("secret").subject("Leaking secret").create();
    let anonymous = Browser::new(&world);
    assert_eq!(complete(&anonymous, "project=open", "@", ""), [""; 0]);
    assert_eq!(complete(&anonymous, "project=open", "@", "a"), [""; 0]);
    let own = format!("#{id}");
    assert_eq!(
        complete(&anonymous, "project=open", "#", "leak"),
        [own.as_str()]
    );
    let number = hidden.to_string();
    assert_eq!(complete(&anonymous, "project=open", "#", &number), [""; 0]);
    for record in ["project=secret", "project=nowhere", "issue=999", ""] {
        let path = format!("/completions?{record}&trigger=@&q=a");
        let response = anonymous.get(&path);
        assert_eq!(response.status, 302, "{response:?}");
    }
    let hidden = format!("/completions?issue={hidden}&trigger=@&q=a");
    assert_eq!(anonymous.get(&hidden).status, 302);
}

#[test]
fn issues_are_offered_by_number_and_by_words_those_of_the_project_first() {
    let world = World::with_projects();
    let here = world.issue("open").subject("Pump leaks oil").create();
    let there = world.issue("secret").subject("Pump leaks").create();
    let alice = Browser::logged_in(&world, "alice");
    let numbers = [here, there].map(|id| format!("#{id}"));
    assert_eq!(complete(&alice, "project=open", "#", "pump le"), numbers);
    let other: Vec<_> = numbers.iter().rev().cloned().collect();
    assert_eq!(complete(&alice, "project=secret", "#", "leaks pump"), other);
    let number = there.to_string();
    assert_eq!(
        complete(&alice, "project=open", "#", &number)[0],
        numbers[1]
    );
    // One letter finds nothing, and the issue itself is not offered by its words.
    assert_eq!(complete(&alice, "project=open", "#", "p"), [""; 0]);
    let own = format!("issue={here}");
    assert_eq!(complete(&alice, &own, "#", "pump"), [numbers[1].as_str()]);
    let bob = Browser::logged_in(&world, "bob");
    assert_eq!(complete(&bob, &own, "#", "pump"), [""; 0]);
    assert_eq!(complete(&bob, &own, "#", &number), [""; 0]);
}

#[test]
fn hostile_input_is_answered_with_nothing() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let long = "x".repeat(5000);
    let digits = "9".repeat(40);
    let texts = [
        long.as_str(),
        digits.as_str(),
        "9223372036854775807",
        "922337203685477580",
        "\"\"",
        "' OR 1=1 --",
        "%",
        "*?:\\/(){}[]^~",
        "\u{0}",
        "\u{202e}\u{feff}",
        "project:secret",
    ];
    for typed in texts {
        for trigger in ["@", "#"] {
            assert_eq!(complete(&alice, "project=open", trigger, typed), [""; 0]);
        }
    }
    for query in [
        "project=open",
        "project=open&trigger=x&q=a",
        "project=open&trigger[]=@&q[]=a",
    ] {
        let response = alice.get(&format!("/completions?{query}"));
        assert_eq!(response.status, 400, "{query}: {response:?}");
    }
    let response = alice.get("/completions?issue=1%27&trigger=@&q=a");
    assert_eq!(response.status, 404);
}

#[test]
fn ten_thousand_users_are_completed_quickly() {
    let world = World::with_projects();
    world.sql(
        "WITH RECURSIVE n(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM n WHERE x < 11000)
         INSERT INTO users (id, type, login, firstname, lastname, status, created_on, updated_on)
         SELECT x, 'User', 'member' || x, 'Many', 'Person' || x, 1, 0, 0 FROM n",
    );
    world.sql("INSERT INTO members (project_id, user_id, created_on) SELECT 2, id, 0 FROM users WHERE id >= 1000 AND id < 11000");
    world.sql(&format!(
        "INSERT INTO member_roles (member_id, role_id) SELECT id, {} FROM members WHERE user_id >= 1000",
        REPORTER.0
    ));
    let alice = Browser::logged_in(&world, "alice");
    let start = Instant::now();
    for typed in ["", "m", "person10", "nobody", "many"] {
        let names = complete(&alice, "project=open", "@", typed);
        assert!(names.len() <= 8, "{names:?}");
        assert_eq!(names.is_empty(), typed == "nobody", "{typed}");
    }
    // Generous, because tests run on busy machines without optimizations.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
