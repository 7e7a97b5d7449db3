//! Guessing passwords.

use crate::world::World;
use quarry::domain::setting::Setting;

const ME: &str = "/users/current.json";

#[test]
fn guesses_are_delayed_and_keys_and_known_passwords_are_not() {
    let world = World::new();
    let basic = |login: &str, password: &str| world.anonymous().basic(login, password).get(ME);
    let _ = basic("bob", "bobbobbob").expect(200);
    for _ in 0..5 {
        let _ = basic("alice", "guess").expect(401);
    }
    let delayed = basic("alice", "alicealice").expect(429);
    assert_eq!(delayed.header("retry-after"), "1");
    assert_eq!(delayed.errors(), ["There were too many failed logins; try again in 1 second, or use an API key"]);
    let _ = world.as_user("alice").get(ME).expect(200);
    let _ = world.anonymous().basic("alice", world.key("alice")).get(ME).expect(200);
    let _ = basic("bob", "bobbobbob").expect(200);
}

#[test]
fn unknown_and_locked_accounts_are_delayed_like_others() {
    let world = World::new();
    for login in ["nobody", "erin"] {
        let outcomes: Vec<u16> = (0..6).map(|_| world.anonymous().basic(login, "guess").get(ME).status).collect();
        assert_eq!(outcomes, [401, 401, 401, 401, 401, 429], "{login}");
    }
}

#[test]
fn delays_can_be_switched_off() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "0");
    world.set(Setting::FailedLoginsPerAddress, "0");
    for _ in 0..25 {
        let _ = world.anonymous().basic("alice", "guess").get(ME).expect(401);
    }
    let _ = world.anonymous().basic("alice", "alicealice").get(ME).expect(200);
}
