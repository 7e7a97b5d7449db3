//! Managing the members of a project in the browser.

use quarry::domain::ids::{PrincipalId, RoleId};
use quarry_world::browser::Browser;
use quarry_world::{DEVELOPER, MANAGER, REPORTER, World, insert_group, user};
use regex::Regex;

pub const MEMBERS: &str = "/projects/open/settings/members";
pub const NEW: &str = "/projects/open/memberships/new";
pub const USERS: &str = "membership[user_ids][]";
pub const ROLES: &str = "membership[role_ids][]";

/// Returns the roles that a member has in the project `open` of their own; empty when the user is
/// no member.
pub fn roles(world: &World, principal: impl Into<PrincipalId>) -> Vec<RoleId> {
    let catalogue = world.app.store.catalogue().unwrap();
    let principal = principal.into();
    let project = catalogue.project_by("open").unwrap().id;
    let member = catalogue
        .members
        .iter()
        .find(|member| member.principal == principal && member.project == project);
    member
        .map(|member| member.role_ids().collect())
        .unwrap_or_default()
}

/// Returns the values of the checkboxes with this name.
pub fn offered(html: &str, name: &str) -> Vec<String> {
    let pattern = format!(
        "type=\"checkbox\" name=\"{}\" value=\"([^\"]*)\"",
        regex::escape(name)
    );
    Regex::new(&pattern)
        .unwrap()
        .captures_iter(html)
        .map(|found| found[1].to_owned())
        .collect()
}

/// Inserts a group with these users.
fn group(world: &World, name: &'static str, logins: &[&str]) -> PrincipalId {
    let now = world.app.clock.now();
    let users = logins.iter().map(|login| user(login)).collect::<Vec<_>>();
    world.write(move |db| insert_group(db, name, &users, now))
}

#[test]
fn everybody_who_sees_the_project_sees_its_members() {
    let world = World::with_projects();
    world.sql("INSERT INTO members (id, project_id, user_id, created_on) VALUES (50, 1, 6, 1795000000000000)");
    world.sql("INSERT INTO member_roles (member_id, role_id) VALUES (50, 5)");
    let dave = Browser::logged_in(&world, "dave");
    let page = dave.get(MEMBERS).assert_status(200);
    for expected in [
        "Members <span class=\"count\">3",
        "alice Tester",
        "Manager",
        "bob Tester",
        "Developer",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    assert!(!page.body.contains("/memberships/"), "no changes: {page:?}");
    assert!(!page.body.contains("erin"), "erin cannot log in: {page:?}");
    dave.get("/projects/open")
        .assert_status(200)
        .assert_contains("href=\"/projects/open/settings/members\">All members");
    dave.get("/projects/secret/settings/members")
        .assert_status(404);

    let alice = Browser::logged_in(&world, "alice");
    let page = alice.get(MEMBERS).assert_status(200);
    for expected in [
        "href=\"/memberships/2/edit\"",
        "href=\"/memberships/2/delete\"",
        "Add members",
        "erin Tester",
        "Not active",
    ] {
        assert!(page.body.contains(expected), "{expected}: {page:?}");
    }
    alice
        .get("/projects/open")
        .assert_status(200)
        .assert_contains("Manage members");
    let second = alice
        .get(&format!("{MEMBERS}?limit=1&page=9&offset=1"))
        .assert_status(200);
    assert!(
        second.body.contains("bob Tester") && !second.body.contains("carol Tester"),
        "{second:?}"
    );
}

#[test]
fn users_and_groups_become_members_with_roles() {
    let world = World::with_projects();
    let crew = group(&world, "Crew <b>", &["carol"]);
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    assert_eq!(
        offered(&form.body, USERS),
        ["1", &crew.to_string(), "5"],
        "by name, without members: {form:?}"
    );
    assert_eq!(offered(&form.body, ROLES), ["3", "4", "5"]);
    assert!(
        form.body.contains("dave Tester (dave)") && form.body.contains("Crew &#60;b&#62; (group)"),
        "{form:?}"
    );
    let crew_id = crew.to_string();
    let fields = [
        (USERS, ""),
        (USERS, "5"),
        (USERS, crew_id.as_str()),
        (ROLES, ""),
        (ROLES, "5"),
        (ROLES, "4"),
    ];
    let reply = alice.submit(&form, NEW, &fields).assert_status(303);
    assert_eq!(reply.location(), MEMBERS);
    alice
        .get(MEMBERS)
        .assert_status(200)
        .assert_contains("2 members were added.")
        .assert_contains("dave Tester");
    assert_eq!(
        (roles(&world, user("dave")), roles(&world, crew)),
        (vec![REPORTER, DEVELOPER], vec![REPORTER, DEVELOPER])
    );
    // The same form again.
    let again = alice.submit(&form, NEW, &fields).assert_status(422);
    assert!(
        again
            .body
            .contains("One of the chosen users or groups is already a member."),
        "{again:?}"
    );
    assert_eq!(roles(&world, user("dave")), [REPORTER, DEVELOPER]);
    let admin = alice
        .submit(&form, NEW, &[(USERS, "1"), (ROLES, "3")])
        .assert_status(303);
    assert_eq!(admin.location(), MEMBERS);
    alice
        .get(MEMBERS)
        .assert_status(200)
        .assert_contains("admin Tester is a member now.");
}

#[test]
fn form_with_an_error_keeps_what_was_chosen() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    let nobody = alice
        .submit(&form, NEW, &[(USERS, ""), (ROLES, "5")])
        .assert_status(422);
    assert!(
        nobody
            .body
            .contains("Choose users or groups from the list.")
            && nobody.body.contains("value=\"5\" checked> Reporter"),
        "{nobody:?}"
    );
    let no_role = alice
        .submit(&form, NEW, &[(USERS, "5"), (ROLES, "")])
        .assert_status(422);
    assert!(
        no_role
            .body
            .contains("Choose at least one role from the list."),
        "{no_role:?}"
    );
    assert!(
        no_role.body.contains("value=\"5\" checked> dave Tester"),
        "{no_role:?}"
    );
    for (name, value) in [
        ("membership[user_ids][a]", "5"),
        ("membership[role_ids][a]", "5"),
    ] {
        let odd = alice.submit(&form, NEW, &[(USERS, "1"), (ROLES, "5"), (name, value)]);
        assert!(matches!(odd.status, 400 | 422), "{name}: {odd:?}");
    }
    alice
        .submit(&form, NEW, &[("membership", "x")])
        .assert_status(400);
    for (users, role) in [
        ("999", "5"),
        ("x", "5"),
        ("-1", "5"),
        ("5", "1"),
        ("5", "2"),
        ("5", "999"),
        ("5", "x"),
        ("2", "3"),
    ] {
        assert_eq!(
            alice
                .submit(&form, NEW, &[(USERS, users), (ROLES, role)])
                .status,
            422,
            "{users} {role}"
        );
    }
    assert_eq!(world.app.store.catalogue().unwrap().members.len(), 4);
}

