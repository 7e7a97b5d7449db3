//! Members of a project: who may not change them, which roles nobody can give, and whom the form
//! does not show.

use super::members::{MEMBERS, NEW, ROLES, USERS, offered, roles};
use quarry_world::browser::{Browser, csrf_token};
use quarry_world::{DEVELOPER, REPORTER, World, insert_group, user};
use serde_json::json;

/// The forms about members of `open`: alice is 1, bob 2, carol 3.
const FORMS: [&str; 3] = [NEW, "/memberships/3/edit", "/memberships/3/delete"];
const FIELDS: [(&str, &str); 2] = [(USERS, "5"), (ROLES, "3")];

/// Returns all memberships with the roles of their own.
fn stored(world: &World) -> String {
    let catalogue = world.app.store.catalogue().unwrap();
    let members = catalogue.members.iter().map(|member| {
        (
            member.project,
            member.principal,
            member.role_ids().collect::<Vec<_>>(),
        )
    });
    format!("{:?}", members.collect::<Vec<_>>())
}

#[test]
fn members_are_changed_only_by_those_who_manage_them() {
    let world = World::with_projects();
    world
        .project("other")
        .member("bob", quarry_world::MANAGER)
        .create();
    let before = stored(&world);
    let anonymous = Browser::new(&world);
    let alice = Browser::logged_in(&world, "alice");
    let bob = Browser::logged_in(&world, "bob");
    let dave = Browser::logged_in(&world, "dave");
    let bobs_page = bob.get("/my/account");
    let daves_page = dave.get("/my/account");
    for path in FORMS {
        assert!(
            anonymous
                .get(path)
                .assert_status(302)
                .location()
                .starts_with("/login?back_url="),
            "{path}"
        );
        drop(anonymous.post(path, &FIELDS));
        alice.get(path).assert_status(200);
        assert_eq!(
            alice.post(path, &FIELDS).status,
            403,
            "{path} without a token"
        );
        let foreign = csrf_token(&bobs_page);
        let with_token = [&FIELDS[..], &[("authenticity_token", foreign.as_str())]].concat();
        assert_eq!(
            alice.post(path, &with_token).status,
            403,
            "{path} with the token of another session"
        );
        // bob is a developer here and a manager elsewhere; dave is a member of nothing.
        bob.get(path).assert_status(403);
        assert_eq!(
            bob.submit(&bobs_page, path, &FIELDS).status,
            403,
            "{path} by bob"
        );
        assert_eq!(
            dave.submit(&daves_page, path, &FIELDS).status,
            403,
            "{path} by dave"
        );
    }
    // Members cannot make themselves managers.
    bob.submit(&bobs_page, "/memberships/2/edit", &[(ROLES, "3")])
        .assert_status(403);
    // A hidden project looks like one that does not exist.
    for (hidden, missing) in [
        (
            "/projects/secret/memberships/new",
            "/projects/nowhere/memberships/new",
        ),
        ("/memberships/4/edit", "/memberships/999/edit"),
        ("/memberships/4/delete", "/memberships/999/delete"),
    ] {
        for path in [hidden, missing] {
            bob.get(path).assert_status(404);
            bob.submit(&bobs_page, path, &FIELDS).assert_status(404);
        }
    }
    assert_eq!(stored(&world), before);
}

#[test]
fn members_of_closed_and_archived_projects_do_not_change() {
    let world = World::with_projects();
    let before = stored(&world);
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    for (status, shown, refused) in [(5, 200, 403), (9, 404, 404)] {
        world.sql(&format!(
            "UPDATE projects SET status = {status} WHERE identifier = 'open'"
        ));
        let page = alice.get(MEMBERS).assert_status(shown);
        assert!(
            !page.body.contains("Add members") && !page.body.contains("/edit\""),
            "{page:?}"
        );
        for path in FORMS {
            alice.get(path).assert_status(refused);
            alice.submit(&form, path, &FIELDS).assert_status(refused);
        }
    }
    assert_eq!(stored(&world), before);
}

#[test]
fn rights_revoked_while_the_form_is_open_do_not_count() {
    let world = World::with_projects();
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    world
        .as_user("admin")
        .put(
            "/memberships/1.json",
            json!({"membership": {"role_ids": [5]}}),
        )
        .assert_status(200);
    let before = stored(&world);
    for path in FORMS {
        alice.submit(&form, path, &FIELDS).assert_status(403);
    }
    assert_eq!(stored(&world), before);
}

