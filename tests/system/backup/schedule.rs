//! Backups of the schedule, what administrators see of them, and the mails about failures.

use super::Place;
use crate::mail::{MailServer, count, send, world as mail_world};
use jiff::SignedDuration;
use quarry::app::backups::{self as app_backups, BackupOptions};
use quarry::config::{BackupSecret, Config, ConfigFile, Key};
use quarry::domain::administration::backup::LastBackup;
use quarry::jobs::backup::run_once;
use quarry::store::backup::{list, status};
use quarry::store::copy::Progress;
use quarry_world::World;
use quarry_world::browser::Browser;
use quarry_world::process::{Service, quarry};
use quarry_world::wait::{TIMEOUT, until};
use std::path::Path;

fn page(world: &World, path: &str) -> String {
    let browser = Browser::logged_in(world, "admin");
    browser.get(path).assert_status(200).body
}

fn with_backup(world: World, folder: &Path) -> World {
    world.with_backup(&[(Key::Backup, folder.to_str().unwrap())])
}

#[test]
fn due_backup_is_made_once_and_shown_to_administrators() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    let world = World::with_projects();
    assert!(!run_once(&world.app).unwrap(), "none is scheduled");
    assert!(page(&world, "/admin").contains("There is no backup, and none is scheduled."));
    let world = with_backup(world, &backups);
    let before = page(&world, "/admin/index");
    assert!(
        before.contains("none yet") && before.contains("next at 2026-11-21 03:00 UTC"),
        "{before}"
    );
    assert!(run_once(&world.app).unwrap());
    assert!(!run_once(&world.app).unwrap());
    let made = list(&backups).unwrap();
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].name, "2026-11-20T120000Z");
    let status = world.app.backup_status().unwrap();
    assert_eq!(status.age(world.app.clock.now()).unwrap().as_secs(), 0);
    assert!(status.last.unwrap().bytes > 1000);
    let shown = page(&world, "/admin/index");
    assert!(
        shown.contains("2026-11-20 12:00 UTC, 0 seconds ago"),
        "{shown}"
    );
    assert!(shown.contains("backups/2026-11-20T120000Z"), "{shown}");
    assert!(!page(&world, "/admin").contains("backup"));
}

#[test]
fn backup_with_a_time_in_the_future_does_not_stop_the_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    let world = with_backup(World::with_projects(), &backups);
    assert!(run_once(&world.app).unwrap());
    world.sql("UPDATE store_properties SET value = REPLACE(value, '2026-11-20T12', '2031-11-20T12') WHERE name = 'last_backup'");
    assert!(page(&world, "/admin").contains("overdue"));
    assert!(run_once(&world.app).unwrap());
    assert!(!run_once(&world.app).unwrap());
    assert!(!page(&world, "/admin").contains("overdue"));
    assert_eq!(list(&backups).unwrap()[0].name, "2026-11-20T120000Z-2");
}

struct Silent;

impl Progress for Silent {
    fn start(&mut self, _label: &str, _count: u64) {}
    fn advance(&mut self, _count: u64) {}
    fn finish(&mut self) {}
}

#[test]
fn configuration_that_has_got_a_password_since_the_start_is_not_in_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    let path = folder.path().join("q.toml");
    let world = World::with_projects();
    let config = Config {
        file: Some(ConfigFile { path: path.clone() }),
        ..world.app.config.clone()
    };
    let mut number = 0;
    let mut back_up = || {
        number += 1;
        let options = BackupOptions {
            folder: &backups,
            secret: &BackupSecret::Omit,
            keep: None,
            without_records: false,
        };
        let now = world.app.clock.now() + SignedDuration::from_secs(number);
        let report = app_backups::create(&config, &options, now, &mut Silent).unwrap();
        let folder = backups.join(report.name);
        (
            std::fs::read_to_string(folder.join("configuration.toml")).ok(),
            report.manifest.left_out,
        )
    };
    let harmless = "log = \"info\"\n";
    std::fs::write(&path, harmless).unwrap();
    assert_eq!(back_up().0.as_deref(), Some(harmless));
    for text in [
        "mail = \"smtp://me:hunter2@127.0.0.1:4150\"",
        "mail_password = \"hunter2\"",
        "store = \"postgres://me@h/d?pass%77ord=hunter2\"",
        "mail = \"smtp://me:hunter2@",
    ] {
        std::fs::write(&path, text).unwrap();
        let (copied, left_out) = back_up();
        assert_eq!(copied, None, "{text}");
        assert_eq!(left_out["configuration.toml"], "it may have passwords");
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let left_out = back_up().1;
    assert_eq!(left_out["configuration.toml"], "it is not a regular file");
}

