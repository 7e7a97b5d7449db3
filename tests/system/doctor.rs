//! `quarry doctor`: each damage is found, and nothing else; what is safe is mended.

mod damaged_rows;
mod damages;
mod folder;
mod rows;

use crate::full_disk::SmallDisk;
use damages::{DAMAGES, Damage};
use folder::{Folder, report};
use quarry_world::World;
use quarry_world::process::{Service, quarry};
use quarry_world::wait::{TIMEOUT, until};
use std::fs;

#[test]
fn healthy_folder_has_no_finding_with_and_without_a_service_and_nothing_is_written() {
    let folder = Folder::new();
    let records = folder.path("quarry.sqlite3");
    let before = fs::read(&records).unwrap();
    let output = folder.doctor(&[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "nothing is wrong\n"
    );
    assert!(fs::read(&records).unwrap() == before, "the doctor writes");
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.root()));
    assert_eq!(report(&folder.doctor(&["--json"]))["healthy"], true);
    service.terminate();
    assert!(service.ended().0.success());
}

/// Returns the paths and contents of all files below a folder.
fn contents(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = crate::backup::files_below(folder).into_iter();
    files
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[cfg(unix)]
#[test]
fn check_changes_no_file_of_a_folder_whose_service_was_killed() {
    let folder = Folder::new();
    let mut service = Service::start(quarry(&["serve", "--data"]).arg(folder.root()));
    until(TIMEOUT, "the service is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    folder.sql("UPDATE users SET updated_on = updated_on WHERE id = 1");
    service.kill();
    let log = fs::metadata(folder.path("quarry.sqlite3-wal")).unwrap();
    assert!(log.len() > 0);
    let before = contents(&folder.root());
    let output = folder.doctor(&[]);
    assert!(output.status.success(), "{output:?}");
    let after = contents(&folder.root());
    let names = |files: &[(std::path::PathBuf, Vec<u8>)]| -> Vec<std::path::PathBuf> {
        files.iter().map(|(path, _)| path.clone()).collect()
    };
    assert_eq!(names(&before), names(&after));
    for ((path, before), (_, after)) in before.iter().zip(&after) {
        assert!(before == after, "{} was changed", path.display());
    }
    // What is only in the log is checked, too.
    folder.sql_in_log(
        "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 999999, 1)",
    );
    let before = contents(&folder.root());
    let report = report(&folder.doctor(&["--json"]));
    assert_eq!(report["findings"][0]["name"], "orphans", "{report}");
    assert!(contents(&folder.root()) == before);
    // A folder that was closed has neither log nor its index.
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.root()));
    service.terminate();
    assert!(service.ended().0.success());
    let before = contents(&folder.root());
    assert_eq!(folder.doctor(&[]).status.code(), Some(1));
    assert!(contents(&folder.root()) == before);
}

