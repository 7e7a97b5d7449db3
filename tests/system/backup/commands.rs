//! `quarry backup` and `quarry restore`: what they print, refuse and leave alone.

use super::{Place, attach, failure, files_below};
use quarry_world::process::{message, quarry};
use std::os::unix::fs::{PermissionsExt, symlink};

#[test]
fn secret_is_in_a_backup_only_on_request() {
    let place = Place::new();
    let backups = place.text("backups");
    let printed = message(&place.run("data", &["backup", &backups]));
    assert!(
        printed.contains("left out: secret (without it, API keys"),
        "{printed}"
    );
    assert!(printed.contains("left out: index"), "{printed}");
    let secret = std::fs::read_to_string(place.path("data/secret")).unwrap();
    let has_secret = |place: &Place| {
        files_below(&place.path("backups")).iter().any(|path| {
            let bytes = std::fs::read(path).unwrap();
            bytes
                .windows(64)
                .any(|window| window == secret.trim().as_bytes())
        })
    };
    assert!(!has_secret(&place));
    let (code, text) = failure(&place.run("new", &["restore", &backups]));
    assert_eq!(code, Some(2));
    assert!(
        text.contains("--secret-file") && text.contains("--new-secret"),
        "{text}"
    );
    let kept = place.text("data/secret");
    place.restore("new", &["--secret-file", &kept]);

    std::fs::write(place.path("passphrase"), "correct horse battery staple\n").unwrap();
    let passphrase = place.text("passphrase");
    message(&place.run(
        "data",
        &["backup", &backups, "--passphrase-file", &passphrase],
    ));
    assert!(!has_secret(&place));
    let (code, text) = failure(&place.run("other", &["restore", &backups]));
    assert!(
        code == Some(2) && text.contains("--passphrase-file"),
        "{text}"
    );
    place.restore("other", &["--passphrase-file", &passphrase]);
    let restored = std::fs::read_to_string(place.path("other/secret")).unwrap();
    assert_eq!(restored.trim(), secret.trim());
    message(&place.run(
        "data",
        &[
            "backup",
            "verify",
            &backups,
            "--passphrase-file",
            &passphrase,
        ],
    ));

    place.back_up(&[]);
    assert!(has_secret(&place));
    let states: Vec<_> = place
        .list()
        .iter()
        .map(|backup| backup["secret"].clone())
        .collect();
    assert_eq!(states, ["left out", "encrypted", "included"]);
}

#[test]
fn configuration_with_a_password_is_treated_as_the_secret() {
    let place = Place::new();
    let backups = place.text("backups");
    let file = place.path("data/quarry.toml");
    std::fs::write(&file, "body_limit = \"7MiB\"\n").unwrap();
    message(&place.run("data", &["backup", &backups]));
    let secret = place.text("data/secret");
    place.restore("new", &["--secret-file", &secret]);
    let restored = std::fs::read_to_string(place.path("new/quarry.toml")).unwrap();
    assert_eq!(restored, "body_limit = \"7MiB\"\n");
    std::fs::write(
        &file,
        "mail = \"smtp://u:hidden-in-url@h\"\nmail_from = \"a@example.org\"\n",
    )
    .unwrap();
    let printed = message(&place.run("data", &["backup", &backups]));
    assert!(
        printed.contains("left out: quarry.toml (it may have passwords)"),
        "{printed}"
    );
    for path in files_below(&place.path("backups")) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            !bytes.windows(13).any(|window| window == b"hidden-in-url"),
            "{}",
            path.display()
        );
    }
    place.back_up(&[]);
    place.restore("whole", &[]);
    let restored = std::fs::read_to_string(place.path("whole/quarry.toml")).unwrap();
    assert!(restored.contains("hidden-in-url"));
}

