//! Invitations of several people at once, a line each, and the role with which forms for new members
//! start.

use super::invitations::token;
use super::members::{self, ROLES, roles};
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{DEVELOPER, MANAGER, REPORTER, Response, World};

const NEW: &str = "/invitations/several";

fn invite(browser: &Browser<'_>, people: &str) -> Response {
    let page = browser.get(NEW).assert_status(200);
    let form = [
        ("people", people),
        ("membership[project_id]", "1"),
        ("membership[role_ids][]", "4"),
    ];
    browser.submit(&page, NEW, &form)
}

fn count(world: &World) -> usize {
    world.app.store.catalogue().unwrap().users.len()
}

/// Returns the values of the checkboxes with this name that are on.
fn checked(page: &Response, name: &str) -> Vec<String> {
    let (_, boxes) = page.body.split_once(&format!("id=\"{name}\"")).unwrap();
    let (boxes, _) = boxes.split_once("</fieldset>").unwrap();
    let tags = boxes.split('<').filter(|tag| tag.starts_with("input"));
    let checked = tags.filter(|tag| tag.contains("checked"));
    let value = |tag: &str| {
        tag.split("value=\"")
            .nth(1)?
            .split('"')
            .next()
            .map(str::to_owned)
    };
    checked.map(|tag| value(tag).unwrap()).collect()
}

#[test]
fn each_line_is_a_member_with_a_link_and_the_names_of_the_line_or_the_address() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let text = "ada.lovelace@example.org\r\n\r\nGrace Brewster Hopper <grace@example.org>\r\nalan@example.org, Alan, Turing\r\n";
    let mut page = invite(&admin, text).assert_status(200);
    let catalogue = world.app.store.catalogue().unwrap();
    for (login, name) in [
        ("ada.lovelace", "Ada Lovelace"),
        ("grace", "Grace Brewster Hopper"),
        ("alan", "Alan Turing"),
    ] {
        let id = catalogue.logins[login];
        assert_eq!(catalogue.users[&id].name, name);
        assert_eq!(roles(&world, id), [DEVELOPER]);
        page = page
            .assert_contains(&format!(">{name}</a>"))
            .assert_contains(&format!("id=\"link-{id}\""))
            .assert_contains(&format!("data-copy=\"link-{id}\""));
    }
    page = page
        .assert_contains("3 people are invited")
        .assert_contains("data-copy=\"all-links\"")
        .assert_contains("Alan Turing &#60;alan@example.org&#62;: http");
    // The links work, each for its person.
    let ada = Browser::new(&world);
    ada.get(&format!("/invitation?token={}", token(&page)))
        .assert_contains("Welcome, Ada Lovelace");
}

#[test]
fn wrong_lines_are_named_with_the_reason_and_nobody_is_created() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let before = count(&world);
    world.sql("UPDATE users SET mail = 'Alice@example.net' WHERE login = 'alice'");
    let text = "ada@example.org\nADA@example.org\nada@example.com\nALICE@example.net\n\
                bob@example.com\nnobody\nGrace <grace@example.org>\n";
    let mut page = invite(&admin, text).assert_status(422);
    for expected in [
        "Line 2, ADA@example.org: the address is that of line 1",
        "Line 3, ada@example.com: the login ada is that of line 1",
        "Line 4, ALICE@example.net: Email has already been taken",
        "Line 5, bob@example.com: Login has already been taken; invite this person alone",
        "Line 6 cannot be read",
        // What was typed is kept.
        "Grace &#60;grace@example.org&#62;",
    ] {
        page = page.assert_contains(expected);
    }
    assert!(!page.body.contains("Line 1,") && !page.body.contains("Line 7"));
    assert_eq!(count(&world), before);
    // Neither does a project or a role that is wrong create anybody.
    let form = admin.get(NEW).assert_status(200);
    for (project, role) in [("99", "4"), ("1", ""), ("1", "99"), ("1", "1")] {
        let fields = [
            ("people", "ada@example.org"),
            ("membership[project_id]", project),
            ("membership[role_ids][]", role),
        ];
        let answer = admin.submit(&form, NEW, &fields);
        assert_eq!(answer.status, 422, "{project} {role}");
    }
    assert_eq!(count(&world), before);
}

