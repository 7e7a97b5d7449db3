//! The audit log in the store: who, when, from where, by what, before and after (operations 10.1).

use quarry::domain::administration::setting::Setting;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::oauth_flow::{App, tokens, with_token};
use serde_json::json;

/// A world without the events of its creation.
pub(super) fn world() -> World {
    let world = World::with_projects();
    world.sql("DELETE FROM audit_events");
    world
}

/// Returns the columns of the events that meet a condition, in their order.
pub(super) fn events(world: &World, columns: &str, condition: &str) -> Vec<Vec<String>> {
    let count = columns.split(", ").count();
    let texts: Vec<String> = columns
        .split(", ")
        .map(|column| format!("COALESCE(CAST({column} AS TEXT), '')"))
        .collect();
    let sql = format!(
        "SELECT {} FROM audit_events WHERE {condition} ORDER BY id",
        texts.join(", ")
    );
    let rows = world.database().rows(&sql);
    rows.iter()
        .map(|row| (0..count).map(|index| row.get(index)).collect())
        .collect()
}

/// Waits for a deferred write: it is in the queue before this one.
pub(super) fn finish_deferred_writes(world: &World) {
    world.write(|_| Ok(()));
}

/// Returns everything that is stored in the audit log, as one text.
fn everything(world: &World) -> String {
    let columns = "address, origin, application, name, change, project, details, changes_json";
    format!("{:?}", events(world, columns, "1 = 1"))
}

#[test]
fn new_administrator_is_named_with_session_address_and_both_values() {
    let world = world();
    let admin = Browser::logged_in(&world, "admin");
    let page = admin.get("/users/5/edit").assert_status(200);
    let form = [("admin", "1"), ("password", "adminadmin")];
    admin
        .submit(&page, "/users/5/edit", &form)
        .assert_status(303);
    let found = events(
        &world,
        "user_id, address, origin, change, changes_json",
        "record = 'user' AND record_id = 5",
    );
    assert_eq!(
        found,
        [[
            "1",
            "127.0.0.1",
            "session",
            "updated",
            r#"[["administrator","no","yes"]]"#
        ]]
    );
    let id = &events(&world, "id", "record = 'user' AND record_id = 5")[0][0];
    admin
        .get(&format!("/admin/audit/{id}"))
        .assert_status(200)
        .assert_contains("administrator")
        .assert_contains(">no<")
        .assert_contains(">yes<");
}

#[test]
fn access_token_that_makes_an_administrator_is_named_with_its_application() {
    let world = world();
    let app = App::confidential(&world, "admin");
    let granted = tokens(&world, "admin", &app, "admin");
    with_token(&world, &granted.access)
        .put("/users/5.json", json!({"user": {"admin": true}}))
        .assert_status(200);
    let found = events(
        &world,
        "user_id, origin, application, changes_json",
        "record = 'user' AND record_id = 5",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0][..2], ["1", "access token"]);
    assert!(found[0][2].contains(&app.client_id), "{found:?}");
    assert_eq!(found[0][3], r#"[["administrator","no","yes"]]"#);
    assert!(!everything(&world).contains(&granted.access));
}

#[test]
fn administrator_who_acts_as_another_user_is_named() {
    let world = world();
    let admin = world
        .as_user("admin")
        .with("X-Redmine-Switch-User", "alice");
    let member = json!({"membership": {"user_id": 5, "role_ids": [4]}});
    admin
        .post("/projects/open/memberships.json", member)
        .assert_status(201);
    for _ in 0..20 {
        admin.get("/users/current.json").assert_status(200);
    }
    finish_deferred_writes(&world);
    let member = events(
        &world,
        "user_id, switched_by, origin",
        "record = 'membership'",
    );
    assert_eq!(member, [["2", "1", "API key"]]);
    let switches = events(&world, "user_id, record_id, details", "record = 'switch'");
    assert_eq!(
        switches,
        [["1", "2", ""], ["1", "2", "10 times within an hour"]]
    );
}

#[test]
fn logins_are_stored_and_what_was_typed_into_the_field_of_the_login_never_is() {
    let world = world();
    Browser::logged_in(&world, "bob");
    let stranger = Browser::new(&world);
    stranger.log_in("alice", "wrong-password", &[]);
    stranger.log_in("my-secret-password", "alice", &[]);
    world
        .anonymous()
        .with(
            "X-Redmine-API-Key",
            "0123456789abcdef0123456789abcdef01234567",
        )
        .get("/users/current.json")
        .assert_status(401);
    finish_deferred_writes(&world);
    let found = events(
        &world,
        "user_id, record_id, change, origin, address",
        "record = 'login'",
    );
    assert_eq!(
        found,
        [
            ["3", "3", "succeeded", "session", "127.0.0.1"],
            ["", "2", "refused", "password", "127.0.0.1"],
            ["", "0", "refused", "password", "127.0.0.1"],
            ["", "0", "refused", "API key", "127.0.0.1"],
        ],
        "accounts are counted individually"
    );
    let stored = everything(&world);
    for secret in ["my-secret-password", "wrong-password", "0123456789abcdef"] {
        assert!(!stored.contains(secret), "{secret}: {stored}");
    }
}