#[test]
fn roles_that_the_viewer_may_not_give_are_neither_offered_nor_given_nor_taken() {
    let world = World::with_projects();
    world.sql(
        "UPDATE roles SET all_roles_managed = 0 WHERE id = 3; INSERT INTO roles_managed_roles (role_id, managed_role_id) VALUES (3, 5)",
    );
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    assert_eq!(offered(&form.body, ROLES), ["5"]);
    alice
        .submit(&form, NEW, &[(USERS, "5"), (ROLES, "3"), (ROLES, "4")])
        .assert_status(422);
    assert!(roles(&world, user("dave")).is_empty());
    alice
        .submit(&form, NEW, &[(USERS, "5"), (ROLES, "3"), (ROLES, "5")])
        .assert_status(303);
    assert_eq!(roles(&world, user("dave")), [REPORTER]);

    let edit = alice
        .get("/memberships/2/edit")
        .assert_status(200)
        .assert_contains("Developer (a role that you may not give)");
    assert_eq!(offered(&edit.body, ROLES), ["5"]);
    alice
        .submit(&edit, "/memberships/2/edit", &[(ROLES, "3"), (ROLES, "5")])
        .assert_status(303);
    assert_eq!(
        roles(&world, user("bob")),
        [DEVELOPER, REPORTER],
        "what she may not take stays"
    );
    assert!(
        !alice
            .get(MEMBERS)
            .assert_status(200)
            .body
            .contains("/memberships/2/delete")
    );
    let refused = alice
        .get("/memberships/2/delete")
        .assert_status(200)
        .assert_contains("The membership has a role that you may not manage.");
    assert!(!refused.body.contains("btn danger"), "{refused:?}");
    alice
        .submit(&edit, "/memberships/2/delete", &[])
        .assert_status(422);
    assert_eq!(roles(&world, user("bob")), [DEVELOPER, REPORTER]);

    world.sql("DELETE FROM roles_managed_roles");
    assert!(
        !alice
            .get(MEMBERS)
            .assert_status(200)
            .body
            .contains("Add members")
    );
    alice
        .get(NEW)
        .assert_status(200)
        .assert_contains("Your roles do not allow you to give any role.");
}

#[test]
fn inherited_roles_do_not_change() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[user("dave")], now));
    let added = json!({"membership": {"user_id": group.0, "role_ids": [5]}});
    world
        .as_user("admin")
        .post("/projects/open/memberships.json", added)
        .assert_status(201);
    let listed = world
        .as_user("admin")
        .get("/projects/open/memberships.json")
        .assert_status(200)
        .array("/memberships");
    let id = listed
        .iter()
        .find(|membership| membership["user"]["id"] == 5)
        .unwrap()["id"]
        .as_i64()
        .unwrap();
    let edit = format!("/memberships/{id}/edit");
    let delete = format!("/memberships/{id}/delete");
    let alice = Browser::logged_in(&world, "alice");
    let page = alice
        .get(MEMBERS)
        .assert_status(200)
        .assert_contains("Reporter <span class=\"muted small\">(inherited)</span>");
    assert!(
        page.body.contains(&edit) && !page.body.contains(&delete),
        "{page:?}"
    );
    let form = alice
        .get(&edit)
        .assert_status(200)
        .assert_contains("Reporter (inherited from a group or from the parent project)");
    assert_eq!(offered(&form.body, ROLES), ["3", "4"]);
    alice
        .submit(&form, &delete, &[])
        .assert_status(422)
        .assert_contains("is inherited from a group or from the parent project");
    alice
        .submit(&form, &edit, &[(ROLES, "")])
        .assert_status(303);
    assert!(roles(&world, user("dave")).is_empty());
    // The membership keeps the inherited role, and gets one of its own.
    alice
        .submit(&form, &edit, &[(ROLES, "4"), (ROLES, "5")])
        .assert_status(303);
    assert_eq!(roles(&world, user("dave")), [DEVELOPER]);
    alice
        .get(&edit)
        .assert_status(200)
        .assert_contains("Reporter (inherited from a group or from the parent project)");
}

#[test]
fn hidden_users_and_groups_are_neither_shown_nor_found_nor_added() {
    let world = World::with_projects();
    let now = world.app.clock.now();
    let group = world.write(move |db| insert_group(db, "Quality", &[user("dave")], now));
    world.sql("UPDATE roles SET users_visibility = 'members_of_visible_projects'");
    let alice = Browser::logged_in(&world, "alice");
    let form = alice.get(NEW).assert_status(200);
    for page in [
        alice.get(NEW),
        alice.get(&format!("{NEW}?name=dave")),
        alice.get(&format!(
            "{NEW}?membership[user_ids][]=5&membership[user_ids][]={group}&membership[user_ids][]=6"
        )),
        alice.submit(
            &form,
            NEW,
            &[(USERS, "5"), ("name", "quality"), ("do", "search")],
        ),
        alice.submit(&form, NEW, &[(USERS, "5"), (ROLES, "5")]),
        alice.submit(&form, NEW, &[(USERS, &group.to_string()), (ROLES, "5")]),
        // A user who cannot log in.
        alice.submit(&form, NEW, &[(USERS, "6"), (ROLES, "5")]),
    ] {
        assert!(matches!(page.status, 200 | 422), "{page:?}");
        assert!(
            !page.body.contains("dave Tester")
                && !page.body.contains("Quality")
                && !page.body.contains("erin"),
            "{page:?}"
        );
        assert_eq!(offered(&page.body, USERS), Vec::<String>::new(), "{page:?}");
    }
    assert!(
        roles(&world, user("dave")).is_empty()
            && roles(&world, group).is_empty()
            && roles(&world, user("erin")).is_empty()
    );
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get(NEW).assert_status(200);
    assert_eq!(
        offered(&page.body, USERS),
        ["1", "5", "6", &group.to_string()],
        "administrators see all: {page:?}"
    );
}