#[test]
fn files_of_backups_and_of_restored_data_are_private() {
    let place = Place::new();
    let service = place.serve("data");
    attach(&service, b"content");
    place.back_up(&[]);
    place.restore("new", &[]);
    for folder in ["backups", "new"] {
        for path in files_below(&place.path(folder)) {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
            let folder = std::fs::metadata(path.parent().unwrap()).unwrap();
            assert_eq!(
                folder.permissions().mode() & 0o777,
                0o700,
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn folder_with_data_is_replaced_only_with_force_and_not_under_a_service() {
    let place = Place::new();
    place.back_up(&[]);
    let backups = place.text("backups");
    let (code, text) = failure(&place.run("data", &["restore", &backups]));
    assert!(
        code == Some(2) && text.contains("has data") && text.contains("--force"),
        "{text}"
    );
    let service = place.serve("data");
    attach(&service, b"after the backup");
    let (_, text) = failure(&place.run("data", &["restore", &backups, "--force"]));
    assert!(text.contains("in use by a service"), "{text}");
    service.terminate();
    assert!(service.ended().0.success());
    // Certificates stay, and so does what the doctor has kept.
    let others = ["data/acme", "data/doctor-2026-11-20T12-00-00Z"].map(|name| place.path(name));
    for other in &others {
        std::fs::create_dir(other).unwrap();
    }
    let printed = place.restore("data", &["--force"]);
    assert!(others.iter().all(|other| other.is_dir()));
    let former = printed.split_once("the former data are in ").unwrap().1;
    let former = former.split(';').next().unwrap();
    assert!(
        std::path::Path::new(former).join("quarry.sqlite3").exists(),
        "{printed}"
    );
    let service = place.serve("data");
    let key = format!("X-Service-API-Key: {}", quarry_world::data_folder::KEY);
    assert!(
        service
            .get("/issues.json", &[&key])
            .1
            .contains("\"total_count\":0")
    );
    std::fs::create_dir(place.path("foreign")).unwrap();
    std::fs::write(place.path("foreign/thesis.tex"), "x").unwrap();
    let (code, text) = failure(&place.run("foreign", &["restore", &backups, "--force"]));
    assert!(code == Some(2) && text.contains("thesis.tex"), "{text}");
    assert_eq!(files_below(&place.path("foreign")).len(), 1);
}

#[test]
fn wrong_folders_and_names_are_refused() {
    let place = Place::new();
    place.back_up(&[]);
    let backups = place.text("backups");
    for (data, arguments, expected) in [
        ("data", vec!["backup", "list", "/nowhere"], "has no backups"),
        (
            "data",
            vec!["backup", "verify", &backups, "../data"],
            "has no backup ../data",
        ),
        (
            "new",
            vec!["restore", &backups, "../../etc"],
            "has no backup ../../etc",
        ),
        (
            "new",
            vec!["restore", &backups, "2001-01-01T000000Z"],
            "has no backup 2001",
        ),
        ("missing", vec!["backup", &backups], "is not a data folder"),
        (
            "data",
            vec!["backup", &backups, "--without-records"],
            "PostgreSQL",
        ),
        ("data", vec!["backup", &backups, "--keep", "7"], "7d,4w,6m"),
        ("data", vec!["backup"], "DIR"),
    ] {
        let (code, text) = failure(&place.run(data, &arguments));
        assert!(
            code == Some(2) && text.contains(expected),
            "{arguments:?} {text}"
        );
    }
    std::fs::create_dir(place.path("foreign")).unwrap();
    std::fs::write(place.path("foreign/thesis.tex"), "x").unwrap();
    let foreign = place.text("foreign");
    let (_, text) = failure(&place.run("data", &["backup", &foreign]));
    assert!(text.contains("is not empty and has no backups"), "{text}");
    assert!(!place.path("missing").exists());
}

#[test]
fn verify_and_list_go_on_after_a_backup_that_cannot_be_checked() {
    let place = Place::new();
    let backups = place.text("backups");
    let mut names = Vec::new();
    for passphrase in ["first", "second"] {
        let file = place.text(passphrase);
        std::fs::write(&file, format!("{passphrase} horse battery")).unwrap();
        let arguments = ["backup", &backups, "--passphrase-file", &file];
        message(&place.run("data", &arguments));
        names.push(place.list().last().unwrap()["name"].clone());
    }
    let second = place.text("second");
    let arguments = ["backup", "verify", &backups, "--passphrase-file", &second];
    let output = place.run("data", &arguments);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(output.status.code(), Some(1));
    assert!(lines.len() == 2, "{printed}");
    assert!(lines[0].contains("the passphrase is wrong"), "{printed}");
    assert!(lines[1].contains("intact"), "{printed}");
    // Not a text of the manifest reaches the terminal as it is.
    let manifest = place
        .path("backups")
        .join(names[0].as_str().unwrap())
        .join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("0.1.0", "\\u001b[2J")).unwrap();
    let output = place.run("data", &["backup", "list", &backups]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        printed.contains("(damaged)") && printed.contains("its digest is not"),
        "{printed}"
    );
    assert!(printed.contains(names[1].as_str().unwrap()), "{printed}");
}

#[test]
fn backups_in_the_data_folder_are_refused_by_command_and_configuration() {
    let place = Place::new();
    place.back_up(&[]);
    symlink(place.path("data"), place.path("link")).unwrap();
    for folder in ["data", "data/backups", "link/backups", "."] {
        let backups = place.text(folder);
        for arguments in [
            vec!["backup", &backups],
            vec!["serve", "--backup", &backups],
        ] {
            let (code, text) = failure(&place.run("data", &arguments));
            assert!(
                code == Some(2) && text.contains("must not contain each other"),
                "{arguments:?} {text}"
            );
        }
    }
    let backups = place.text("backups");
    let (code, text) = failure(&place.run("backups/new", &["restore", &backups]));
    assert!(
        code == Some(2) && text.contains("must not contain each other"),
        "{text}"
    );
    assert!(!place.path("data/backups").exists() && !place.path("backups/new").exists());
}

#[test]
fn comments_of_the_configuration_are_in_a_backup_only_with_the_secret() {
    let place = Place::new();
    let backups = place.text("backups");
    let text = "# mail = \"smtp://u:in-a-comment@h\"\nbody_limit = \"7MiB\" # was in-a-comment\n";
    std::fs::write(place.path("data/quarry.toml"), text).unwrap();
    let passphrase = place.text("passphrase");
    std::fs::write(&passphrase, "correct horse battery").unwrap();
    let printed = message(&place.run("data", &["backup", &backups]));
    assert!(
        printed.contains("left out: comments of quarry.toml (they may have passwords)"),
        "{printed}"
    );
    let secret = place.text("data/secret");
    place.restore("without", &["--secret-file", &secret]);
    let restored = std::fs::read_to_string(place.path("without/quarry.toml")).unwrap();
    assert_eq!(restored, "body_limit = \"7MiB\"\n");
    let options = ["--passphrase-file", &passphrase];
    message(&place.run("data", &[&["backup", &backups], &options[..]].concat()));
    for path in files_below(&place.path("backups")) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            !bytes.windows(12).any(|window| window == b"in-a-comment"),
            "{}",
            path.display()
        );
    }
    place.restore("encrypted", &options);
    place.back_up(&[]);
    place.restore("plain", &[]);
    for folder in ["encrypted", "plain"] {
        let path = place.path(folder).join("quarry.toml");
        assert_eq!(std::fs::read_to_string(path).unwrap(), text, "{folder}");
    }
}

#[test]
fn missing_file_is_named_and_fails_the_command_but_not_the_backup() {
    let place = Place::new();
    let service = place.serve("data");
    attach(&service, b"lost");
    attach(&service, b"kept");
    let files = files_below(&place.path("data/files"));
    let lost = files
        .iter()
        .find(|path| std::fs::read(path).unwrap() == b"lost")
        .unwrap();
    std::fs::remove_file(lost).unwrap();
    let backups = place.text("backups");
    let output = place.run("data", &["backup", &backups, "--secret"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let name = lost.file_name().unwrap().to_str().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        printed.contains(&format!("not backed up: the file {name} is missing")),
        "{printed}"
    );
    place.verify();
    assert!(place.restore("new", &[]).contains("missing: 1 files"));
}

#[test]
fn damaged_backup_is_reported_by_verify_and_refused_by_restore() {
    let place = Place::new();
    place.back_up(&[]);
    place.verify();
    let name = place.list()[0]["name"].as_str().unwrap().to_owned();
    let path = place.path("backups").join(&name).join("quarry.sqlite3");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[50_000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let backups = place.text("backups");
    let output = place.run("data", &["backup", "verify", &backups]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.code() == Some(1) && printed.contains(&format!("{name}: damaged")),
        "{printed}"
    );
    let (code, text) = failure(&place.run("new/a/b", &["restore", &backups]));
    assert!(
        code == Some(1) && text.contains("its bytes have changed"),
        "{text}"
    );
    assert!(!place.path("new").exists());
}

#[test]
fn retention_keeps_the_latest_and_list_shows_what_is_left() {
    let place = Place::new();
    for _ in 0..3 {
        place.back_up(&[]);
    }
    assert_eq!(place.list().len(), 3);
    let printed = place.back_up(&["--keep", "1d"]);
    assert_eq!(
        printed
            .lines()
            .filter(|line| line.starts_with("deleted: "))
            .count(),
        3
    );
    assert_eq!(place.list().len(), 1);
    let table = message(&place.run("data", &["backup", "list", &place.text("backups")]));
    assert_eq!(table.lines().count(), 2, "{table}");
}

#[test]
fn sha256sum_of_the_system_checks_a_backup() {
    let place = Place::new();
    let service = place.serve("data");
    place.back_up(&[]);
    attach(&service, b"content");
    place.back_up(&[]);
    let check = |name: &str| {
        std::process::Command::new("sh")
            .args(["-c", "cat *.sha256 | sha256sum --check --strict"])
            .current_dir(place.path("backups").join(name))
            .output()
            .unwrap()
    };
    let names: Vec<String> = place
        .list()
        .iter()
        .map(|backup| backup["name"].as_str().unwrap().to_owned())
        .collect();
    // Also the one without files of attachments.
    for name in &names {
        let checked = check(name);
        assert!(checked.status.success(), "{checked:?}");
    }
    let records = place.path("backups").join(&names[0]).join("quarry.sqlite3");
    let mut bytes = std::fs::read(&records).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&records, bytes).unwrap();
    let checked = check(&names[0]);
    let printed = String::from_utf8(checked.stdout).unwrap();
    assert!(printed.contains("quarry.sqlite3: FAILED"), "{printed}");
    assert!(!checked.status.success());
}

#[test]
fn linked_folder_of_backups_is_used_and_links_in_the_target_are_not() {
    let place = Place::new();
    std::fs::create_dir(place.path("elsewhere")).unwrap();
    symlink(place.path("elsewhere"), place.path("backups")).unwrap();
    place.back_up(&[]);
    assert!(place.path("elsewhere/quarry-backups").exists());
    let outside = place.path("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(place.path("new")).unwrap();
    symlink(&outside, place.path("new/files")).unwrap();
    let backups = place.text("backups");
    let (code, _) = failure(&place.run("new", &["restore", &backups]));
    assert_eq!(code, Some(2));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    let mut command = quarry(&["backup", "list"]);
    let listed = message(&command.arg(place.path("backups")).output().unwrap());
    assert_eq!(listed.lines().count(), 2);
}