/// Returns the names of the findings; asserts the exit code.
#[track_caller]
fn names(folder: &Folder, damage: &Damage) -> Vec<String> {
    let output = folder.doctor(&["--json"]);
    let report = report(&output);
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}: {output:?}",
        damage.title
    );
    for finding in findings {
        for text in ["problem", "action"] {
            assert!(!finding[text].as_str().unwrap().is_empty(), "{finding}");
        }
    }
    findings
        .iter()
        .map(|finding| finding["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn each_damage_is_found_and_nothing_else() {
    assert!(DAMAGES.len() >= 25);
    let mut failures = Vec::new();
    for damage in DAMAGES {
        let folder = Folder::new();
        (damage.plant)(&folder);
        let found = names(&folder, damage);
        if found != [damage.finding] {
            failures.push(format!(
                "{}: {found:?} instead of {}",
                damage.title, damage.finding
            ));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn values_of_the_wrong_type_are_named_by_table_column_and_rows() {
    let folder = Folder::new();
    folder.sql("UPDATE issues SET subject = x'00ff' WHERE id IN (2, 3)");
    folder.sql("UPDATE issues SET done_ratio = 'much' WHERE id <= 6");
    folder.sql("UPDATE projects SET name = CAST(x'ff' AS TEXT) WHERE id = 1");
    // The other checks are not ended.
    folder.configure("trusted_proxies = \"0.0.0.0/0\"");
    let report = report(&folder.doctor(&["--json"]));
    let finding = &report["findings"][0];
    assert_eq!(finding["name"], "wrong-types", "{report}");
    assert_eq!(finding["severity"], "error");
    assert_eq!(
        finding["details"],
        serde_json::json!([
            "issues.subject has bytes instead of text in 2 rows: 2 (x'00ff'), 3 (x'00ff')",
            "issues.done_ratio has text instead of an integer in 6 rows, the first of them 1 ('much'), 2 ('much'), 3 ('much'), 4 ('much'), 5 ('much')",
            "projects.name has text that is not valid UTF-8 in row 1 ('\u{fffd}')",
        ])
    );
    let others = report["findings"].as_array().unwrap().iter().skip(1);
    let names: Vec<_> = others.map(|finding| finding["name"].clone()).collect();
    assert_eq!(names, ["trusted-proxies"]);
}

#[test]
fn index_verify_finds_altered_bytes_and_reports_a_broken_commit_in_one_line() {
    let folder = Folder::new();
    damages::alter_positions(&folder.path("index"));
    let output = folder.run(&["index", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("missing, truncated or altered"),
        "{message}"
    );
    let metas = damages::files_below(&folder.path("index")).into_iter();
    for path in metas.filter(|path| path.ends_with("meta.json")) {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{{{text}")).unwrap();
    }
    let output = folder.run(&["index", "verify"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let path = folder.path("index").display().to_string();
    let message = message.replace(&path, "INDEX");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(message.chars().count() < 220, "{message}");
    let report = report(&folder.doctor(&["--json"]));
    let problem = report["findings"][0]["problem"].as_str().unwrap();
    assert!(
        problem.chars().count() <= 200 && !problem.contains('\n'),
        "{problem}"
    );
}

#[test]
fn fix_mends_each_safe_damage_and_nothing_else() {
    for damage in DAMAGES {
        let folder = Folder::new();
        (damage.plant)(&folder);
        let output = folder.doctor(&["--json", "--fix"]);
        let report = report(&output);
        if damage.is_fixed {
            assert_eq!(report["healthy"], true, "{}: {report}", damage.title);
            assert_eq!(report["fixed"][0], damage.finding, "{}", damage.title);
            assert!(output.status.success(), "{}", damage.title);
        } else {
            let names: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
            assert_eq!(names.len(), 1, "{}: {report}", damage.title);
            assert_eq!(names[0]["name"], damage.finding, "{}", damage.title);
            assert_eq!(report["fixed"].as_array().unwrap().len(), 0);
        }
    }
}

#[test]
fn fix_of_many_damages_keeps_copies_and_leaves_a_running_service() {
    let folder = Folder::new();
    for damage in DAMAGES.iter().filter(|damage| damage.is_fixed) {
        (damage.plant)(&folder);
    }
    let output = folder.doctor(&["--json", "--fix"]);
    let report = report(&output);
    assert_eq!(report["healthy"], true, "{report}");
    let copies = report["copies"].as_str().unwrap();
    let rows = fs::read_to_string(format!("{copies}/rows.jsonl")).unwrap();
    for table in [
        "watchers",
        "reactions",
        "custom_values",
        "settings",
        "counters",
    ] {
        assert!(rows.contains(&format!("\"table\":\"{table}\"")), "{rows}");
    }
    assert_eq!(fs::read_dir(format!("{copies}/files")).unwrap().count(), 1);
    assert!(
        fs::read_to_string(format!("{copies}/modes.txt"))
            .unwrap()
            .contains("755 ")
    );
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.root()));
    until(TIMEOUT, "the service is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    let (status, body) = service.get("/login", &[]);
    assert_eq!(status, 200, "{body}");
    assert!(folder.doctor(&[]).status.success());
    service.terminate();
    assert!(service.ended().0.success());
    let log = folder.run(&["audit", "list", "--kind", "doctor"]);
    let log = String::from_utf8_lossy(&log.stdout).into_owned();
    for change in ["deleted rows", "set counters", "command line"] {
        assert!(log.contains(change), "{log}");
    }
}

#[test]
fn fix_works_while_the_service_runs() {
    let folder = Folder::new();
    let service = Service::start(quarry(&["serve", "--data"]).arg(folder.root()));
    for damage in DAMAGES.iter().filter(|damage| damage.finding == "orphans") {
        (damage.plant)(&folder);
    }
    let report = report(&folder.doctor(&["--json", "--fix"]));
    assert_eq!(report["healthy"], true, "{report}");
    until(TIMEOUT, "the service is ready", || {
        service.get("/readyz", &[]).0 == 200
    });
    service.terminate();
    assert!(service.ended().0.success());
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_of_files_are_never_followed() {
    let folder = Folder::new();
    let outside = tempfile::tempdir().unwrap();
    let precious = outside.path().join("precious");
    fs::write(&precious, "x").unwrap();
    folder::make_old(&precious);
    fs::create_dir_all(folder.path("files/aa")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path("files/ff")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path("link")).unwrap();
    let output = folder.doctor(&["--fix"]);
    assert!(output.status.success(), "{output:?}");
    assert!(precious.exists());
}

#[test]
fn little_space_is_a_finding() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let folder = Folder::new();
    let index = disk.path("index");
    folder::copy_tree(&folder.path("index"), &index);
    let output = folder.doctor(&["--json", "--index", index.to_str().unwrap()]);
    let report = report(&output);
    assert_eq!(report["findings"][0]["name"], "disk-space", "{report}");
    assert_eq!(
        report["findings"][0]["details"].as_array().unwrap().len(),
        1,
        "only the folder of the index is there: {report}"
    );
}

#[cfg(unix)]
#[test]
fn files_of_another_user_are_a_finding() {
    let folder = Folder::new();
    if std::os::unix::fs::chown(folder.path("secret"), Some(12_345), None).is_err() {
        println!("NOT TESTED: only root can give a file to another user");
        return;
    }
    let report = report(&folder.doctor(&["--json"]));
    assert_eq!(report["findings"][0]["name"], "owner", "{report}");
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report}");
}

#[cfg(unix)]
#[test]
fn fix_leaves_the_modes_of_foreign_entries_and_of_a_folder_that_has_some() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let set_mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    fs::write(folder.path("thesis.tex"), "x").unwrap();
    fs::create_dir(folder.path("public_html")).unwrap();
    for (name, bits) in [
        ("thesis.tex", 0o644),
        ("public_html", 0o755),
        ("secret", 0o644),
    ] {
        set_mode(&folder.path(name), bits);
    }
    set_mode(&folder.root(), 0o755);
    let report = report(&folder.doctor(&["--json", "--fix"]));
    assert_eq!(report["healthy"], true, "{report}");
    assert_eq!(mode(&folder.path("secret")), 0o600);
    assert_eq!(mode(&folder.path("thesis.tex")), 0o644);
    assert_eq!(mode(&folder.path("public_html")), 0o755);
    assert_eq!(mode(&folder.root()), 0o755);
}

#[cfg(unix)]
#[test]
fn fix_builds_no_index_in_a_foreign_folder_and_leaves_its_modes() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let foreign = tempfile::tempdir().unwrap();
    for (name, bits) in [("thesis.tex", 0o644), ("1", 0o644)] {
        fs::write(foreign.path().join(name), "x").unwrap();
        fs::set_permissions(foreign.path().join(name), fs::Permissions::from_mode(bits)).unwrap();
    }
    fs::set_permissions(foreign.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    let index = foreign.path().to_str().unwrap();
    let output = folder.doctor(&["--json", "--fix", "--index", index]);
    let report = report(&output);
    assert_eq!(report["findings"][0]["name"], "index-folder", "{report}");
    assert_eq!(report["findings"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(fs::read_dir(foreign.path()).unwrap().count(), 2);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&foreign.path().join("1")), 0o644);
    assert_eq!(mode(foreign.path()), 0o1777);
}

#[test]
fn young_files_and_folders_of_others_are_left_alone() {
    let folder = Folder::new();
    let name = "b".repeat(64);
    fs::create_dir_all(folder.path("files/bb")).unwrap();
    fs::write(folder.path(&format!("files/bb/{name}")), "arriving").unwrap();
    fs::create_dir_all(folder.path("files/my-backup")).unwrap();
    fs::write(folder.path("files/my-backup/notes"), "mine").unwrap();
    folder::make_old(&folder.path("files/my-backup/notes"));
    assert!(folder.doctor(&[]).status.success());
}

#[test]
fn folder_that_is_no_data_folder_is_a_usage_error_and_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let output = quarry(&["doctor", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn records_on_a_server_are_checked_and_mended() {
    let Some(world) = World::with_projects_in_postgres() else {
        return;
    };
    let statements = "INSERT INTO watchers (watchable_type, watchable_id, user_id) VALUES ('Issue', 999999, 1); \
                      INSERT INTO settings (name, value) VALUES ('twofa', '7'); \
                      UPDATE counters SET value = 0 WHERE name = 'change'; \
                      DROP INDEX issues_by_parent; \
                      ALTER TABLE custom_values DROP CONSTRAINT custom_values_custom_field_id_fkey; \
                      INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value) VALUES ('Principal', 1, 99999, 'x'); \
                      ALTER TABLE bookmarks DROP CONSTRAINT bookmarks_project_id_fkey; \
                      INSERT INTO bookmarks (user_id, project_id) VALUES (1, 99999)";
    let healthy = World::with_projects_in_postgres().unwrap().into_data();
    let output = healthy.quarry(&["doctor", "--json"]).output().unwrap();
    let found = ignoring_clock(&report(&output));
    assert_eq!(found, Vec::<String>::new(), "{output:?}");
    let last = world
        .database()
        .value::<i64>("SELECT COALESCE(MAX(seq), 0) FROM changes");
    let database = world.database();
    let data = world.into_data();
    database.run(statements);
    let output = data.quarry(&["doctor", "--json"]).output().unwrap();
    let mut expected = vec![
        "database-indexes-missing",
        "foreign-keys",
        "orphans",
        "custom-values-without-field",
        "settings",
    ];
    if last > 0 {
        expected.insert(4, "counters");
    }
    assert_eq!(ignoring_clock(&report(&output)), expected, "{output:?}");
    let output = data
        .quarry(&["doctor", "--json", "--fix"])
        .output()
        .unwrap();
    assert_eq!(
        ignoring_clock(&report(&output)),
        ["foreign-keys"],
        "{output:?}"
    );
}

/// Returns the names of the findings without those about times: the records of a world are written with
/// a clock of its own. The index of a world is compared elsewhere.
fn ignoring_clock(report: &serde_json::Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap();
    let names = findings
        .iter()
        .map(|finding| finding["name"].as_str().unwrap().to_owned());
    names
        .filter(|name| {
            !["future-times", "clock", "index-differs", "index-missing"].contains(&name.as_str())
        })
        .collect()
}