#[test]
fn long_list_is_bounded_and_searched() {
    let world = World::with_projects();
    world.sql(
        "INSERT INTO users (type, login, firstname, lastname, mail, hides_mail, created_on, updated_on) \
         WITH RECURSIVE n (i) AS (SELECT 100 UNION SELECT i + 1 FROM n WHERE i < 169) \
         SELECT 'User', 'user' || i, 'Extra', 'Person' || i, 'p' || i || '@example.org', i % 2, 1795000000000000, 1795000000000000 FROM n",
    );
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    assert_eq!(offered(&form.body, USERS).len(), 50);
    assert!(
        form.body.contains("22 more: search for them by name."),
        "{form:?}"
    );
    let search = |words: &str, chosen: &str| {
        alice.submit(
            &form,
            NEW,
            &[
                ("name", words),
                ("do", "search"),
                (USERS, chosen),
                (ROLES, "4"),
            ],
        )
    };
    let found = search("EXTRA son169", "5").assert_status(200);
    let ids = offered(&found.body, USERS);
    assert_eq!(
        (ids.len(), ids[0].as_str()),
        (2, "5"),
        "what was chosen stays: {found:?}"
    );
    assert!(
        found.body.contains("value=\"5\" checked> dave")
            && found.body.contains("value=\"4\" checked> Developer"),
        "{found:?}"
    );
    assert!(found.body.contains("value=\"EXTRA son169\""), "{found:?}");
    assert_eq!(
        offered(&search("user101", "").body, USERS).len(),
        1,
        "by login"
    );
    assert_eq!(
        offered(&search("p102@example", "").body, USERS).len(),
        1,
        "by a mail address that is shown"
    );
    assert!(
        search("p101@example", "")
            .body
            .contains("Nobody matches who is not a member."),
        "not by one that is hidden"
    );
    let admin = Browser::logged_in(&world, "admin");
    let page = admin
        .get(&format!("{NEW}?name=p101@example"))
        .assert_status(200);
    assert_eq!(
        offered(&page.body, USERS).len(),
        1,
        "administrators see it: {page:?}"
    );
}

#[test]
fn roles_are_changed_and_members_removed_after_a_confirmation() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get("/memberships/2/edit").assert_status(200);
    assert!(
        form.body.contains("Roles of bob Tester in open")
            && form.body.contains("value=\"4\" checked> Developer"),
        "{form:?}"
    );
    let none = alice
        .submit(&form, "/memberships/2/edit", &[(ROLES, "")])
        .assert_status(422);
    assert!(
        none.body
            .contains("Choose at least one role from the list.")
            && !none.body.contains("checked"),
        "{none:?}"
    );
    alice
        .submit(&form, "/memberships/2/edit", &[(ROLES, "99")])
        .assert_status(422);
    assert_eq!(roles(&world, user("bob")), [DEVELOPER]);
    let saved = alice
        .submit(&form, "/memberships/2/edit", &[(ROLES, "3"), (ROLES, "5")])
        .assert_status(303);
    assert_eq!(saved.location(), MEMBERS);
    alice
        .get(MEMBERS)
        .assert_status(200)
        .assert_contains("The roles of bob Tester were saved.");
    assert_eq!(roles(&world, user("bob")), [MANAGER, REPORTER]);

    let question = alice.get("/memberships/2/delete").assert_status(200);
    assert!(
        question.body.contains("Remove bob Tester from open?")
            && !question.body.contains("your own roles"),
        "{question:?}"
    );
    assert_eq!(
        roles(&world, user("bob")),
        [MANAGER, REPORTER],
        "a question changes nothing"
    );
    assert_eq!(
        alice
            .submit(&question, "/memberships/2/delete", &[])
            .assert_status(303)
            .location(),
        MEMBERS
    );
    alice
        .get(MEMBERS)
        .assert_status(200)
        .assert_contains("bob Tester is no longer a member of open.");
    assert!(roles(&world, user("bob")).is_empty());
    alice
        .submit(&question, "/memberships/2/delete", &[])
        .assert_status(404);
}

#[test]
fn leaving_a_private_project_redirects_to_the_projects() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let question = alice
        .get("/memberships/4/delete")
        .assert_status(200)
        .assert_contains("This removes your own roles.");
    assert_eq!(
        alice
            .submit(&question, "/memberships/4/delete", &[])
            .assert_status(303)
            .location(),
        "/projects"
    );
    alice.get("/projects/secret").assert_status(404);
}