#[test]
fn many_refused_keys_store_few_events() {
    let world = world();
    for number in 0..120 {
        let key = format!("{number:040x}");
        world
            .anonymous()
            .with("X-Redmine-API-Key", &key)
            .get("/users/current.json")
            .assert_status(401);
    }
    finish_deferred_writes(&world);
    let found = events(&world, "details", "change = 'refused'");
    assert_eq!(
        found,
        [
            [""],
            ["10 times within an hour"],
            ["100 times within an hour"]
        ]
    );
}

#[test]
fn no_secret_is_stored() {
    let world = world();
    let admin = world.as_user("admin");
    let user = json!({"user": {"login": "zoe", "firstname": "Zoe", "lastname": "Z", "mail": "zoe@example.org", "password": "a-new-password-1"}});
    admin.post("/users.json", user).assert_status(201);
    let password = json!({"user": {"password": "another-password-2"}});
    admin.put("/users/5.json", password).assert_status(200);
    let key = json!({"setting": {"value": "key-of-a-mail-server"}});
    admin
        .put("/settings/mail_handler_api_key.json", key)
        .assert_status(200);
    let app = App::confidential(&world, "view_issues");
    let granted = tokens(&world, "bob", &app, "view_issues");
    let stored = everything(&world);
    let digests = world.database().rows(
        "SELECT COALESCE(password_hash, ''), COALESCE(api_key_digest, ''), COALESCE(api_key_sealed, '') FROM users",
    );
    let mut secrets = vec![
        "a-new-password-1".to_owned(),
        "another-password-2".to_owned(),
        "key-of-a-mail-server".to_owned(),
        world.key("admin").to_owned(),
        granted.access,
    ];
    secrets.extend(app.secret.clone());
    for row in &digests {
        secrets.extend((0..3).map(|index| row.get::<String>(index)));
    }
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        assert!(!stored.contains(secret.as_str()), "{secret}: {stored}");
    }
    assert!(stored.contains("(hidden)"), "{stored}");
    assert!(stored.contains("password changed"), "{stored}");
}

#[test]
fn failed_write_stores_nothing() {
    let world = world();
    let before = world
        .database()
        .value::<i64>("SELECT COUNT(*) FROM audit_events");
    let admin = world.as_user("admin");
    let settings = json!({"settings": {"app_title": "New", "twofa": "never"}});
    admin.put("/settings.json", settings).assert_status(422);
    let user = json!({"user": {"login": "bob"}});
    admin.post("/users.json", user).assert_status(422);
    let after = world
        .database()
        .value::<i64>("SELECT COUNT(*) FROM audit_events");
    assert_eq!(before, after);
}

#[test]
fn old_events_are_deleted_by_the_job_as_the_setting_says() {
    let world = world();
    world.set(Setting::AppTitle, "First");
    let day = 24 * 3_600 * 1_000_000_i64;
    let count = |world: &World| {
        world
            .database()
            .value::<i64>("SELECT COUNT(*) FROM audit_events WHERE name = 'app_title'")
    };
    world.sql(&format!(
        "UPDATE audit_events SET created_on = created_on - {} WHERE name = 'app_title'",
        366 * day
    ));
    assert_eq!(count(&world), 1);
    world.set(Setting::AuditLogDays, "0");
    quarry::jobs::cleanup::run_once(&world.app).unwrap();
    assert_eq!(count(&world), 1, "0 keeps events for ever");
    world.set(Setting::AuditLogDays, "365");
    quarry::jobs::cleanup::run_once(&world.app).unwrap();
    assert_eq!(count(&world), 0);
}

/// Only the files of the store know the table, and these statements are all that write it.
#[test]
fn only_the_expiry_deletes_events_and_only_deleted_users_are_made_anonymous() {
    let source = include_str!("../../../src/store/administration/audit_events.rs");
    let expression = regex::Regex::new(r"(INSERT INTO|DELETE FROM|UPDATE) audit_events").unwrap();
    let found: Vec<&str> = expression
        .find_iter(source)
        .map(|found| found.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "UPDATE audit_events",
            "UPDATE audit_events",
            "UPDATE audit_events",
            "DELETE FROM audit_events",
            "DELETE FROM audit_events"
        ]
    );
    let anonymize = source.find("pub fn anonymize").unwrap();
    let delete = source.find("pub fn delete_old").unwrap();
    let first_update = source.find("UPDATE audit_events").unwrap();
    let last_update = source.rfind("UPDATE audit_events").unwrap();
    assert!(anonymize < first_update && last_update < delete);
    assert!(delete < source.find("DELETE FROM audit_events").unwrap());
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&folder) {
        if !path.ends_with("administration/audit_events.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!expression.is_match(&text), "{path:?}");
        }
    }
}

fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}
