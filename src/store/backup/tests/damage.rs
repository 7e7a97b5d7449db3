//! Damaged and hostile folders of backups.

use super::*;

#[test]
fn each_flipped_byte_is_noticed() {
    let place = Place::new();
    place.attach("content");
    place.create("2026-11-27T03:00:00Z");
    let files = files_below(&place.path("backups"));
    let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap()).collect();
    assert_eq!(files.len(), 8, "{names:?}");
    let mut flipped = 0;
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        // The digest of the large file takes milliseconds; the rest is checked byte by byte.
        let step = if bytes.len() > 1 << 16 { 4999 } else { 1 };
        for index in (0..bytes.len())
            .step_by(step)
            .chain(bytes.len().checked_sub(1))
        {
            let mut changed = bytes.clone();
            changed[index] ^= 1 << (index % 8);
            std::fs::write(path, &changed).unwrap();
            let problems = place.problems();
            assert!(!problems.is_empty(), "{} {index}", path.display());
            flipped += 1;
        }
        for changed in [
            &bytes[..bytes.len().saturating_sub(1)],
            &[&bytes[..], b"x"].concat(),
        ] {
            if changed != bytes && path.file_name().unwrap() != "lock" {
                std::fs::write(path, changed).unwrap();
                assert!(
                    !place.problems().is_empty(),
                    "{} is cut or longer",
                    path.display()
                );
            }
        }
        std::fs::write(path, &bytes).unwrap();
    }
    assert!(flipped > 3_000, "{flipped}");
    assert_eq!(place.problems(), [""; 0]);
    for path in files
        .iter()
        .filter(|path| path.file_name().unwrap() != "lock")
    {
        let bytes = std::fs::read(path).unwrap();
        std::fs::remove_file(path).unwrap();
        assert!(
            !place.problems().is_empty(),
            "{} is missing",
            path.display()
        );
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn each_flipped_byte_of_a_small_database_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(manifest::DATABASE);
    let connection = crate::engine::Connection::open_writer(
        &crate::engine::DatabaseLocation::File(path.clone()),
    )
    .unwrap();
    connection.execute("CREATE TABLE t (x TEXT)", &[]).unwrap();
    connection
        .execute("INSERT INTO t VALUES ('row')", &[])
        .unwrap();
    connection.finish_bulk().unwrap();
    drop(connection);
    let bytes = std::fs::read(&path).unwrap();
    let expected = files::fingerprint(&path, &mut |_| true).unwrap();
    for index in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 0x10;
        assert_ne!(files::fingerprint_of(&changed), expected, "{index}");
    }
}

#[test]
fn damaged_backup_is_not_restored_and_leaves_the_target_as_it_was() {
    let place = Place::new();
    let sha256 = place.attach("content");
    let name = place.create("2026-11-27T03:00:00Z").name;
    let content = place.path("backups/files").join(&sha256[..2]).join(&sha256);
    for path in [
        place.path("backups").join(&name).join("quarry.sqlite3"),
        place.path("backups").join(&name).join("secret"),
        place.path("backups").join(&name).join("contents.sha256"),
        content.clone(),
    ] {
        let bytes = std::fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        changed[5] ^= 1;
        std::fs::write(&path, changed).unwrap();
        assert!(place.restore(|_| {}).is_err(), "{}", path.display());
        assert!(!place.path("restored").exists());
        std::fs::write(&path, bytes).unwrap();
    }
    std::fs::write(&content, "changed").unwrap();
    place
        .restore(|request| request.skips_damaged = true)
        .unwrap();
    assert_eq!(place.count("restored", COUNT_USERS), 1);
    assert!(
        !place
            .path("restored/files")
            .join(&sha256[..2])
            .join(&sha256)
            .exists()
    );
}

#[test]
fn missing_and_damaged_files_are_named_and_the_rest_is_backed_up() {
    let place = Place::new();
    let [missing, damaged, good] = ["missing", "damaged", "good"].map(|text| place.attach(text));
    let path = |sha256: &str| place.path("data/files").join(&sha256[..2]).join(sha256);
    std::fs::remove_file(path(&missing)).unwrap();
    std::fs::write(path(&damaged), "altered").unwrap();
    let manifest = place.create("2026-11-27T03:00:00Z").manifest;
    assert_eq!(
        (&manifest.contents.missing, &manifest.contents.damaged),
        (&vec![missing], &vec![damaged])
    );
    assert_eq!(manifest.contents.count, 1);
    assert_eq!(place.problems(), [""; 0]);
    place.restore(|_| {}).unwrap();
    assert!(
        place
            .path("restored/files")
            .join(&good[..2])
            .join(&good)
            .exists()
    );
}

