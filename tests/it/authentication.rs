//! Who asks? (spec, "Authentication"; contract part A and 2)

use crate::world::{World, user};
use quarry::domain::setting::Setting;
use quarry::store::users;

const ME: &str = "/users/current.json";

fn login(answer: crate::world::Answer) -> String {
    answer.expect(200).json()["user"]["login"].as_str().unwrap().to_owned()
}

#[test]
fn a_key_is_taken_from_the_header_its_alias_the_parameter_and_both_places_of_basic() {
    let world = World::new();
    let key = world.key("alice").to_owned();
    assert_eq!(login(world.anonymous().with("X-Service-API-Key", &key).get(ME)), "alice");
    assert_eq!(login(world.anonymous().with("X-Redmine-API-Key", &key).get(ME)), "alice");
    assert_eq!(login(world.anonymous().get(&format!("{ME}?key={key}"))), "alice");
    assert_eq!(login(world.anonymous().basic("anything", &key).get(ME)), "alice");
    assert_eq!(login(world.anonymous().basic(&key, "anything").get(ME)), "alice");
}

#[test]
fn a_password_is_taken_in_any_case_of_the_login() {
    let world = World::new();
    assert_eq!(login(world.anonymous().basic("Alice", "alicealice").get(ME)), "alice");
    assert_eq!(login(world.anonymous().basic("alice", "alicealice").get(ME)), "alice");
}

#[test]
fn a_remembered_password_ends_with_the_password() {
    let world = World::new();
    let bob = |password: &str| world.anonymous().basic("bob", password).get(ME);
    assert_eq!(login(bob("bobbobbob")), "bob");
    let hash = quarry::domain::password::hash("something else", &quarry::domain::clock::SystemEntropy).unwrap();
    let now = world.app.clock.now();
    world.write(move |db| users::set_password(db, crate::world::user("bob"), &hash, now));
    let _ = bob("bobbobbob").expect(401);
    assert_eq!(login(bob("something else")), "bob");
}

#[test]
fn a_hash_that_came_from_a_redmine_is_accepted_once_and_then_replaced() {
    let world = World::new();
    let bob = crate::world::user("bob");
    // sha1("salt" + sha1("of a redmine")), in hexadecimal
    let hash = quarry::domain::password::of_redmine("salt", "452d842b0acd8084231e84e9ff42c482785fca86");
    world.write(move |db| users::set_password(db, bob, &hash, "2024-01-01T00:00:00Z".parse().unwrap()));
    let ask = |password: &str| world.anonymous().basic("bob", password).get(ME);
    let _ = ask("of another").expect(401);
    assert_eq!(login(ask("of a redmine")), "bob");
    let hash = world.app.store.read(|db| users::password_hash(db, bob)).unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert_eq!(login(ask("of a redmine")), "bob");
    let _ = ask("of another").expect(401);
    let changed = world.app.store.catalogue().unwrap().users[&bob].passwd_changed_on;
    assert_eq!(changed, Some("2024-01-01T00:00:00Z".parse().unwrap()));
}

#[test]
fn wrong_credentials_are_refused_even_where_nobody_need_log_in() {
    let world = World::new();
    world.set(Setting::LoginRequired, "0");
    for client in [
        world.anonymous().with("X-Service-API-Key", "wrong"),
        world.anonymous().basic("alice", "wrong"),
        world.anonymous().basic("nobody", "alicealice"),
        world.anonymous().basic("erin", "erinerin"),
        world.anonymous().with("X-Service-API-Key", world.key("erin")),
        world.anonymous().with("Authorization", "Bearer anything"),
        world.anonymous().with("Authorization", "Basic not-base64!"),
    ] {
        let answer = client.get("/projects.json").expect(401);
        assert!(answer.authenticate.starts_with("Basic realm="), "{answer:?}");
        assert_eq!(answer.errors().len(), 1);
    }
    let _ = world.anonymous().get("/projects.json").expect(200);
    let _ = world.anonymous().get(ME).expect(401);
}

#[test]
fn without_credentials_nothing_is_answered_by_default() {
    let world = World::new();
    for path in ["/projects.json", "/issues.json", "/issues/1.json", "/search.json?q=x", ME] {
        let answer = world.anonymous().get(path).expect(401);
        assert!(answer.errors()[0].contains("X-Service-API-Key"), "{answer:?}");
    }
    let _ = world.anonymous().get("/nowhere.json").expect(404);
}

#[test]
fn while_the_api_is_off_no_method_works_and_the_answer_says_where_to_turn_it_on() {
    let world = World::new();
    world.set(Setting::RestApiEnabled, "0");
    for client in [world.as_user("admin"), world.anonymous(), world.anonymous().basic("alice", "alicealice")] {
        let answer = client.get("/projects.xml").expect(401);
        assert!(answer.errors()[0].contains("Administration → Settings → API"), "{answer:?}");
    }
}

#[test]
fn administrators_look_through_the_eyes_of_others_and_nobody_else_does() {
    let world = World::new();
    assert_eq!(login(world.as_user("admin").with("X-Service-Switch-User", "ALICE").get(ME)), "alice");
    assert_eq!(login(world.as_user("admin").with("X-Redmine-Switch-User", "alice").get(ME)), "alice");
    assert_eq!(login(world.as_user("bob").with("X-Service-Switch-User", "alice").get(ME)), "bob");
    assert_eq!(login(world.as_user("admin").with("X-Service-Switch-User", "").get(ME)), "admin");
    for login in ["nobody", "erin"] {
        let answer = world.as_user("admin").with("X-Service-Switch-User", login).get(ME).expect(412);
        assert!(answer.errors()[0].contains("switch-user"), "{answer:?}");
    }
}

#[test]
fn a_key_that_was_reset_is_worth_nothing_at_once() {
    let world = World::new();
    assert_eq!(login(world.as_user("bob").get(ME)), "bob");
    let digest = world.app.store.secrets().digest("another key");
    world.write(move |db| users::set_api_key(db, crate::world::user("bob"), &digest, ""));
    let _ = world.as_user("bob").get(ME).expect(401);
    assert_eq!(login(world.anonymous().with("X-Service-API-Key", "another key").get(ME)), "bob");
}

#[test]
fn a_second_factor_or_an_outdated_password_makes_the_password_worth_nothing() {
    let world = World::new();
    world.write(|db| {
        users::set_second_factor(db, user("alice"), Some("totp"))?;
        users::demand_new_password(db, user("bob"), true)
    });
    let refused = world.anonymous().basic("alice", "alicealice").get(ME).expect(401);
    assert!(refused.errors()[0].contains("two-factor"), "{refused:?}");
    let guessed = world.anonymous().basic("alice", "wrong").get(ME).expect(401);
    assert!(!guessed.errors()[0].contains("two-factor"), "who does not know the password learns nothing");
    let _ = world.anonymous().basic("bob", "bobbobbob").get(ME).expect(403);
    for login in ["alice", "bob"] {
        let _ = world.as_user(login).get(ME).expect(200);
    }
}
