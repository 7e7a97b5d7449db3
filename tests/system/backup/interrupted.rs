//! A restore that was killed while it moved files.

use super::{Place, failure};
use quarry_world::process::message;
use serde_json::Value;

/// Makes the data folder as a restore leaves it that is killed after it has moved the former secret, and
/// before it has moved the former database.
fn interrupt(place: &Place) {
    let aside = place.path("data/before-restore-2026-11-27T120000Z");
    std::fs::create_dir(&aside).unwrap();
    std::fs::rename(place.path("data/secret"), aside.join("secret")).unwrap();
    std::fs::create_dir(place.path("data/restoring")).unwrap();
    std::fs::write(place.path("data/restoring/secret"), "ab".repeat(32)).unwrap();
    let marker = "Quarry restore, format 1\naside before-restore-2026-11-27T120000Z\nformer secret\n\
                  former quarry.sqlite3\nrestored secret\nrestored quarry.sqlite3\n";
    std::fs::write(place.path("data/restore-incomplete"), marker).unwrap();
}

#[test]
fn interrupted_restore_is_named_by_every_command_and_completed_by_the_next_one() {
    let place = Place::new();
    place.back_up(&[]);
    let secret = std::fs::read(place.path("data/secret")).unwrap();
    interrupt(&place);
    let backups = place.text("backups");
    for arguments in [
        vec!["serve"],
        vec!["user", "list"],
        vec!["backup", &backups],
        vec!["index", "verify"],
    ] {
        let (code, text) = failure(&place.run("data", &arguments));
        let aside = "data/before-restore-2026-11-27T120000Z back into it";
        assert!(
            code == Some(2) && text.contains("`quarry restore` was interrupted"),
            "{arguments:?} {text}"
        );
        assert!(text.contains(aside), "{arguments:?} {text}");
    }
    let output = place.run("data", &["doctor", "--fix", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["name"], "restore-interrupted");
    assert_eq!(output.status.code(), Some(1));
    assert!(!place.path("data/secret").exists());
    // Without --force, the former data are back and nothing is replaced.
    let (code, text) = failure(&place.run("data", &["restore", &backups]));
    assert!(code == Some(2) && text.contains("has data"), "{text}");
    assert_eq!(std::fs::read(place.path("data/secret")).unwrap(), secret);
    assert!(message(&place.run("data", &["user", "list"])).contains("admin"));
    interrupt(&place);
    let printed = place.restore("data", &["--force"]);
    assert!(printed.contains("the former data are in"), "{printed}");
    assert!(!place.path("data/restore-incomplete").exists());
    let service = place.serve("data");
    service.terminate();
    assert!(service.ended().0.success());
}

#[test]
fn other_secret_in_the_folder_is_replaced_with_force() {
    let place = Place::new();
    place.back_up(&[]);
    std::fs::create_dir(place.path("new")).unwrap();
    std::fs::write(place.path("new/secret"), "ab".repeat(32)).unwrap();
    let printed = place.restore("new", &["--force"]);
    assert!(printed.contains("the former data are in"), "{printed}");
    assert_eq!(
        std::fs::read(place.path("new/secret")).unwrap(),
        std::fs::read(place.path("data/secret")).unwrap()
    );
}
