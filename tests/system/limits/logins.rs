//! Delays after wrong passwords.

use quarry::domain::administration::setting::Setting;
use quarry_world::only_on_sqlite;
use quarry_world::{Response, World};

const ME: &str = "/users/current.json";

fn log_in(world: &World, login: &str, password: &str) -> Response {
    world.anonymous().basic(login, password).get(ME)
}

#[test]
fn wrong_passwords_are_delayed_and_valid_credentials_are_not() {
    only_on_sqlite!(
        "a server has the times of guesses, and the clock of this service stands still"
    );
    let world = World::new();
    log_in(&world, "bob", "bobbobbob").assert_status(200);
    for _ in 0..5 {
        log_in(&world, "alice", "guess").assert_status(401);
    }
    let delayed = log_in(&world, "alice", "alicealice").assert_status(429);
    assert_eq!(delayed.header("retry-after"), "1");
    assert_eq!(
        delayed.errors(),
        ["There were too many failed logins; try again in 1 second, or use an API key"]
    );
    world.as_user("alice").get(ME).assert_status(200);
    world
        .anonymous()
        .basic("alice", world.key("alice"))
        .get(ME)
        .assert_status(200);
    log_in(&world, "bob", "bobbobbob").assert_status(200);
}

#[test]
fn unknown_and_locked_accounts_are_delayed_too() {
    let world = World::new();
    for login in ["nobody", "erin"] {
        let outcomes: Vec<u16> = (0..6)
            .map(|_| world.anonymous().basic(login, "guess").get(ME).status)
            .collect();
        assert_eq!(outcomes, [401, 401, 401, 401, 401, 429], "{login}");
    }
}

#[test]
fn login_delays_can_be_disabled() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "0");
    world.set(Setting::FailedLoginsPerAddress, "0");
    for _ in 0..25 {
        world
            .anonymous()
            .basic("alice", "guess")
            .get(ME)
            .assert_status(401);
    }
    world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(200);
}

fn status_of_login(world: &World, address: [u8; 4], password: &str) -> u16 {
    world
        .anonymous()
        .at_address(address)
        .basic("alice", password)
        .get(ME)
        .status
}

#[test]
fn verified_password_tells_guesses_from_elsewhere_nothing() {
    let world = World::new();
    world.set(Setting::FailedLoginsPerAccount, "2");
    let owner = [192, 0, 2, 1];
    let stranger = [198, 51, 100, 1];
    assert_eq!(status_of_login(&world, owner, "alicealice"), 200);
    assert_eq!(
        [
            status_of_login(&world, stranger, "guess"),
            status_of_login(&world, stranger, "guess")
        ],
        [401, 401]
    );
    assert_eq!(
        [
            status_of_login(&world, stranger, "guess"),
            status_of_login(&world, stranger, "alicealice")
        ],
        [429, 429],
        "a right guess looks like a wrong one"
    );
    assert_eq!(status_of_login(&world, owner, "alicealice"), 200);
}