#[test]
fn missing_backup_needs_attention() {
    let folder = tempfile::tempdir().unwrap();
    let world = with_backup(World::with_projects(), folder.path());
    let note = |world: &World, time: &str| {
        let last = LastBackup {
            name: "<b>name".to_owned(),
            folder: "/<i>folder".to_owned(),
            created_on: time.parse().unwrap(),
            bytes: 2048,
            problems: 2,
        };
        world.write(move |db| status::note_success(db, &last));
    };
    note(&world, "2026-11-20T03:00:00Z");
    assert!(!page(&world, "/admin").contains("overdue"));
    note(&world, "2026-11-20T02:59:00Z");
    let shown = page(&world, "/admin");
    let expected = "The scheduled backup is overdue. The last one is 9 hours 1 minute old.";
    assert!(shown.contains(expected), "{shown}");
    let shown = page(&world, "/admin/index");
    assert!(
        shown.contains("2 files of attachments")
            && !shown.contains("<b>name")
            && !shown.contains("<i>folder"),
        "{shown}"
    );
}

#[test]
fn failure_is_mailed_once_until_a_backup_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    let server = MailServer::start();
    let world = with_backup(mail_world(&server), &backups);
    world.sql("UPDATE users SET admin = 1 WHERE login IN ('alice', 'erin')");
    std::fs::write(&backups, "a file").unwrap();
    for _ in 0..3 {
        assert!(run_once(&world.app).is_err());
        assert_eq!(count(&world, "waiting"), 2, "erin is locked");
    }
    send(&world);
    let mails = server.take();
    assert_eq!(mails.len(), 2);
    let text = format!("{:?}", mails[0]);
    assert!(
        text.contains("The scheduled backup has failed") && text.contains("backups"),
        "{text}"
    );
    let shown = page(&world, "/admin");
    assert!(
        shown.contains("The scheduled backup has failed. There is none yet."),
        "{shown}"
    );
    assert!(page(&world, "/admin/index").contains("Failing"));
    std::fs::remove_file(&backups).unwrap();
    assert!(run_once(&world.app).unwrap());
    assert!(!page(&world, "/admin").contains("backup"));
    assert!(!page(&world, "/admin/index").contains("Failing"));
    // The next failure is another series.
    world.sql("UPDATE store_properties SET value = REPLACE(value, '2026-11-20T12', '2026-11-19T12') WHERE name = 'last_backup'");
    std::fs::remove_dir_all(&backups).unwrap();
    std::fs::write(&backups, "a file").unwrap();
    assert!(run_once(&world.app).is_err());
    assert_eq!(count(&world, "waiting"), 2);
    // Somebody who is no administrator any more gets none.
    world.sql("UPDATE users SET admin = 0 WHERE login = 'alice'");
    send(&world);
    assert_eq!(server.take().len(), 1);
}

#[test]
fn running_service_makes_the_first_backup_soon_after_its_start() {
    let place = Place::new();
    let backups = place.text("backups");
    let start = || {
        let mut command = quarry(&["serve", "--log", "warn", "--backup", &backups, "--data"]);
        Service::start(command.arg(place.path("data")))
    };
    let service = start();
    until(TIMEOUT, "the first backup is made", || {
        list(&place.path("backups")).is_ok_and(|backups| backups.len() == 1)
    });
    place.verify();
    service.terminate();
    let (status, log) = service.ended();
    assert!(status.success() && log.is_empty(), "{log}");
    assert_eq!(place.list()[0]["secret"], "left out");
}
