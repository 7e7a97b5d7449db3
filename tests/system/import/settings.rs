//! Imported settings keep the behaviour of the source unless they were changed here.

use super::builtin_users::requested;
use super::complete::{problems, reported};
use super::loader::{copy, ours};
use quarry_world::process::{Service, message, quarry, run};
use quarry_world::redmine_import::import;
use std::path::Path;

fn setting(data: &Path, name: &str) -> String {
    message(&run(data, &["setting", "get", name]))
}

#[test]
fn unchanged_settings_use_redmines_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine.execute_batch("DELETE FROM settings WHERE name = 'rest_api_enabled'; INSERT INTO settings (name, value) VALUES ('new_project_user_role_id', '')").unwrap();
    let text = message(&import(&data, &database, &[]));
    assert!(
        text.contains(
            "\nlogin_required is 0, as in the source: everybody can see public projects; "
        ),
        "{text}"
    );
    assert!(
        text.contains("\nrest_api_enabled is 0, as in the source: the REST API is disabled; "),
        "{text}"
    );
    assert!(
        text.contains("\nhost_name is 127.0.0.1:3999 in the source: it is not imported, because absolute links would lead there; "),
        "{text}"
    );
    assert_eq!(
        (
            setting(&data, "login_required").as_str(),
            setting(&data, "rest_api_enabled").as_str()
        ),
        ("0", "0")
    );
    assert_eq!(
        (
            setting(&data, "host_name").as_str(),
            setting(&data, "protocol").as_str()
        ),
        ("", "http")
    );
    assert_eq!(setting(&data, "default_projects_tracker_ids"), "1,2,3");
    // Reported once, and not reverted by the next run.
    message(&run(&data, &["setting", "set", "rest_api_enabled", "1"]));
    let text = message(&import(&data, &database, &[]));
    assert!(
        !text.contains("as in the source") && text.ends_with("nothing changed"),
        "{text}"
    );
    assert!(
        text.contains("\nhost_name is 127.0.0.1:3999 in the source"),
        "until it is set: {text}"
    );
    message(&run(
        &data,
        &["setting", "set", "host_name", "tracker.test"],
    ));
    let text = message(&import(&data, &database, &[]));
    assert!(!text.contains("host_name is"), "{text}");
    assert_eq!(setting(&data, "rest_api_enabled"), "1");
    // Changes in the source are imported, but not over local settings.
    redmine.execute_batch("INSERT INTO settings (name, value) VALUES ('login_required', '1'), ('rest_api_enabled', '1'), ('search_results_per_page', '7')").unwrap();
    message(&import(&data, &database, &[]));
    message(&run(
        &data,
        &["setting", "set", "search_results_per_page", "9"],
    ));
    redmine
        .execute_batch("UPDATE settings SET value = '8' WHERE name = 'search_results_per_page'")
        .unwrap();
    let (_, report) = reported(&data, &database, &[]);
    assert_eq!(
        problems(&report, "settings (in use)")[0].2,
        "search_results_per_page is \"8\" in the source, but was set here"
    );
    assert_eq!(
        (
            setting(&data, "login_required").as_str(),
            setting(&data, "search_results_per_page").as_str()
        ),
        ("1", "9")
    );
}

#[test]
fn settings_changed_before_the_import_stay() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, _redmine) = copy(folder.path());
    let service = Service::start(quarry(&["serve", "--data"]).arg(&data));
    service.terminate();
    assert!(service.ended().0.success());
    message(&run(&data, &["setting", "set", "login_required", "1"]));
    let (_, report) = reported(&data, &database, &[]);
    assert_eq!(
        problems(&report, "settings (in use)")[0].2,
        "login_required is \"0\" in the source, but was set here"
    );
    assert_eq!(requested(&data, "/issues.json", &[]).0, 401);
    assert_eq!(
        ours(&data)
            .query_row(
                "SELECT value FROM settings WHERE name = 'login_required'",
                [],
                |row| row.get::<_, String>(0)
            )
            .unwrap(),
        "1"
    );
}

#[test]
fn broken_setting_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "INSERT INTO settings (id, name, value) VALUES (90, 'login_required', 'perhaps')",
        )
        .unwrap();
    let (output, report) = reported(&data, &database, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        problems(&report, "settings (in use)"),
        [(
            90,
            "broken".to_owned(),
            "login_required must be 1 or 0".to_owned()
        )]
    );
    assert_eq!(setting(&data, "login_required"), "1");
}

#[test]
fn host_name_and_protocol_are_not_imported_and_the_attention_page_asks_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let (database, redmine) = copy(folder.path());
    redmine
        .execute_batch(
            "DELETE FROM settings WHERE name IN ('host_name', 'protocol', 'rest_api_enabled');
             INSERT INTO settings (name, value) VALUES ('host_name', 'old.example.net'), ('protocol', 'https'), ('rest_api_enabled', '1')",
        )
        .unwrap();
    let data = tempfile::tempdir().unwrap();
    let (_, report) = reported(data.path(), &database, &[]);
    let notes = report["said"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note.as_str().unwrap())
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        notes.contains("host_name is old.example.net in the source")
            && notes.contains("protocol is https in the source"),
        "{notes}"
    );
    let world = quarry_world::World::over(data);
    let found = world
        .anonymous()
        .basic("alice", "alicealice")
        .get("/search.json?q=rocket")
        .assert_status(200);
    assert!(!found.body.contains("old.example.net"), "{}", found.body);
    let browser = quarry_world::browser::Browser::new(&world);
    assert!(browser.log_in("admin", "adminadmin", &[]).status < 400);
    let page = browser.get("/admin").assert_status(200).body;
    assert!(
        page.contains("The host name is not set") && page.contains("Set it and the protocol"),
        "{page}"
    );
}
