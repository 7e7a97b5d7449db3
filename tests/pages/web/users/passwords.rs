//! What an administrator may only do with the own password.

use super::{PROFILE, bob};
use quarry::store::accounts::{two_factor, users};
use quarry_world::browser::Browser;
use quarry_world::{World, user};

#[test]
fn new_administrator_and_changed_rights_need_the_own_password() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let form = admin.get("/users/new");
    let send = |more: &[(&str, &str)]| {
        admin.submit(
            &form,
            "/users/new",
            &[
                &PROFILE[..],
                &[("generate_password", "1"), ("admin", "1")],
                more,
            ]
            .concat(),
        )
    };
    assert!(
        send(&[])
            .assert_status(422)
            .body
            .contains("Enter your password.")
    );
    assert!(
        send(&[("password", "wrong")])
            .assert_status(422)
            .body
            .contains("This is not your password.")
    );
    send(&[("password", "adminadmin")]).assert_status(200);
    assert!(
        world
            .app
            .store
            .catalogue()
            .unwrap()
            .user_by_login("nina")
            .unwrap()
            .admin
    );

    let path = format!("/users/{}/edit", user("bob").0);
    let page = admin.get(&path).assert_status(200);
    let change = |changes: &[(&str, &str)]| admin.submit(&page, &path, &bob(changes));
    assert!(
        change(&[("admin", "1")])
            .assert_status(422)
            .body
            .contains("Enter your password.")
    );
    change(&[("admin", "1"), ("password", "adminadmin")]).assert_status(303);
    assert!(world.app.store.catalogue().unwrap().users[&user("bob")].admin);
    // Without a change of the flag, no password is needed.
    change(&[("admin", "1"), ("firstname", "Robert")]).assert_status(303);
    assert_eq!(
        world.app.store.catalogue().unwrap().users[&user("bob")].firstname,
        "Robert"
    );
}

#[test]
fn new_password_of_another_needs_the_own_one_and_ends_sessions() {
    let world = World::new();
    let admin = Browser::logged_in(&world, "admin");
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/users/{}/password", user("bob").0);
    let page = admin.get(&path).assert_status(200);
    let new = [
        ("new_password", "another one"),
        ("new_password_confirmation", "another one"),
    ];
    assert!(
        admin
            .submit(&page, &path, &new)
            .assert_status(422)
            .body
            .contains("Enter your password.")
    );
    bob.get("/my/account").assert_status(200);
    let right = [&new[..], &[("password", "adminadmin")]].concat();
    admin.submit(&page, &path, &right).assert_status(303);
    bob.get("/my/account").assert_status(302);
    Browser::new(&world)
        .log_in("bob", "bobbobbob", &[])
        .assert_status(422);
    Browser::new(&world)
        .log_in("bob", "another one", &[])
        .assert_status(303);
    let generated = admin
        .submit(
            &page,
            &path,
            &[("generate_password", "1"), ("password", "adminadmin")],
        )
        .assert_status(200);
    assert!(generated.body.contains("It is shown only now."));
    let short = [
        ("new_password", "short"),
        ("new_password_confirmation", "short"),
        ("password", "adminadmin"),
    ];
    assert!(
        admin
            .submit(&page, &path, &short)
            .assert_status(422)
            .body
            .contains("is too short")
    );
    let own = format!("/users/{}/password", user("admin").0);
    assert_eq!(admin.get(&own).location(), "/my/password");
}

#[test]
fn second_factor_of_another_is_switched_off_with_the_own_password() {
    let world = World::new();
    world.write(|db| {
        users::set_second_factor(db, user("bob"), Some("totp"))?;
        two_factor::set_recovery_codes(db, user("bob"), &["0123456789ab".to_owned()])
    });
    let admin = Browser::logged_in(&world, "admin");
    let path = format!("/users/{}/two_factor", user("bob").0);
    let page = admin.get(&path).assert_status(200);
    assert!(
        admin
            .submit(&page, &path, &[("password", "wrong")])
            .assert_status(422)
            .body
            .contains("This is not your password.")
    );
    assert!(world.app.store.catalogue().unwrap().users[&user("bob")].has_second_factor());
    admin
        .submit(&page, &path, &[("password", "adminadmin")])
        .assert_status(303);
    Browser::logged_in(&world, "bob")
        .get("/my/account")
        .assert_status(200);
}

#[test]
fn user_is_deleted_with_the_own_password_and_the_page_says_what_stays() {
    let world = World::with_projects();
    let issue = world.issue("open").author("bob").create();
    let admin = Browser::logged_in(&world, "admin");
    let bob = Browser::logged_in(&world, "bob");
    let path = format!("/users/{}/delete", user("bob").0);
    let page = admin.get(&path).assert_status(200);
    assert!(page.body.contains("under the name Anonymous"), "{page:?}");
    assert!(
        admin
            .submit(&page, &path, &[])
            .assert_status(422)
            .body
            .contains("Enter your password.")
    );
    let deleted = admin
        .submit(&page, &path, &[("password", "adminadmin")])
        .assert_status(303);
    assert_eq!(deleted.location(), "/users");
    assert!(
        admin
            .get("/users")
            .body
            .contains("The user bob was deleted.")
    );
    bob.get("/my/account").assert_status(302);
    assert!(
        admin
            .get(&format!("/issues/{issue}"))
            .assert_status(200)
            .body
            .contains("<b>Anonymous</b>")
    );
    admin
        .submit(&page, &path, &[("password", "adminadmin")])
        .assert_status(404);
    let own = format!("/users/{}/delete", user("admin").0);
    let refused = admin
        .submit(&page, &own, &[("password", "adminadmin")])
        .assert_status(422);
    assert!(
        refused
            .body
            .contains("The last active administrator cannot be"),
        "{refused:?}"
    );
}