#[test]
fn hostile_texts_create_nobody_and_are_shown_as_text() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let before = count(&world);
    let many: String = (0..10_000).map(|n| format!("u{n}@example.org\n")).collect();
    let page = invite(&admin, &many).assert_status(422);
    page.assert_contains("are too many: 10000 (maximum is 100 at once)");
    let limit: String = (0..101).map(|n| format!("u{n}@example.org\n")).collect();
    invite(&admin, &limit).assert_status(422);
    for line in [
        &"x".repeat(1_000_000),
        &format!("{} <x@example.org>", "y".repeat(1_000_000)),
        "\u{202E}gro.elpmaxe@ada",
        "Ada \u{2067}x <ada@example.org>",
        "Ada\u{85}Bcc: all@example.org <ada@example.org>",
        "ada@example.org\0",
        "'; DROP TABLE users; --@example.org",
        &format!("{}@example.org", "x".repeat(300)),
    ] {
        let page = invite(&admin, line).assert_status(422);
        page.assert_contains("Line 1 cannot be read");
    }
    // More than the body of a form may have.
    invite(&admin, &"x".repeat(1 << 20)).assert_status(413);
    // Blank lines are no people.
    invite(&admin, " \r\n\t\r\n")
        .assert_status(422)
        .assert_contains("id=\"people-error\"");
    assert_eq!(count(&world), before);
    let page = invite(&admin, "<script>alert(1)</script> <eve@example.org>").assert_status(200);
    assert!(!page.body.contains("<script>alert"), "{page:?}");
    page.assert_contains("&#60;script&#62;alert(1)");
}

#[test]
fn hundred_people_are_invited_at_once() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let before = count(&world);
    let text: String = (0..100).map(|n| format!("u{n}@example.org\n")).collect();
    invite(&admin, &text).assert_status(200);
    assert_eq!(count(&world), before + 100);
}

#[test]
fn same_text_that_is_sent_twice_at_once_invites_each_person_once() {
    let world = World::with_projects();
    let before = count(&world);
    let mut statuses = std::thread::scope(|scope| {
        let senders = [0, 1, 2, 3].map(|_| {
            scope.spawn(|| {
                let admin = Browser::logged_in(&world, "admin");
                invite(&admin, "ada@example.org\ngrace@example.org").status
            })
        });
        senders.map(|sender| sender.join().unwrap())
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422, 422, 422]);
    assert_eq!(count(&world), before + 2);
}

#[test]
fn only_administrators_with_the_token_of_the_form_invite() {
    let world = World::with_projects();
    let before = count(&world);
    let form = [("people", "ada@example.org")];
    let alice = Browser::logged_in(&world, "alice");
    alice.get(NEW).assert_status(403);
    let page = alice.get("/").assert_status(200);
    alice.submit(&page, NEW, &form).assert_status(403);
    let stranger = Browser::new(&world);
    assert_ne!(stranger.post(NEW, &form).status, 200);
    let admin = Browser::logged_in(&world, "admin");
    admin.post(NEW, &form).assert_status(403);
    let stolen = csrf_token(&page);
    let stolen = [
        ("people", "ada@example.org"),
        ("authenticity_token", stolen.as_str()),
    ];
    admin.post(NEW, &stolen).assert_status(403);
    assert_eq!(count(&world), before);
}

#[test]
fn forms_for_new_members_start_with_the_usual_role_that_manages_nobody() {
    let world = World::with_projects();
    let admin = Browser::logged_in(&world, "admin");
    let role = |path: &str| checked(&admin.get(path).assert_status(200), ROLES);
    // The managers of a project are no reason to make everybody one.
    world.sql("DELETE FROM member_roles");
    world.sql("DELETE FROM members");
    let developer = [DEVELOPER.to_string()];
    assert_eq!(role(members::NEW), developer);
    assert_eq!(role(NEW), developer);
    assert_eq!(
        role("/invitations/new?membership%5Bproject_id%5D=1"),
        developer
    );
    let form = admin.get(members::NEW).assert_status(200);
    let add = |user: &str, role: String| {
        let fields = [(members::USERS, user), (ROLES, role.as_str())];
        admin
            .submit(&form, members::NEW, &fields)
            .assert_status(303);
    };
    add("2", MANAGER.to_string());
    assert_eq!(role(members::NEW), developer);
    add("3", REPORTER.to_string());
    let reporter = [REPORTER.to_string()];
    assert_eq!(role(members::NEW), reporter);
    assert_eq!(
        role("/invitations/several?membership%5Bproject_id%5D=1"),
        reporter
    );
    assert_eq!(
        role("/invitations/several?membership%5Bproject_id%5D=2"),
        developer
    );
}