#[test]
#[cfg(unix)]
fn links_in_a_hostile_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let sha256 = place.attach("content");
    let name = place.create("2026-11-27T03:00:00Z").name;
    let backup = place.path("backups").join(&name);
    let content = place.path("backups/files").join(&sha256[..2]).join(&sha256);
    for path in [
        backup.join("secret"),
        backup.join("quarry.sqlite3"),
        backup.join("manifest.json"),
        content,
    ] {
        let outside = place.path("outside");
        std::fs::rename(&path, &outside).unwrap();
        symlink(&outside, &path).unwrap();
        assert!(
            place.restore(|_| {}).is_err() && !place.problems().is_empty(),
            "{}",
            path.display()
        );
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(&outside, &path).unwrap();
    }
    let outside = place.path("outside");
    std::fs::create_dir_all(outside.join("x")).unwrap();
    symlink(&outside, place.path("backups/incomplete")).unwrap();
    std::fs::create_dir_all(place.path("restored")).unwrap();
    symlink(&outside, place.path("restored/restoring")).unwrap();
    symlink(&backup, place.path("backups/2026-11-29T030000Z")).unwrap();
    place.create("2026-11-28T03:00:00Z");
    place.restore(|_| {}).unwrap();
    assert!(outside.join("x").exists() && std::fs::read_dir(&outside).unwrap().count() == 1);
    assert_eq!(list(&place.path("backups")).unwrap().len(), 2);
}

#[test]
#[cfg(unix)]
fn linked_lock_and_folders_of_contents_are_refused() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let sha256 = place.attach("content");
    place.create("2026-11-27T03:00:00Z");
    let outside = place.path("outside");
    for name in ["lock", "files", &format!("files/{}", &sha256[..2])] {
        let path = place.path("backups").join(name);
        std::fs::rename(&path, &outside).unwrap();
        symlink(&outside, &path).unwrap();
        assert!(!place.problems().is_empty(), "{name}");
        assert!(place.restore(|_| {}).is_err(), "{name}");
        let refused = place.create_with("2026-11-28T03:00:00Z", &SecretCopy::Omit, None);
        assert!(refused.is_err(), "{name}");
        std::fs::remove_file(&path).unwrap();
        std::fs::rename(&outside, &path).unwrap();
    }
    let lock = place.path("backups/lock");
    std::fs::remove_file(&lock).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &lock,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    assert!(!place.problems().is_empty());
    let refused = place.create_with("2026-11-28T03:00:00Z", &SecretCopy::Omit, None);
    assert!(refused.is_err());
    std::fs::remove_file(&lock).unwrap();
    assert_eq!(place.problems(), [""; 0]);
}

/// Replaces the list of files of a backup, and the manifest and its digest so that they fit.
fn forge_list(backup: &Path, list: &str, count: u64) {
    let path = backup.join("contents.sha256");
    let mut manifest = Manifest::load(backup).unwrap();
    manifest.contents.count = count;
    for (name, fingerprint) in &mut manifest.files {
        if name == manifest::CONTENTS {
            *fingerprint = files::fingerprint_of(list.as_bytes());
        }
    }
    std::fs::write(path, list).unwrap();
    for name in ["manifest.json", "manifest.json.sha256"] {
        std::fs::remove_file(backup.join(name)).unwrap();
    }
    manifest.write(backup).unwrap();
}

#[test]
fn file_of_an_attachment_that_the_list_lacks_is_a_problem() {
    let place = Place::new();
    let sha256 = place.attach("content");
    let name = place.create("2026-11-27T03:00:00Z").name;
    forge_list(&place.path("backups").join(name), "", 0);
    let expected = format!("the file {sha256} of an attachment is not in the backup");
    assert_eq!(place.problems(), [expected]);
    assert!(matches!(
        place.restore(|_| {}),
        Err(BackupError::LostContents { count: 1, .. })
    ));
    place
        .restore(|request| request.skips_damaged = true)
        .unwrap();
}

#[test]
fn repeated_and_unsorted_lines_of_the_list_are_refused() {
    let place = Place::new();
    for content in ["first", "second"] {
        place.attach(content);
    }
    let name = place.create("2026-11-27T03:00:00Z").name;
    let backup = place.path("backups").join(name);
    let list = std::fs::read_to_string(backup.join("contents.sha256")).unwrap();
    let lines: Vec<&str> = list.lines().collect();
    for forged in [
        format!("{0}\n{0}\n", lines[0]),
        format!("{}\n{}\n", lines[1], lines[0]),
    ] {
        forge_list(&backup, &forged, 2);
        assert!(place.problems()[0].ends_with("its lines are not sorted, or repeated"));
        assert!(place.restore(|_| {}).is_err());
    }
    forge_list(&backup, &list, 1);
    assert!(place.problems()[0].ends_with("it has more files than the manifest"));
}
