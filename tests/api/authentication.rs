//! Authentication (compatibility 4)

use quarry::domain::accounts::password;
use quarry::domain::administration::setting::Setting;
use quarry::domain::clock::SystemEntropy;
use quarry::store::accounts::users;
use quarry_world::{Response, World, user};

const ME: &str = "/users/current.json";

fn login(response: quarry_world::Response) -> String {
    response.assert_status(200).json()["user"]["login"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn api_key_is_accepted_in_headers_parameter_and_basic() {
    let world = World::new();
    let key = world.key("alice").to_owned();
    assert_eq!(
        login(world.anonymous().with("X-Service-API-Key", &key).get(ME)),
        "alice"
    );
    assert_eq!(
        login(world.anonymous().with("X-Redmine-API-Key", &key).get(ME)),
        "alice"
    );
    assert_eq!(
        login(world.anonymous().get(&format!("{ME}?key={key}"))),
        "alice"
    );
    assert_eq!(
        login(world.anonymous().basic("anything", &key).get(ME)),
        "alice"
    );
    assert_eq!(
        login(world.anonymous().basic(&key, "anything").get(ME)),
        "alice"
    );
}

#[test]
fn login_is_case_insensitive() {
    let world = World::new();
    assert_eq!(
        login(world.anonymous().basic("Alice", "alicealice").get(ME)),
        "alice"
    );
    assert_eq!(
        login(world.anonymous().basic("alice", "alicealice").get(ME)),
        "alice"
    );
}

fn get_as_bob(world: &World, password: &str) -> Response {
    world.anonymous().basic("bob", password).get(ME)
}

#[test]
fn cached_password_expires_with_the_password() {
    let world = World::new();
    assert_eq!(login(get_as_bob(&world, "bobbobbob")), "bob");
    let hash = password::hash("something else", &SystemEntropy).unwrap();
    let now = world.app.clock.now();
    world.write(move |db| users::set_password(db, quarry_world::user("bob"), &hash, now));
    get_as_bob(&world, "bobbobbob").assert_status(401);
    assert_eq!(login(get_as_bob(&world, "something else")), "bob");
}

#[test]
fn imported_password_hash_is_replaced_at_first_login() {
    let world = World::new();
    let bob = quarry_world::user("bob");
    // sha1("salt" + sha1("of a redmine")), in hexadecimal
    let sha1 = password::from_redmine("salt", "452d842b0acd8084231e84e9ff42c482785fca86");
    let imported = password::wrap(&sha1, &SystemEntropy).unwrap();
    world.write(move |db| {
        users::set_password(db, bob, &imported, "2024-01-01T00:00:00Z".parse().unwrap())
    });
    get_as_bob(&world, "of another").assert_status(401);
    assert_eq!(login(get_as_bob(&world, "of a redmine")), "bob");
    let hash = world
        .app
        .store
        .read(|db| users::password_hash(db, bob))
        .unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert_eq!(login(get_as_bob(&world, "of a redmine")), "bob");
    get_as_bob(&world, "of another").assert_status(401);
    let changed = world.app.store.catalogue().unwrap().users[&bob].passwd_changed_on;
    assert_eq!(changed, Some("2024-01-01T00:00:00Z".parse().unwrap()));
}

#[test]
fn wrong_credentials_are_rejected_even_without_required_login() {
    let world = World::new();
    world.set(Setting::LoginRequired, "0");
    for client in [
        world.anonymous().with("X-Service-API-Key", "wrong"),
        world.anonymous().basic("alice", "wrong"),
        world.anonymous().basic("nobody", "alicealice"),
        world.anonymous().basic("erin", "erinerin"),
        world
            .anonymous()
            .with("X-Service-API-Key", world.key("erin")),
        world.anonymous().with("Authorization", "Basic not-base64!"),
    ] {
        let response = client.get("/projects.json").assert_status(401);
        assert!(
            response
                .header("www-authenticate")
                .starts_with("Basic realm="),
            "{response:?}"
        );
        assert_eq!(response.errors().len(), 1);
    }
    let token = world
        .anonymous()
        .with("Authorization", "Bearer anything")
        .get("/projects.json")
        .assert_status(401);
    assert!(
        token
            .header("www-authenticate")
            .starts_with("Bearer realm="),
        "{token:?}"
    );
    world.anonymous().get("/projects.json").assert_status(200);
    world.anonymous().get(ME).assert_status(401);
}

#[test]
fn login_is_required_by_default() {
    let world = World::new();
    for path in [
        "/projects.json",
        "/issues.json",
        "/issues/1.json",
        "/search.json?q=x",
        ME,
    ] {
        let response = world.anonymous().get(path).assert_status(401);
        assert!(
            response.errors()[0].contains("X-Service-API-Key"),
            "{response:?}"
        );
    }
    world.anonymous().get("/nowhere.json").assert_status(404);
}

#[test]
fn disabled_api_rejects_every_method_and_names_the_setting() {
    let world = World::new();
    world.set(Setting::RestApiEnabled, "0");
    for client in [
        world.as_user("admin"),
        world.anonymous(),
        world.anonymous().basic("alice", "alicealice"),
    ] {
        let response = client.get("/projects.xml").assert_status(401);
        assert!(
            response.errors()[0].contains("Administration → Settings → API"),
            "{response:?}"
        );
    }
}

#[test]
fn only_administrators_switch_users() {
    let world = World::new();
    assert_eq!(
        login(
            world
                .as_user("admin")
                .with("X-Service-Switch-User", "ALICE")
                .get(ME)
        ),
        "alice"
    );
    assert_eq!(
        login(
            world
                .as_user("admin")
                .with("X-Redmine-Switch-User", "alice")
                .get(ME)
        ),
        "alice"
    );
    assert_eq!(
        login(
            world
                .as_user("bob")
                .with("X-Service-Switch-User", "alice")
                .get(ME)
        ),
        "bob"
    );
    assert_eq!(
        login(
            world
                .as_user("admin")
                .with("X-Service-Switch-User", "")
                .get(ME)
        ),
        "admin"
    );
    for login in ["nobody", "erin"] {
        let response = world
            .as_user("admin")
            .with("X-Service-Switch-User", login)
            .get(ME)
            .assert_status(412);
        assert!(response.errors()[0].contains("switch-user"), "{response:?}");
    }
}

#[test]
fn reset_api_key_is_invalid_immediately() {
    let world = World::new();
    assert_eq!(login(world.as_user("bob").get(ME)), "bob");
    let digest = world.app.store.secrets().digest("another key");
    world.write(move |db| users::set_api_key(db, quarry_world::user("bob"), &digest, ""));
    world.as_user("bob").get(ME).assert_status(401);
    assert_eq!(
        login(
            world
                .anonymous()
                .with("X-Service-API-Key", "another key")
                .get(ME)
        ),
        "bob"
    );
}

#[test]
fn second_factor_or_expired_password_disables_basic() {
    let world = World::new();
    world.write(|db| {
        users::set_second_factor(db, user("alice"), Some("totp"))?;
        users::set_must_change_password(db, user("bob"), true)
    });
    let rejected = world
        .anonymous()
        .basic("alice", "alicealice")
        .get(ME)
        .assert_status(401);
    assert!(rejected.errors()[0].contains("two-factor"), "{rejected:?}");
    let guessed = world
        .anonymous()
        .basic("alice", "wrong")
        .get(ME)
        .assert_status(401);
    assert!(
        !guessed.errors()[0].contains("two-factor"),
        "who does not know the password learns nothing"
    );
    world
        .anonymous()
        .basic("bob", "bobbobbob")
        .get(ME)
        .assert_status(403);
    for login in ["alice", "bob"] {
        world.as_user(login).get(ME).assert_status(200);
    }
}
